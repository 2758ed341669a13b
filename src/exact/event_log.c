#include "exact/event_log.h"

#include <stddef.h>

static void close_chunk(struct event_log *log)
{
	struct chunk *c = log->chunk;
	if (!c)
		return;
	c->used = (uint32_t)(log->at - c->words);
	c->events = c->used - 2 * log->escapes;
	c->last = log->last;
	c->next = log->full;
	log->full = c;
	log->chunk = NULL;
	log->at = log->limit = NULL;
}

static int open_chunk(struct event_log *log, struct chunk_pool *pool, uint64_t base)
{
	struct chunk *c = chunk_pool_take_births(pool, base);
	if (!c)
		return 0;
	c->thread = log->thread;
	log->chunk = c;
	log->at = c->words;
	log->limit = c->words + pool->words - (EVENT_WORDS_MAX - 1);
	log->escapes = 0;
	log->last = base;
	return 1;
}

void event_log_own(struct event_log *log, uint64_t thread)
{
	close_chunk(log);
	log->thread = thread;
}

void event_log_far(struct event_log *log, struct chunk_pool *pool, uint32_t site, uint64_t at)
{
	if (log->at >= log->limit) {
		close_chunk(log);
		if (!open_chunk(log, pool, at - 1)) {
			log->dropped++;
			return;
		}
	}
	uint64_t distance = at - log->last;
	bool far = distance - 1 >= EVENT_DISTANCE_MAX;
	*log->at++ = site << EVENT_DISTANCE_BITS | (far ? 0 : (uint32_t)distance);
	if (far) {
		*log->at++ = (uint32_t)at;
		*log->at++ = (uint32_t)(at >> 32);
		log->escapes++;
	}
	log->last = at;
}

struct chunk *event_log_take(struct event_log *log)
{
	struct chunk *first = NULL;
	close_chunk(log);
	for (struct chunk *c = log->full, *next; c; c = next) {
		next = c->next;
		c->next = first;
		first = c;
	}
	log->full = NULL;
	return first;
}
