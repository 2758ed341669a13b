#include "exact/heap_followed.h"

typedef void visit_resident(struct tracing *t, const struct resident *o, size_t region, void *arg);

static void visit_all(struct tracing *t, visit_resident *visit, void *arg)
{
	const struct residents *r = &t->follow.residents;
	for (size_t i = 0; i < r->room; i++)
		for (const struct resident_block *b = r->regions[i].first; b; b = b->next)
			for (uint64_t k = 0; k < b->used; k++) {
				struct resident o = resident_unpack(r, b->at[k]);
				follow_ahead(&t->follow, b, k);
				visit(t, &o, i, arg);
			}
}

/* Else the collector has written over it. */
static bool stands(const struct tracing *t, const struct resident *o)
{
	return t->follow.oracle.same(t->follow.oracle.arg, o->site, o->address);
}

static void mark_one(struct tracing *t, const struct resident *o, size_t region, void *arg)
{
	(void)region, (void)arg;
	if (stands(t, o))
		witness_mark(&t->witness, o->address);
}

static void begin(void *arg)
{
	visit_all(arg, mark_one, NULL);
}

static bool meet(void *arg, uintptr_t address)
{
	struct tracing *t = arg;
	return witness_unmark(&t->witness, address);
}

struct telling {
	const struct heap_regions *after;
	struct heap_count *to;
};

static void tell_one(struct tracing *t, const struct resident *o, size_t region, void *arg)
{
	const struct telling *told = arg;
	if (!stands(t, o) || witness_marked(&t->witness, o->address))
		return; /* not met */
	uintptr_t klass = object_klass(t->witness.objects, o->address);
	heap_count_tell(told->to, o->site, o->survived, !region_is_young(&told->after->at[region]),
		object_bytes(t->witness.objects, o->address, klass));
}

static void end(void *arg, const struct heap_regions *after, struct heap_count *to)
{
	struct tracing *t = arg;
	struct telling told = {after, to};
	visit_all(t, tell_one, &told);
	witness_forget(&t->witness);
}

struct heap_known heap_followed(struct tracing *t)
{
	return (struct heap_known){t, begin, meet, end};
}
