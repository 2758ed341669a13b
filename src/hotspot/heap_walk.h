/*
 * All objects of a piece of the heap, one after the other. The world must be stopped, and the piece
 * without gaps: at GarbageCollectionFinish it is.
 */
#ifndef HOTSPOT_HEAP_WALK_H
#define HOTSPOT_HEAP_WALK_H

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/objects.h"

typedef void heap_visit(void *arg, uintptr_t address, uintptr_t klass, size_t bytes);

/*
 * From bottom up to top. Fillers are left out (before JDK 19 or so they can't be told from int[]).
 * 0; ERR_CORRUPT: what is there can't be an object, or goes beyond top; *reached (may be NULL) is
 * how far it came, top if all is well. Nothing is visited twice.
 */
int heap_walk(const struct vm_objects *o, uintptr_t bottom, uintptr_t top, heap_visit *visit,
	void *arg, uintptr_t *reached);

/* Bytes. 4.4 ns an object of 35 bytes (G1) or 114 (Serial) on 25; 5.1 with 256, 5.3 to 5.9 with
 * none. */
enum { HEAP_WALK_AHEAD = 1024 };

/* The object's size, of which nothing behind top is read; 0: there is none. */
static inline size_t heap_walk_look(
	const struct vm_objects *o, uintptr_t at, uintptr_t top, uintptr_t *klass)
{
	*klass = top - at >= 16 || o->compact ? object_klass(o, at) : 0;
	bool there = *klass && object_least(o, *klass) <= top - at;
	size_t bytes = there ? object_bytes(o, at, *klass) : 0;
	return bytes <= top - at ? bytes : 0;
}

/* heap_walk itself, for those who visit by the million: `visit` is built in. */
static MF_INLINE int heap_walk_with(const struct vm_objects *o, uintptr_t bottom, uintptr_t top,
	heap_visit *visit, void *arg, uintptr_t *reached)
{
	uintptr_t at = bottom, klass;
	size_t bytes = 0;
	for (; at < top; at += bytes) {
		__builtin_prefetch((const void *)(at + HEAP_WALK_AHEAD));
		bytes = heap_walk_look(o, at, top, &klass);
		if (!bytes)
			break;
		if (!klass_is_filler(o, klass))
			visit(arg, at, klass, bytes);
	}
	if (reached)
		*reached = at;
	return at == top ? ERR_NONE : ERR_CORRUPT;
}

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
/*
 * What may be unloaded at any moment: a Method, a class. Through the kernel, but where this thread
 * has said that none of what it looks at can go, as when a pause waits for it: that takes some ns
 * in place of a microsecond or more.
 */
struct heap_part {
	uintptr_t at;
	void *out;
	size_t size;
};
enum { HEAP_PARTS_MAX = 8 }; /* at once */
bool heap_peek_meta(const struct heap_part *parts, size_t count);
bool heap_peek_meta_one(uintptr_t at, void *out, size_t size);
void heap_hold_meta(bool held);
/* klass_name of a class that may have been unloaded. False: it can't be read. Else it may still be
 * another's that came to its place, or what is left of one. */
bool heap_peek_name(const struct vm_objects *o, uintptr_t klass, char *out, size_t room);

#endif
