/*
 * A heap without a VM: regions or spaces, threads that allocate in buffers of their own and log
 * what they make, and collections that move, keep or drop objects at random. It knows every object
 * by itself, so it is the oracle that whatever follows objects by their addresses is held against.
 *
 * G1's is of small regions, with large objects, mixed collections, evacuation failures and regions
 * freed between collections; Serial's and Parallel's of eden, two survivor spaces and old.
 */
#ifndef SUPPORT_SIM_HEAP_H
#define SUPPORT_SIM_HEAP_H

#include "base/map.h"
#include "base/rng.h"
#include "base/vec.h"
#include "exact/chunk_cursor.h"
#include "exact/event_log.h"
#include "hotspot/heap_regions.h"

enum { SIM_REGIONS = 48, SIM_THREADS = 5, SIM_CLASSES = 7, SIM_SITES = 500 };
#define SIM_BASE ((uintptr_t)0x7f3000000000)

struct sim_object {
	uintptr_t address; /* 0: dead, in the step that is on */
	uintptr_t was;     /* at the beginning of the step */
	uint32_t bytes, site, survived, hash;
	uint64_t thread, young; /* of its birth: the log's, the clock */
	bool logged;            /* else it was there before */
	bool followed;          /* was logged, and has not been forgotten */
	bool fresh;             /* born since the last collection */
	bool filled;            /* was dead when the full collection began, and written over */
};

struct sim_thread {
	struct event_log log;
	uintptr_t at, end; /* its buffer */
};

struct sim_rules {
	enum heap_collector collector;
	uint32_t fail;   /* one young collection in so many; 0: none */
	uint32_t locked; /* one object in so many can't be given an identity; 0: none */
	uint32_t filled; /* one old object in so many is dead and written over; 0: none */
	bool fixed;      /* at two of three sites all objects are of one size: sim_heap_size */
	bool compact;    /* from 8 bytes on: compact headers, and no fields */
	bool twins;      /* pairs of objects with the same hash */
	bool survivors;  /* only what is born outside of the young generation is logged */
};

struct sim_births {
	uint64_t objects, bytes;
	uint64_t outside, outside_bytes; /* of them, where only those are logged */
};

struct sim_heap {
	struct sim_rules rules;
	struct rng rng;
	struct heap_layout layout;
	struct heap_regions before, now;
	struct region before_at[SIM_REGIONS], at[SIM_REGIONS];
	struct sim_thread threads[SIM_THREADS];
	struct chunk_pool *pool;                 /* borrowed; NULL: births are not logged yet */
	VEC(struct sim_object) all;              /* owned */
	struct map here, there;                  /* addresses now and before to places in `all` */
	bool failing[SIM_REGIONS];               /* can't be evacuated */
	bool taken[SIM_REGIONS];                 /* are being collected */
	uint32_t target[2];                      /* plus 1: where survivors go, young and old */
	uint64_t thread_ids;                     /* so far */
	bool crowded;                            /* only a full collection can help */
	uint64_t born;                           /* logged, in all */
	struct sim_births births[SIM_SITES + 2]; /* the same by site; the user may reset them */
	uint64_t young;                          /* the clock that births are given; the user's */
};

void sim_heap_init(struct sim_heap *h, const struct sim_rules *rules, uint64_t seed);
void sim_heap_release(struct sim_heap *h);

/* The program runs, until it has made so many objects or a collection is due. */
void sim_heap_run(struct sim_heap *h, uint32_t objects);
/* Whether there is something that a young collection would collect. */
bool sim_heap_has_young(const struct sim_heap *h);
/* Collections; h->before and h->now are the snapshots of their ends. */
void sim_heap_young(struct sim_heap *h, bool mixed);
void sim_heap_cleanup(struct sim_heap *h); /* G1's, that frees regions without a collection */
void sim_heap_mark(struct sim_heap *h);    /* of a full one: takes `before` … */
void sim_heap_compact(struct sim_heap *h); /* … and does it */
/* The step is over: the dead go. born: it was a collection. */
void sim_heap_settle(struct sim_heap *h, bool collection);

/* Whether it was born outside of the young generation. */
bool sim_heap_outside(const struct sim_object *o);
/* Whether its objects tell their sizes. */
bool sim_heap_array(uint32_t site);
/* Of all objects of the site, but the large ones; 0: they are of all sizes. */
uint32_t sim_heap_size(const struct sim_rules *rules, uint32_t site);

/* What can be asked of a VM, of struct sim_heap *. */
uintptr_t sim_heap_where(void *heap, enum region_fate fate, uint32_t site, uintptr_t address);
uint32_t sim_heap_identify(void *heap, uint32_t site, uintptr_t address, uint32_t proposed);
/* 0 but for arrays: sim_heap_array. */
uint64_t sim_heap_bytes(void *heap, uint32_t site, uintptr_t address);
bool sim_heap_same(void *heap, uint32_t site, uintptr_t address);
uint64_t sim_heap_skip(void *heap, struct chunk_cursor *c, uintptr_t top);

/* Of those at an address before the step, or now; NULL. */
struct sim_object *sim_heap_before(struct sim_heap *h, uintptr_t address);
struct sim_object *sim_heap_at(struct sim_heap *h, uintptr_t address);

#endif
