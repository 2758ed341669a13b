/*
 * One thread's births since the last collection. Written by the thread alone, four bytes an
 * object, in the probe itself; read and emptied by the pause, while the program stands. Zero is a
 * valid, empty log.
 *
 * Where the pool is empty the interval is lost as a whole: the thread fills the chunk that it has
 * and then only counts, until the next collection.
 */
#ifndef EXACT_EVENT_LOG_H
#define EXACT_EVENT_LOG_H

#include <stdint.h>

#include "exact/chunk_pool.h"

struct event_log {
	uint32_t *at, *limit; /* the next event's place; up to where the longest one fits */
	uint64_t last;        /* address >> 3 */
	struct chunk *chunk;  /* being filled; owned */
	struct chunk *full;   /* of this interval, the last first; owned */
	uint32_t escapes;     /* in `chunk` */
	uint64_t thread;      /* its id in the trace */
	uint64_t dropped;     /* births that are in no chunk */
};

/* The thread that writes from now on: a log is handed on when its thread ends. */
void event_log_own(struct event_log *log, uint64_t thread);
/* What event_log_put does where the event is no single word, or there is no room. */
void event_log_far(struct event_log *log, struct chunk_pool *pool, uint32_t site, uint64_t at);
/* All chunks, the first first; the log is empty then but for `dropped`. */
struct chunk *event_log_take(struct event_log *log);

/* An object of that site (20 bits) was born at the address. */
static inline void event_log_put(
	struct event_log *log, struct chunk_pool *pool, uint32_t site, uintptr_t address)
{
	uint64_t at = address >> 3, distance = at - log->last;
	if (__builtin_expect(log->at < log->limit && distance - 1 < EVENT_DISTANCE_MAX, 1)) {
		*log->at++ = site << EVENT_DISTANCE_BITS | (uint32_t)distance;
		log->last = at;
	} else {
		event_log_far(log, pool, site, at);
	}
}

#endif
