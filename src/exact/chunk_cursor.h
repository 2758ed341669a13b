/* Reads the events of a chunk in memory, which this process has written. */
#ifndef EXACT_CHUNK_CURSOR_H
#define EXACT_CHUNK_CURSOR_H

#include <stdbool.h>

#include "exact/chunk_pool.h"

struct chunk_cursor {
	const uint32_t *at, *end;
	uint64_t last; /* address >> 3 */
	bool has_to;
};

static inline struct chunk_cursor chunk_cursor(const struct chunk *c)
{
	return (struct chunk_cursor){
		c->words, c->words + c->used, c->base, event_has_to((enum event_kind)c->kind)};
}

static inline uint64_t chunk_cursor_long(struct chunk_cursor *c)
{
	uint64_t low = c->at[0], high = c->at[1];
	c->at += 2;
	return low | high << 32;
}

/* Whether there was one. */
static inline bool chunk_cursor_next(struct chunk_cursor *c, struct event *out)
{
	if (c->at == c->end)
		return false;
	uint32_t word = *c->at++, distance = word & EVENT_DISTANCE_MAX;
	c->last = distance ? c->last + distance : chunk_cursor_long(c);
	out->site = word >> EVENT_DISTANCE_BITS;
	out->address = c->last << 3;
	out->to = c->has_to ? chunk_cursor_long(c) << 3 : 0;
	return true;
}

#endif
