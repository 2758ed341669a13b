/*
 * What the heap consists of at one moment: G1's regions, or the four spaces of Serial and Parallel
 * (eden, two survivor spaces, old), and what a pause did with each, from before and after it.
 *
 * The same index is the same memory in all snapshots of G1; of the others, it is the same space of
 * the VM's (Parallel may move a space's bounds in a pause).
 */
#ifndef HOTSPOT_HEAP_REGIONS_H
#define HOTSPOT_HEAP_REGIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "hotspot/heap.h"

enum region_kind {
	REGION_FREE,
	REGION_EDEN,
	REGION_SURVIVOR,
	REGION_OLD,
	REGION_HUMONGOUS,
	REGION_HUMONGOUS_REST /* what the object before it goes on into */
};

struct region {
	uintptr_t bottom, top, end; /* 0 where the VM has made none yet */
	uintptr_t compacted;        /* where the last full collection ended its work; 0: not told */
	uint8_t kind;               /* enum region_kind */
	/* G1 of 11 to 19: of objects that came with the VM's archive of classes, which stay where
	 * they are. The program's never come there. */
	bool archived;
};

static inline bool region_is_young(const struct region *r)
{
	return r->kind == REGION_EDEN || r->kind == REGION_SURVIVOR;
}

struct heap_regions {
	struct region *at; /* owned */
	size_t count, room;
	uintptr_t base; /* G1: of the region of index 0; 0: not known */
	uint32_t shift; /* G1: the regions' size, as a power of two; 0: others */
	uintptr_t left; /* others: in eden, up to there, by the VM's counter; 0: not told */
	uint32_t collections, full_collections; /* so far */
};

/* Reserves for the most regions that there can be. 0, ERR_NOMEM or ERR_CORRUPT. */
int heap_regions_init(struct heap_regions *r, const struct heap_layout *h);
void heap_regions_release(struct heap_regions *r);
/* In a pause, or at its ends. Allocates nothing. 0, or ERR_CORRUPT: more regions than can be;
 * nothing is read then. */
int heap_regions_read(const struct heap_layout *h, struct heap_regions *r);
/* Bytes below the tops of all of that kind, as they were read. */
uint64_t heap_regions_used(const struct heap_regions *r, enum region_kind kind);
/* G1: whether a young region of before a pause is an old one after it, since evacuation failed in
 * it: what was dead is in it still. */
bool heap_regions_failed(const struct heap_regions *before, const struct heap_regions *after);
/* G1: whether an old region of before a pause is none after it: what a mixed collection took, where
 * the pause was a young one. */
bool heap_regions_took_old(const struct heap_regions *before, const struct heap_regions *after);
/* G1: the VM's own HeapRegion of that index, 0 where there is none yet; others: 0. World stopped.
 */
uintptr_t heap_region_address(const struct heap_layout *h, size_t index);
/* The region that holds the address, whether or not below its top; NULL: none. */
const struct region *heap_regions_find(const struct heap_regions *r, uintptr_t address);

/* What a pause was, from the snapshots of its Start and its Finish. Remark and Cleanup are OTHER.
 */
enum heap_pause { PAUSE_OTHER, PAUSE_YOUNG, PAUSE_MIXED, PAUSE_FULL };

enum heap_pause heap_pause_kind(const struct heap_layout *h, const struct heap_regions *before,
	const struct heap_regions *after);

enum region_fate {
	FATE_KEPT,      /* not collected: what was there still is */
	FATE_EVACUATED, /* survivors have been copied away; the old memory up to the top that it had
			   still holds what was there */
	FATE_FAILED,    /* the same, but not all could be moved: some objects stay where they are,
			   and what is dead between them has become fillers */
	FATE_FREED,     /* all in it was dead, and it was not evacuated: don't read its memory */
	FATE_COMPACTED  /* a full collection: nothing tells where its objects have gone */
};

/*
 * Of the region of that index. An old region of a mixed collection in which evacuation failed can't
 * be told from one that was left alone.
 */
enum region_fate heap_region_fate(const struct heap_layout *h, enum heap_pause pause,
	const struct heap_regions *before, const struct heap_regions *after, size_t index);

/*
 * How far up the memory of an evacuated region can still be read: up to the top that it had, or
 * less, where Parallel has given the end of the young generation back to the system in the same
 * pause. What lay beyond (survivors of an earlier collection) can't be followed, unless it was
 * kept.
 */
uintptr_t heap_region_readable(const struct heap_layout *h, const struct heap_regions *before,
	const struct heap_regions *after, size_t index);

/*
 * The same, for who goes from object to object: up to where Parallel has written to it (`touched`),
 * as another space has come to cover it. A byte of 0 there may be one of a class.
 */
uintptr_t heap_region_walkable(const struct heap_layout *h, const struct heap_regions *before,
	const struct heap_regions *after, size_t index);

/*
 * How far up a region holds objects at the end of a pause. What asked for the collection gets its
 * memory in the pause, and writes to it later: below a top there may be such a piece, with what was
 * there before. It is left out where it is known (G1; Serial before 22; Parallel, by its own
 * notes). Serial may make it behind the survivors. *sure: it was known, or there can't be one; else
 * use heap_walk_checked, and don't believe all that it finds at the end.
 */
uintptr_t heap_region_written(const struct heap_layout *h, enum heap_pause pause,
	const struct heap_regions *before, const struct heap_regions *after, size_t index,
	bool *sure);

#endif
