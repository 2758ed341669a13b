#include "agent/chunks.h"

#include <string.h>

#include "agent/exact_out.h"
#include "base/clock.h"
#include "base/error.h"
#include "exact/chunk_seal.h"
#include "exact/gc_chunk.h"
#include "exact/pages.h"
#include "trace/format.h"

/* One part in so many of the pool that is taken is a lot. */
enum { SHORT = 2 };
/* Of a site that the trace has no number for, because there is no memory: no site has it. */
#define UNNAMED UINT32_MAX

int chunks_init(struct chunks *c, struct chunk_pool *pool, struct told_sites *sites, bool mute)
{
	*c = (struct chunks){.pool = pool, .sites = sites, .mute = mute};
	c->ids = pages_map(SITE_NUMBERS * sizeof(*c->ids));
	c->unnamed = pages_map(SITE_NUMBERS * sizeof(*c->unnamed));
	if (!c->ids || !c->unnamed || block_init(&c->block, BLOCK_EVENTS))
		return ERR_NOMEM;
	c->block.columns = mute ? NULL : event_columns_new();
	return mute || c->block.columns ? ERR_NONE : ERR_NOMEM;
}

void chunks_release(struct chunks *c)
{
	if (c->pool) {
		chunk_pool_give(c->pool, c->first);
		chunk_pool_give(c->pool, chunk_pool_ready(c->pool));
	}
	event_columns_free(c->block.columns);
	block_release(&c->block);
	pages_unmap(c->ids, SITE_NUMBERS * sizeof(*c->ids));
	pages_unmap(c->unnamed, SITE_NUMBERS * sizeof(*c->unnamed));
	*c = (struct chunks){.pool = NULL};
}

void chunks_take(struct chunks *c)
{
	struct chunk *list = chunk_pool_ready(c->pool);
	if (!list)
		return;
	if (c->last)
		c->last->next = list;
	else
		c->first = list;
	for (c->last = list; c->last->next; c->last = c->last->next) {
	}
}

/* What the trace's number of a site is asked with. */
struct naming {
	struct chunks *chunks;
	struct recorder *recorder;
	struct output *output;
};

static void ask_again(struct chunks *c)
{
	while (c->unnamed_count)
		c->ids[c->unnamed[--c->unnamed_count]] = 0;
}

static uint64_t ask(void *arg, uint32_t site)
{
	struct naming *n = arg;
	struct chunks *c = n->chunks;
	enum place_state state;
	if (c->ids[site] == UNNAMED)
		return 0;
	uint32_t id = exact_out_site(c->sites, n->recorder, n->output, site, &state);
	if (!id)
		c->unnamed[c->unnamed_count++] = site;
	c->ids[site] = id ? id : UNNAMED;
	return id;
}

/* The first of those that wait is none of them any more. */
static struct chunk *take_first(struct chunks *c)
{
	struct chunk *chunk = c->first;
	c->first = chunk->next;
	c->last = c->first ? c->last : NULL;
	chunk->next = NULL;
	return chunk;
}

/* Those behind it that go into the same block. Returns the last. */
static struct chunk *seal_more(
	struct chunks *c, struct chunk *last, const struct chunk_sites *sites)
{
	while (c->first && !c->late && chunk_joins(last, c->first, c->block.raw.len)) {
		struct chunk *chunk = take_first(c);
		chunk_seal_behind(last, chunk, sites, &c->block.raw);
		c->block.records += chunk->events;
		chunk->next = last;
		last = chunk;
	}
	return last;
}

/* Gives it back, and those that went with it. */
static void put_chunk(struct chunks *c, struct chunk *chunk, struct recorder *r, struct output *o)
{
	struct naming naming = {c, r, o};
	const struct chunk_sites sites = {c->ids, ask, &naming};
	struct ns now = clock_since(r->start);
	struct diag d;
	if (chunk_block_kind(chunk) == BLOCK_CHECKPOINT && chunk->interval + 1 != c->checkpoint) {
		c->checkpoint = chunk->interval + 1;
		output_segment(o, r);
	}
	block_reset(&c->block, now);
	c->block.kind = (uint16_t)chunk_block_kind(chunk);
	chunk_seal(chunk, &sites, &c->block.raw);
	c->block.records = chunk->events;
	chunk = seal_more(c, chunk, &sites);
	/* The sites' definitions go first. */
	output_drain(o, r, true, &d);
	output_block(o, r, &c->block);
	chunk_pool_give(c->pool, chunk);
}

static void write_chunk(struct chunks *c, struct chunk *chunk, struct recorder *r, struct output *o)
{
	uint64_t begin = clock_now().v;
	put_chunk(c, chunk, r, o);
	c->spent += clock_now().v - begin;
	c->events += c->block.records;
}

bool chunks_short(const struct chunks *c)
{
	return slab_held(&c->pool->slab) > atomic_load(&c->pool->bound) / SHORT;
}

/* How long the chunk, and what else there is of its interval, will take. 0: unknown. */
static uint64_t cost_of(const struct chunks *c, const struct chunk *chunk)
{
	uint64_t events = chunk->events;
	for (const struct chunk *n = c->first; n && n->interval == chunk->interval; n = n->next)
		events += n->events;
	return c->events ? (uint64_t)((double)events / (double)c->events * (double)c->spent) : 0;
}

/* An interval is told whole, or not at all. */
static bool is_late(struct chunks *c, const struct chunk *chunk)
{
	uint64_t until = atomic_load_explicit(&c->until, memory_order_relaxed);
	if (c->begun == chunk->interval + 1)
		return false;
	c->begun = chunk->interval + 1;
	return until && clock_now().v + cost_of(c, chunk) > until;
}

static void count_dropped(struct chunks *c, const struct chunk *chunk)
{
	bool births = chunk->kind == EVENT_BIRTHS || event_met((enum event_kind)chunk->kind);
	if (!births || c->dropped == chunk->interval + 1)
		return;
	c->dropped = chunk->interval + 1;
	c->untold++;
}

/* After the first nothing is told of any object. */
static void drop(struct chunks *c, struct chunk *chunk, struct recorder *r, struct output *o)
{
	count_dropped(c, chunk);
	if (c->late) {
		chunk_pool_give(c->pool, chunk);
		return;
	}
	c->late = true;
	gc_chunk_forget_all(chunk);
	write_chunk(c, chunk, r, o);
}

void chunks_write(struct chunks *c, struct recorder *r, struct output *o, uint64_t interval)
{
	ask_again(c);
	while (c->first && c->first->interval < interval) {
		struct chunk *chunk = take_first(c);
		if (c->mute)
			chunk_pool_give(c->pool, chunk);
		else if (c->late || is_late(c, chunk))
			drop(c, chunk, r, o);
		else
			write_chunk(c, chunk, r, o);
	}
}
