#include "exact/gc_chunk.h"

#include <stddef.h>

static void close_chunk(struct gc_chunks *g, struct gc_chunk *c)
{
	if (!c->chunk)
		return;
	c->chunk->used = (uint32_t)(c->at - c->chunk->words);
	c->chunk->events = c->events;
	c->chunk->last = c->last;
	c->chunk->next = g->full;
	g->full = c->chunk;
	*c = (struct gc_chunk){0};
}

static bool open_chunk(struct gc_chunks *g, enum event_kind kind, uint64_t base)
{
	struct chunk *chunk = chunk_pool_take_gc(g->pool, kind, base);
	if (!chunk)
		return false;
	g->of[kind] = (struct gc_chunk){.at = chunk->words,
		.limit = chunk->words + g->pool->words - (EVENT_WORDS_MAX - 1),
		.last = base,
		.chunk = chunk};
	return true;
}

static void put_long(struct gc_chunk *c, uint64_t v)
{
	*c->at++ = (uint32_t)v;
	*c->at++ = (uint32_t)(v >> 32);
}

void gc_chunks_far(struct gc_chunks *g, enum event_kind kind, const struct event *e)
{
	struct gc_chunk *c = &g->of[kind];
	uint64_t at = e->address >> 3;
	if (c->at >= c->limit) {
		close_chunk(g, c);
		if (g->failed || !open_chunk(g, kind, at ? at - 1 : 0)) {
			g->failed = true;
			return;
		}
	}
	uint64_t distance = at - c->last;
	bool far = distance - 1 >= EVENT_DISTANCE_MAX;
	*c->at++ = (uint32_t)e->site << EVENT_DISTANCE_BITS | (far ? 0 : (uint32_t)distance);
	if (far)
		put_long(c, at);
	if (event_has_to(kind))
		put_long(c, e->to >> 3);
	c->last = at;
	c->events++;
}

struct chunk *gc_chunks_take(struct gc_chunks *g)
{
	for (int kind = 0; kind < EVENT_KINDS; kind++)
		close_chunk(g, &g->of[kind]);
	struct chunk *list = g->full;
	g->full = NULL;
	g->failed = false;
	return list;
}

void gc_chunk_forget_all(struct chunk *chunk)
{
	struct gc_chunk c = {.at = chunk->words};
	chunk->thread = 0;
	chunk->flags = EVENTS_OF_GC | EVENTS_CLOSED;
	chunk->kind = EVENT_FORGOTTEN;
	chunk->base = 0;
	*c.at++ = 8 >> 3;
	put_long(&c, ADDRESS_LAST >> 3);
	chunk->used = (uint32_t)(c.at - chunk->words);
	chunk->events = 1;
	chunk->last = 1;
}
