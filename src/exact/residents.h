/*
 * The objects that are known to be in the heap, by region: eight bytes each, so that a collection
 * visits those of the regions that it collected and no others. Regions are numbered as in the
 * snapshots (hotspot/heap_regions.h).
 *
 * Bounded: where there is no room an object is refused, and the caller says that it is forgotten.
 * Any number of threads may add at a time, each with a pen of its own; what is detached is its
 * taker's alone.
 */
#ifndef EXACT_RESIDENTS_H
#define EXACT_RESIDENTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "exact/slab.h"

enum {
	RESIDENT_BLOCK = 126, /* entries: a block is 1 KiB */
	RESIDENT_SURVIVED_MAX = 255,
	RESIDENT_SPAN_BITS = 39, /* of the heap: 512 GiB from the lowest address on */
	RESIDENT_PEN_BLOCKS = 8, /* a power of two */
};

struct resident {
	uintptr_t address;
	uint32_t site;     /* 20 bits */
	uint32_t survived; /* collections, RESIDENT_SURVIVED_MAX or more */
};

struct resident_block {
	struct resident_block *next;
	uint64_t used;
	uint64_t at[RESIDENT_BLOCK]; /* packed */
};

struct resident_list {
	struct resident_block *first; /* no other has room */
	_Atomic bool locked; /* protects `first`, for as long as it takes to copy a block */
};

/* Blocks that one thread writes to, out of their regions' lists meanwhile; all 0: none. */
struct resident_pen {
	struct resident_block *at[RESIDENT_PEN_BLOCKS]; /* by the lowest bits of the region */
	size_t of[RESIDENT_PEN_BLOCKS];                 /* the regions */
};

struct residents {
	struct slab blocks;
	struct resident_list *regions; /* [room]; owned */
	size_t room;
	uintptr_t base; /* no object is below it */
};

/* most: objects, rounded up; regions: as many as there can be; base: what no object lies below.
 * 0 or ERR_NOMEM. */
int residents_init(struct residents *r, uint64_t most, size_t regions, uintptr_t base) MF_MUST_USE;
void residents_release(struct residents *r);

/* false: no room, or an address or a region that can't be. What was added is in no list before
 * residents_rest. */
bool residents_add(
	struct residents *r, struct resident_pen *p, size_t region, const struct resident *o);
/* Puts the pen's blocks back into the lists. */
void residents_rest(struct residents *r, struct resident_pen *p);
/* All of a region, which has none then. NULL: there were none. */
struct resident_block *residents_detach(struct residents *r, size_t region);
/* One of a list of which several threads take some each; NULL: there is none any more. */
struct resident_block *resident_list_take(struct resident_list *l);
/* Gives one block back. */
void residents_give(struct residents *r, struct resident_block *b);
/* Of all regions; nobody adds. */
void residents_clear(struct residents *r);
uint64_t residents_count(const struct residents *r);

/* Where the object is. */
static inline uintptr_t resident_address(const struct residents *r, uint64_t v)
{
	return r->base + (uintptr_t)((v >> 28) << 3);
}

static inline struct resident resident_unpack(const struct residents *r, uint64_t v)
{
	return (struct resident){
		resident_address(r, v), (uint32_t)(v >> 8) & ((1u << 20) - 1), (uint32_t)v & 255};
}

#endif
