#include "exact/birth_count.h"

#include "exact/shape.h"

void birth_count(struct birth_slot *s, uintptr_t object)
{
	s->objects++;
	if (s->site & SHAPE_ARRAY)
		s->bytes += shape_bytes(s->site, birth_length(object), births_align.bytes);
	birth_stamp(object, s->site);
}

/* What a thread's slot can't say of a birth: counted in the table. */
static void count_site(struct births *b, uint32_t site, uint64_t bytes, bool outside)
{
	const struct birth_sum one = {
		site & SITE_MASK, 1, bytes, outside ? 1 : 0, outside ? bytes : 0};
	pthread_mutex_lock(&b->lock);
	birth_sums_add(&b->sums, &one);
	pthread_mutex_unlock(&b->lock);
}

bool birth_count_asked(struct births *b, struct birth_thread *t, struct birth_slot *s,
	const struct birth *e, enum caller c)
{
	bool odd = !s->tag;
	uint64_t bytes = c == CALLER_VM || odd ? b->oracle.bytes(b->oracle.arg, e->object) : 0;
	if (odd && !bytes) {
		atomic_store_explicit(&b->uncounted, true, memory_order_relaxed);
		return false;
	}
	if (bytes && b->oracle.outside(b->oracle.arg, e->object, bytes)) {
		count_site(b, s->site, bytes, true);
		birth_stamp_outside(e->object, s->site);
		if (atomic_load_explicit(&b->outside_logged, memory_order_relaxed))
			event_log_put(&t->log, b->pool, s->site & SITE_MASK, e->object);
		return true;
	}
	if (c == CALLER_VM)
		birth_again_put(&t->again, &b->clock, e->object, s->site);
	if (!odd) {
		birth_count(s, e->object);
		return true;
	}
	count_site(b, s->site, bytes, false);
	birth_stamp(e->object, s->site);
	return true;
}

void birth_count_log(
	struct births *b, struct birth_thread *t, const struct birth_slot *s, uintptr_t object)
{
	if (atomic_load_explicit(&b->logged, memory_order_relaxed))
		event_log_put(&t->log, b->pool, s->site & SITE_MASK, object);
}
