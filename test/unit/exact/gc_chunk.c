#include "exact/gc_chunk.h"

#include "base/rng.h"
#include "exact/chunk_seal.h"
#include "support/tap.h"

enum { EVENTS = 1000, WORDS = 30, CHUNKS = 4000, SITE_SHIFT_UP = 4099 };

static struct event want[EVENT_KINDS][EVENTS], got[EVENT_KINDS][EVENTS];
static size_t want_count[EVENT_KINDS], got_count[EVENT_KINDS];

static uint64_t trace_site(void *arg, uint32_t site)
{
	(void)arg;
	return (uint64_t)site * SITE_SHIFT_UP;
}

static void put_some(struct gc_chunks *g, struct rng *rng)
{
	uint64_t at = 0x7f0000000000;
	memset(want_count, 0, sizeof(want_count));
	for (int i = 0; i < EVENTS; i++) {
		enum event_kind kind = (enum event_kind)(1 + rng_below(rng, EVENT_KINDS - 1));
		bool range = kind == EVENT_SWEPT || kind == EVENT_FORGOTTEN;
		at = rng_below(rng, 5) ? at + 8 * (1 + rng_below(rng, 500))
				       : rng_u64(rng) >> 18 & ~7ull;
		struct event e = {.site = range ? 0 : rng_below(rng, 1 << 18),
			.address = at,
			.to = event_has_to(kind) ? rng_u64(rng) & ~7ull : 0};
		gc_chunks_put(g, kind, (uint32_t)e.site, e.address, e.to);
		e.site *= SITE_SHIFT_UP;
		want[kind][want_count[kind]++] = e;
	}
}

static void read_chunk(const struct chunk *c)
{
	struct buf out = {0};
	struct event_reader r;
	struct event e;
	chunk_seal(c, trace_site, NULL, &out);
	EXPECT_INT(0, event_reader_begin(&r, buf_slice(&out), NULL));
	EXPECT_INT(c->kind, r.chunk.kind);
	EXPECT_INT(EVENTS_OF_GC | EVENTS_CLOSED, r.chunk.flags);
	EXPECT_INT(77, r.chunk.interval);
	EXPECT_INT(5, r.chunk.young);
	while (event_reader_next(&r, &e, NULL) == 1 && got_count[c->kind] < EVENTS)
		got[c->kind][got_count[c->kind]++] = e;
	buf_release(&out);
}

TEST(what_is_put_is_read)
{
	struct rng rng = rng_init(tap_seed());
	struct chunk_pool pool;
	struct chunk *inorder[CHUNKS];
	size_t count = 0;
	EXPECT_INT(0, chunk_pool_init(&pool, CHUNKS, 0, WORDS));
	struct gc_chunks g = {.pool = &pool};
	put_some(&g, &rng);
	EXPECT(!g.failed);
	memset(got_count, 0, sizeof(got_count));
	for (struct chunk *c = gc_chunks_take(&g); c; c = c->next)
		inorder[count++] = c;
	while (count--) { /* the last first */
		inorder[count]->interval = 77;
		inorder[count]->young = 5;
		EXPECT(inorder[count]->used <= WORDS);
		read_chunk(inorder[count]);
	}
	for (int kind = 1; kind < EVENT_KINDS; kind++) {
		EXPECT_INT(want_count[kind], got_count[kind]);
		for (size_t i = 0; i < got_count[kind]; i++)
			EXPECT(memcmp(&want[kind][i], &got[kind][i], sizeof(struct event)) == 0);
	}
	EXPECT(gc_chunks_take(&g) == NULL);
	chunk_pool_release(&pool);
}

TEST(without_room_it_has_failed)
{
	struct rng rng = rng_init(tap_seed());
	struct chunk_pool pool;
	EXPECT_INT(0, chunk_pool_init(&pool, 5, 0, WORDS));
	struct gc_chunks g = {.pool = &pool};
	put_some(&g, &rng);
	EXPECT(g.failed);
	chunk_pool_give(&pool, gc_chunks_take(&g));
	EXPECT_INT(0, slab_held(&pool.slab));
	EXPECT(!g.failed);
	gc_chunks_put(&g, EVENT_STAYS, 1, 8, 0);
	EXPECT(!g.failed);
	chunk_pool_release(&pool);
}

/* Whatever the chunk was: one range, over all addresses. */
TEST(all_are_forgotten)
{
	struct chunk_pool pool;
	EXPECT_INT(0, chunk_pool_init(&pool, 2, 0, WORDS));
	struct chunk *c = chunk_pool_take_births(&pool, 0x1234);
	c->thread = 9;
	c->interval = 77;
	c->young = 5;
	c->used = WORDS - 1;
	c->events = WORDS - 1;
	memset(got_count, 0, sizeof(got_count));
	gc_chunk_forget_all(c);
	read_chunk(c);
	EXPECT_INT(EVENT_FORGOTTEN, c->kind);
	EXPECT_INT(1, got_count[EVENT_FORGOTTEN]);
	EXPECT_INT(8, got[EVENT_FORGOTTEN][0].address);
	EXPECT(got[EVENT_FORGOTTEN][0].to == ADDRESS_LAST);
	EXPECT_INT(0, got[EVENT_FORGOTTEN][0].site);
	chunk_pool_give(&pool, c);
	chunk_pool_release(&pool);
}
