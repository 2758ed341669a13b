/*
 * What one collection did to objects, written by one thread of those that scan: chunks of moves,
 * stays and ranges, side by side. Chunks come from the pool; where it is empty the whole account is
 * `failed`, and its owner gives it up. Zero but for the pool is a valid, empty one.
 */
#ifndef EXACT_GC_CHUNK_H
#define EXACT_GC_CHUNK_H

#include "exact/chunk_pool.h"

/* Ranges over all addresses are from 8 to there. */
#define ADDRESS_LAST (UINT64_MAX & ~7ull)

struct gc_chunk {
	uint32_t *at, *limit; /* as in event_log.h */
	uint64_t last;
	struct chunk *chunk;
	uint32_t events; /* in `chunk` */
};

struct gc_chunks {
	struct chunk_pool *pool; /* borrowed */
	struct gc_chunk of[EVENT_KINDS];
	struct chunk *full; /* owned */
	bool failed;
};

void gc_chunks_far(struct gc_chunks *g, enum event_kind kind, const struct event *e);

static inline void gc_chunks_put(
	struct gc_chunks *g, enum event_kind kind, uint32_t site, uintptr_t address, uintptr_t to)
{
	struct gc_chunk *c = &g->of[kind];
	uint64_t at = address >> 3, distance = at - c->last;
	if (__builtin_expect(c->at >= c->limit || distance - 1 >= EVENT_DISTANCE_MAX, 0)) {
		gc_chunks_far(g, kind, &(struct event){site, address, to});
		return;
	}
	c->at[0] = site << EVENT_DISTANCE_BITS | (uint32_t)distance;
	c->at[1] = (uint32_t)(to >> 3);
	c->at[2] = (uint32_t)((uint64_t)to >> 35);
	c->at += event_has_to(kind) ? 3 : 1;
	c->last = at;
	c->events++;
}

/* Makes of a chunk, of whatever it was, one by which all objects are forgotten at the end of its
 * interval. */
void gc_chunk_forget_all(struct chunk *chunk);
/* All chunks, in any order; empty then, and not failed. */
struct chunk *gc_chunks_take(struct gc_chunks *g);

#endif
