/*
 * All objects of a piece of the heap, one after the other. The world must be stopped, and the piece
 * without gaps: at GarbageCollectionFinish it is.
 */
#ifndef HOTSPOT_HEAP_WALK_H
#define HOTSPOT_HEAP_WALK_H

#include "hotspot/objects.h"

typedef void heap_visit(void *arg, uintptr_t address, uintptr_t klass, size_t bytes);

/*
 * From bottom up to top. Fillers are left out (before JDK 19 or so they can't be told from int[]).
 * 0; ERR_CORRUPT: what is there can't be an object, or goes beyond top; *reached (may be NULL) is
 * how far it came, top if all is well. Nothing is visited twice.
 */
int heap_walk(const struct vm_objects *o, uintptr_t bottom, uintptr_t top, heap_visit *visit,
	void *arg, uintptr_t *reached);

/*
 * The same, of memory that may end in something else than objects: a class is believed only when
 * the kernel could read what is to be looked at of it, and an object that has been moved ends the
 * walk. ERR_UNSUPPORTED, with nothing visited, where the kernel does not do that
 * (process_vm_readv). About 1 us for each class of the piece.
 */
int heap_walk_checked(const struct vm_objects *o, uintptr_t bottom, uintptr_t top,
	heap_visit *visit, void *arg, uintptr_t *reached);

/* Reads through the kernel, which says no (false) where a load would end the process. */
bool heap_peek(uintptr_t at, void *out, size_t size);

#endif
