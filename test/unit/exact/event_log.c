#include "exact/event_log.h"

#include "base/rng.h"
#include "exact/chunk_cursor.h"
#include "support/tap.h"

enum { EVENTS = 3000, WORDS = 40 };

static struct event events[EVENTS];

static void make(struct rng *rng)
{
	uint64_t at = 0x7f0000000000;
	for (int i = 0; i < EVENTS; i++) {
		at = rng_below(rng, 10) ? at + 8 * (1 + rng_below(rng, 4096))
					: rng_u64(rng) >> 20 & ~7ull;
		events[i] =
			(struct event){.site = rng_below(rng, 1 << EVENT_SITE_BITS), .address = at};
	}
}

/* Reads chunks of births as they are in memory; the threads are numbered in order. */
static int read_all(const struct chunk *list)
{
	int i = 0;
	uint64_t thread = 1;
	for (; list; list = list->next) {
		struct chunk_cursor c = chunk_cursor(list);
		struct event e;
		uint32_t n = 0;
		EXPECT(list->thread == thread || list->thread == thread + 1);
		thread = list->thread;
		for (; chunk_cursor_next(&c, &e) && i < EVENTS; n++, i++)
			EXPECT(e.site == events[i].site && e.address == events[i].address);
		EXPECT_INT(list->events, n);
		EXPECT(list->used <= WORDS);
	}
	return i;
}

TEST(what_is_logged_is_read)
{
	struct rng rng = rng_init(tap_seed());
	struct chunk_pool pool;
	struct event_log log = {0};
	EXPECT_INT(0, chunk_pool_init(&pool, EVENTS, 0, WORDS));
	make(&rng);
	for (uint64_t i = 0; i < EVENTS; i++) {
		if (i % 500 == 0) /* its thread ends, and another has it */
			event_log_own(&log, i / 500 + 1);
		event_log_put(&log, &pool, (uint32_t)events[i].site, events[i].address);
	}
	struct chunk *list = event_log_take(&log);
	EXPECT_INT(EVENTS, read_all(list));
	EXPECT_INT(0, log.dropped);
	EXPECT(event_log_take(&log) == NULL);
	chunk_pool_give(&pool, list);
	EXPECT_INT(0, slab_held(&pool.slab));
	chunk_pool_release(&pool);
}

TEST(four_bytes_an_object)
{
	struct chunk_pool pool;
	struct event_log log = {0};
	EXPECT_INT(0, chunk_pool_init(&pool, 2, 0, CHUNK_WORDS));
	for (uintptr_t i = 0; i < CHUNK_WORDS - 4; i++)
		event_log_put(&log, &pool, 3, 0x10000 + i * 24);
	struct chunk *list = event_log_take(&log);
	EXPECT_INT(CHUNK_WORDS - 4, list->used);
	EXPECT_INT(CHUNK_WORDS - 4, list->events);
	EXPECT(list->next == NULL);
	chunk_pool_release(&pool);
}

/* The interval is lost: nothing is written, all is counted, until it is over. */
TEST(an_empty_pool)
{
	struct chunk_pool pool;
	struct event_log a = {.thread = 1}, b = {.thread = 2};
	uint64_t written = 0;
	EXPECT_INT(0, chunk_pool_init(&pool, 3, 1, WORDS));
	for (uintptr_t i = 0; i < 1000; i++)
		event_log_put(i % 2 ? &a : &b, &pool, 1, 0x10000 + i * 16);
	for (const struct chunk *c = a.full; c; c = c->next)
		written += c->events;
	for (const struct chunk *c = b.full; c; c = c->next)
		written += c->events;
	EXPECT(pool.lost);
	EXPECT(a.dropped > 0 && b.dropped > 0);
	EXPECT_INT(1000, written + a.dropped + b.dropped);
	chunk_pool_give(&pool, event_log_take(&a));
	event_log_put(&a, &pool, 1, 0x80000);
	EXPECT(a.chunk == NULL);
	pool.lost = false;
	event_log_put(&a, &pool, 1, 0x80000);
	EXPECT(a.chunk != NULL);
	chunk_pool_release(&pool);
}
