/*
 * The objects of a region of the old generation, of humongous ones too, at either end of a pause.
 *
 * Serial and Parallel keep the old generation such that it can be read from its bottom on. G1 does
 * not: after class unloading there are dead objects whose class is gone. Only the VM knows which
 * (its mark bitmaps), so its own walk is called (HeapRegion::object_iterate, by which it makes its
 * histograms), with a closure that is ours. What it knows to be dead it leaves out.
 */
#ifndef HOTSPOT_REGION_WALK_H
#define HOTSPOT_REGION_WALK_H

#include "hotspot/heap_regions.h"
#include "hotspot/heap_walk.h"

/* void HeapRegion::object_iterate(ObjectClosure *), in the VM's convention. */
typedef void region_objects(void *region, void *closure);

static inline region_objects *region_objects_at(const void *function)
{
	region_objects *f;
	memcpy(&f, &function, sizeof(f));
	return f;
}

struct region_walk {
	const struct heap_layout *layout; /* borrowed */
	const struct vm_objects *objects; /* borrowed */
	region_objects *g1;               /* NULL: not to be had, and regions of G1 are not read */
};

/* Whether old regions can be read at all. */
bool region_walk_can(const struct region_walk *w);

/*
 * Region i, up to `top`. *unread: bytes that could not be read. Fillers are left out, and of
 * humongous objects those that are not written yet. The VM's walk is called with the world stopped,
 * at Start or Finish: not in the middle of a full collection, where it can't tell. Several regions
 * may be walked at once, by any threads: it asks for none (HeapRegion::block_is_obj and block_size
 * read bitmaps and classes; from 16 on the VM's own histograms are made by several threads so).
 */
void region_walk(const struct region_walk *w, const struct heap_regions *r, size_t i, uintptr_t top,
	heap_visit *visit, void *arg, uint64_t *unread);

#endif
