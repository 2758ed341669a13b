#include "hotspot/region_walk.h"

/* As a C++ object of a class with one virtual function: do_object(oop). */
struct closure {
	void (*const *functions)(struct closure *c, uintptr_t object);
	const struct vm_objects *objects;
	heap_visit *visit;
	void *arg;
};

static void do_object(struct closure *c, uintptr_t object)
{
	uintptr_t klass = object_klass(c->objects, object);
	size_t bytes = klass ? object_bytes(c->objects, object, klass) : 0;
	if (bytes && !klass_is_filler(c->objects, klass))
		c->visit(c->arg, object, klass, bytes);
}

bool region_walk_can(const struct region_walk *w)
{
	return w->layout->collector != HEAP_G1 || w->g1;
}

/* A large object that was made in this pause has no class yet. */
static bool is_written(const struct region_walk *w, const struct region *r)
{
	return r->kind != REGION_HUMONGOUS || object_class_number(w->objects, r->bottom);
}

static void walk_g1(const struct region_walk *w, const struct heap_regions *r, size_t i,
	heap_visit *visit, void *arg)
{
	static void (*const functions[])(struct closure *, uintptr_t) = {do_object};
	struct closure c = {functions, w->objects, visit, arg};
	uintptr_t region = heap_region_address(w->layout, i);
	if (region && is_written(w, &r->at[i]))
		w->g1((void *)region, &c);
}

void region_walk(const struct region_walk *w, const struct heap_regions *r, size_t i, uintptr_t top,
	heap_visit *visit, void *arg, uint64_t *unread)
{
	const struct region *is = &r->at[i];
	uintptr_t reached = is->bottom;
	if (top <= is->bottom)
		return;
	if (w->layout->collector != HEAP_G1) {
		heap_walk_checked(w->objects, is->bottom, top, visit, arg, &reached);
		*unread += top - reached;
	} else if (w->g1) {
		walk_g1(w, r, i, visit, arg);
	} else {
		*unread += top - is->bottom;
	}
}
