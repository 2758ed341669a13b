/*
 * What is not filled yet of the pieces of eden that threads allocate in (TLABs). At
 * GarbageCollectionStart eden is full of such gaps, and a walk must go around them; at Finish the
 * collector has filled them.
 */
#ifndef HOTSPOT_TLAB_GAPS_H
#define HOTSPOT_TLAB_GAPS_H

#include "hotspot/heap_walk.h"

struct tlab_gap {
	uintptr_t low, high;
};

struct tlab_gaps {
	struct tlab_gap *at; /* owned; in order */
	size_t count, room;
	uintptr_t first, list;    /* where the first thread is (11), or the list of all */
	uint32_t next;            /* in JavaThread (11) */
	uint32_t threads, length; /* in ThreadsList */
	uint32_t tlab, top, end;  /* in Thread; in a TLAB */
	uint32_t reserve;         /* bytes that the VM keeps free behind a TLAB's end */
};

/* For as many threads at most as `room` says. Not before VMInit. ERR_UNSUPPORTED, ERR_NOMEM. */
int tlab_gaps_open(struct tlab_gaps *g, const struct vm_objects *o, const void *inside, size_t room,
	struct diag *d);
/* Bytes, where the VM keeps so many words free for what it fetches ahead. */
uint32_t tlab_gaps_reserve(const struct vm_objects *o, uint32_t prefetch);
void tlab_gaps_release(struct tlab_gaps *g);
/* World stopped; allocates nothing. 0, or ERR_FULL: there are more threads, and nothing is read. */
int tlab_gaps_read(struct tlab_gaps *g);

/* As heap_walk, around the gaps. */
int heap_walk_around(const struct tlab_gaps *g, const struct vm_objects *o, uintptr_t bottom,
	uintptr_t top, heap_visit *visit, void *arg, uintptr_t *reached);

#endif
