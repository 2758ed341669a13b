/*
 * The chunks that the exact engine's events are written into, and their way to the writer thread:
 * a bounded number, so that a program that outruns the disk finds the pool empty. Then births of
 * the whole interval are lost (event_log.h); a part of the pool is kept back from them, for what
 * collections have to tell.
 *
 * A chunk has one owner at a time: a thread's log, the pause, the list of those that are ready, the
 * writer.
 */
#ifndef EXACT_CHUNK_POOL_H
#define EXACT_CHUNK_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/compiler.h"
#include "exact/slab.h"
#include "trace/events.h"

enum {
	EVENT_WORDS_MAX = 5, /* word, address, to */
	CHUNK_WORDS = 8176,  /* a chunk is 32 KiB then */
};

struct chunk {
	struct chunk *next;
	uint64_t thread, interval, young;
	uint64_t base;  /* address >> 3 */
	uint64_t last;  /* of the last event, address >> 3 */
	uint32_t flags; /* enum event_flag */
	uint32_t kind;  /* enum event_kind */
	uint32_t used;  /* words */
	uint32_t events;
	uint32_t words[];
};

struct chunk_pool {
	struct slab slab;
	uint32_t words;         /* of a chunk */
	uint32_t reserve;       /* chunks that births can't have */
	_Atomic uint32_t bound; /* of chunks that may be in use, for births */
	/* Births of this interval are lost. Set by whoever finds the pool empty, cleared while the
	 * program stands. */
	_Atomic bool lost;
	_Atomic(struct chunk *) ready; /* the last first */
};

/* 0 or ERR_NOMEM. words: CHUNK_WORDS, or fewer in tests, but at least EVENT_WORDS_MAX. */
int chunk_pool_init(
	struct chunk_pool *p, uint32_t chunks, uint32_t reserve, uint32_t words) MF_MUST_USE;
/* Births are to take so many bytes of memory more at most, until the next call; chunks that were in
 * use before have theirs. Any thread. */
void chunk_pool_grow(struct chunk_pool *p, uint64_t bytes);
/* Nobody takes chunks any more: gives their memory back, where all have been given. Who gives them
 * calls. */
void chunk_pool_clear(struct chunk_pool *p);
/* No chunk is in use any more. */
void chunk_pool_release(struct chunk_pool *p);

/* A chunk of births, whose next event counts from `base`; NULL: the interval is lost. */
struct chunk *chunk_pool_take_births(struct chunk_pool *p, uint64_t base);
/* A chunk of what a collection did; NULL: there is none. */
struct chunk *chunk_pool_take_gc(struct chunk_pool *p, enum event_kind kind, uint64_t base);
/* A list of chunks; NULL is an empty one. */
void chunk_pool_give(struct chunk_pool *p, struct chunk *list);

/* A list for the writer, to be written in its order, behind those handed over before. */
void chunk_pool_hand(struct chunk_pool *p, struct chunk *list);
/* All that are ready, in the order of their handing over. One thread asks. */
struct chunk *chunk_pool_ready(struct chunk_pool *p);

#endif
