#include "exact/eden_audit.h"

#include "hotspot/heap_walk.h"

enum {
	FIRST = 4,         /* collections that are audited whatever it costs */
	OBJECT_NS = 6,     /* an object's price, about; */
	TIME_SHARE = 1000, /* at most one part in so many of the time goes to it */
};

bool eden_audit_due(const struct eden_audit *e, uint64_t objects, uint64_t now)
{
	return e->all || e->count < FIRST || objects * OBJECT_NS * TIME_SHARE < now - e->last;
}

struct look {
	const struct vm_objects *objects;
	struct account_audit *sum;
};

/* An array of a class that fills gaps, and without a site: a filler. The program's own have theirs,
 * or are forwarded; but for clones, whose mark the VM makes anew. */
static bool fills(const struct look *l, uintptr_t address, uintptr_t klass)
{
	uint64_t mark = object_mark(address);
	return klass_may_fill(l->objects, klass) && (mark & 7) == MARK_UNLOCKED &&
	       mark >> SITE_SHIFT == 0;
}

static void visit(void *arg, uintptr_t address, uintptr_t klass, size_t bytes)
{
	struct look *l = arg;
	bool filler = fills(l, address, klass);
	if (!filler && klass_is_chunk(l->objects, klass))
		return;
	*(filler ? &l->sum->fillers : &l->sum->walked) += 1;
	*(filler ? &l->sum->filler_bytes : &l->sum->walked_bytes) += bytes;
}

/* Whether all of the region could be walked. */
static bool walk(struct look *l, const struct heap_sight *s, size_t i)
{
	const struct region *was = &s->before->at[i];
	enum region_fate fate = heap_region_fate(s->walk.layout, s->pause, s->before, s->after, i);
	return fate == FATE_EVACUATED &&
	       heap_region_readable(s->walk.layout, s->before, s->after, i) >= was->top &&
	       !heap_walk_with(l->objects, was->bottom, was->top, visit, l, NULL);
}

void eden_audit_make(struct eden_audit *e, const struct heap_sight *s,
	const struct birth_sum *births, uint64_t now, struct account_audit *out)
{
	struct look look = {s->walk.objects, out};
	*out = (struct account_audit){0};
	for (size_t i = 0; i < s->before->count; i++) {
		const struct region *was = &s->before->at[i];
		if (was->kind != REGION_EDEN || was->top == was->bottom || walk(&look, s, i))
			continue;
		*out = (struct account_audit){0};
		return;
	}
	out->seen = births->objects - births->outside_objects;
	out->seen_bytes = births->bytes - births->outside_bytes;
	e->count++;
	e->last = now;
}
