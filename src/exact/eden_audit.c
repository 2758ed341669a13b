#include "exact/eden_audit.h"

#include "hotspot/heap_walk.h"

enum {
	OBJECT_NS = 6,      /* an object's price, about; */
	TIME_SHARE = 1000,  /* at most one part in so many of the time goes to it, */
	MOST_NS = 50000000, /* and no more than that of a pause */
	WORTH_A_CREW = 4,   /* regions */
};

bool eden_audit_due(struct eden_audit *e, uint64_t objects, uint64_t now)
{
	uint64_t price = objects * OBJECT_NS;
	if (e->all || e->wanted)
		return true;
	e->passed += price > MOST_NS;
	return price <= MOST_NS && (!e->count || price * TIME_SHARE < now - e->last);
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

/* What stands in eden as the recording begins may be the end of a buffer that is in use. */
void eden_audit_begin(
	struct eden_audit *e, const struct heap_layout *h, const struct heap_regions *now)
{
	e->spaces = h->collector != HEAP_G1;
	e->unsure = false;
	for (size_t i = 0; i < EDEN_AUDIT_SPACES && i < now->count; i++)
		e->survived[i] =
			now->at[i].kind == REGION_EDEN ? now->at[i].bottom : now->at[i].top;
}

/* A full collection may leave some in eden; a survivor space's end is known, where births can come
 * behind it. */
void eden_audit_next(struct eden_audit *e, const struct heap_sight *s)
{
	eden_audit_begin(e, s->walk.layout, s->after);
	for (size_t i = 0; e->spaces && i < EDEN_AUDIT_SPACES && i < s->after->count; i++) {
		bool sure;
		e->survived[i] = heap_region_written(
			s->walk.layout, s->pause, s->before, s->after, i, &sure);
		e->unsure |= !sure && s->after->at[i].kind == REGION_EDEN;
	}
}

/* From where on the program has allocated in the region. */
static uintptr_t born_from(const struct eden_audit *e, const struct heap_regions *before, size_t i)
{
	const struct region *r = &before->at[i];
	if (!e->spaces || i >= EDEN_AUDIT_SPACES)
		return r->kind == REGION_EDEN ? r->bottom : r->top;
	if (!region_is_young(r) || e->survived[i] >= r->top)
		return r->top;
	return e->survived[i] > r->bottom ? e->survived[i] : r->bottom;
}

static bool has_births(const struct eden_audit *e, const struct heap_regions *before, size_t i)
{
	return born_from(e, before, i) < before->at[i].top;
}

/* Whether all of the region could be walked. */
static bool walk(const struct eden_audit *e, struct look *l, const struct heap_sight *s, size_t i)
{
	const struct region *was = &s->before->at[i];
	enum region_fate fate = heap_region_fate(s->walk.layout, s->pause, s->before, s->after, i);
	return fate == FATE_EVACUATED &&
	       heap_region_walkable(s->walk.layout, s->before, s->after, i) >= was->top &&
	       !heap_walk_with(l->objects, born_from(e, s->before, i), was->top, visit, l, NULL);
}

/* Takes regions until there are no more. */
static void walk_some(void *arg, uint32_t worker)
{
	struct eden_audit *e = arg;
	const struct heap_sight *s = e->sight;
	struct look look = {s->walk.objects, &e->walked[worker]};
	size_t i;
	while ((i = atomic_fetch_add(&e->next, 1)) < s->before->count)
		if (has_births(e, s->before, i) && !atomic_load(&e->torn) && !walk(e, &look, s, i))
			atomic_store(&e->torn, true);
}

static bool worth_a_crew(const struct eden_audit *e)
{
	unsigned count = 0;
	for (size_t i = 0; e->crew && i < e->sight->before->count && count < WORTH_A_CREW; i++)
		count += has_births(e, e->sight->before, i);
	return count == WORTH_A_CREW;
}

static void walk_all(struct eden_audit *e, const struct heap_sight *s)
{
	e->sight = s;
	atomic_store(&e->next, 0);
	atomic_store(&e->torn, false);
	for (uint32_t i = 0; i <= CREW_MAX; i++)
		e->walked[i] = (struct account_audit){0};
	if (worth_a_crew(e))
		crew_work(e->crew, walk_some, e);
	else
		walk_some(e, 0);
}

void eden_audit_make(struct eden_audit *e, const struct heap_sight *s,
	const struct birth_sum *births, uint64_t now, struct account_audit *out)
{
	*out = (struct account_audit){0};
	if (e->unsure)
		return;
	walk_all(e, s);
	if (atomic_load(&e->torn))
		return;
	for (uint32_t i = 0; i <= CREW_MAX; i++) {
		out->walked += e->walked[i].walked;
		out->walked_bytes += e->walked[i].walked_bytes;
		out->fillers += e->walked[i].fillers;
		out->filler_bytes += e->walked[i].filler_bytes;
	}
	out->seen = births->objects - births->outside_objects;
	out->seen_bytes = births->bytes - births->outside_bytes;
	e->count++;
	e->last = now;
	if (out->walked)
		e->wanted = false;
}
