#include "exact/gc_chunk.h"

#include "base/rng.h"
#include "exact/chunk_seal.h"
#include "support/tap.h"

enum { EVENTS = 1000, WORDS = 30, CHUNKS = 4000, SITE_SHIFT_UP = 4099 };

/* Sites whose number in the trace is known; the others are asked for. */
static uint32_t known[1 << EVENT_SITE_BITS];
static uint64_t joined; /* chunks */

static struct event want[EVENT_KINDS][EVENTS], got[EVENT_KINDS][EVENTS];
static size_t want_count[EVENT_KINDS], got_count[EVENT_KINDS];

static uint64_t trace_site(void *arg, uint32_t site)
{
	(void)arg;
	/* Some at the bounds of what fits the word. */
	return site % 8 == 7 ? (1u << EVENT_SITE_BITS) - 3 + site % 5
			     : (uint64_t)site * SITE_SHIFT_UP;
}

/* Every third: small ones, which fit the word, and large ones. */
static void know_some(void)
{
	for (uint32_t i = 0; i < 1 << EVENT_SITE_BITS; i += 3)
		known[i] = (uint32_t)trace_site(NULL, i);
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
		struct event e = {
			.site = range ? 0 : rng_below(rng, rng_below(rng, 3) ? 200 : 1 << 18),
			.address = at,
			.to = event_has_to(kind) ? rng_u64(rng) & ~7ull : 0};
		gc_chunks_put(g, kind, (uint32_t)e.site, e.address, e.to);
		e.site = range ? 0 : trace_site(NULL, (uint32_t)e.site);
		want[kind][want_count[kind]++] = e;
	}
}

static const struct chunk_sites all_asked = {.ask = trace_site};
static const struct chunk_sites some_asked = {.known = known, .ask = trace_site};

/* One block: the chunk and those behind it (in `next`) that can go into it. Returns the next one.
 */
static const struct chunk *read_block(const struct chunk *c, const struct chunk_sites *sites)
{
	struct buf out = {0};
	struct event_reader r;
	struct event e;
	const struct chunk *first = c, *next;
	chunk_seal(c, sites, &out);
	for (; (next = c->next) != NULL && chunk_joins(c, next, out.len); c = next) {
		chunk_seal_behind(c, next, sites, &out);
		joined++;
	}
	EXPECT(!out.failed && out.len <= BLOCK_RAW_MAX);
	EXPECT_INT(0, event_reader_begin(&r, buf_slice(&out), NULL));
	EXPECT_INT(first->kind, r.chunk.kind);
	EXPECT_INT(EVENTS_OF_GC | EVENTS_CLOSED, r.chunk.flags);
	EXPECT_INT(77, r.chunk.interval);
	EXPECT_INT(5, r.chunk.young);
	while (event_reader_next(&r, &e, NULL) == 1 && got_count[first->kind] < EVENTS)
		got[first->kind][got_count[first->kind]++] = e;
	buf_release(&out);
	return next;
}

/* The last first, as they are taken. */
static struct chunk *in_order(struct chunk *list)
{
	struct chunk *first = NULL;
	for (struct chunk *c = list, *next; c; c = next) {
		next = c->next;
		c->next = first;
		first = c;
		c->interval = 77;
		c->young = 5;
		EXPECT(c->used <= WORDS);
	}
	return first;
}

static void put_and_read(struct rng *rng, const struct chunk_sites *sites)
{
	struct chunk_pool pool;
	EXPECT_INT(0, chunk_pool_init(&pool, CHUNKS, 0, WORDS));
	struct gc_chunks g = {.pool = &pool};
	put_some(&g, rng);
	EXPECT(!g.failed);
	memset(got_count, 0, sizeof(got_count));
	const struct chunk *list = in_order(gc_chunks_take(&g));
	while (list)
		list = read_block(list, sites);
	for (int kind = 1; kind < EVENT_KINDS; kind++) {
		EXPECT_INT(want_count[kind], got_count[kind]);
		for (size_t i = 0; i < got_count[kind]; i++)
			EXPECT(memcmp(&want[kind][i], &got[kind][i], sizeof(struct event)) == 0);
	}
	EXPECT(gc_chunks_take(&g) == NULL);
	chunk_pool_release(&pool);
}

TEST(what_is_put_is_read)
{
	struct rng rng = rng_init(tap_seed());
	put_and_read(&rng, &all_asked);
	know_some();
	put_and_read(&rng, &some_asked);
	EXPECT(joined > 0);
}

/* Not what is another's, nor more than a block may have. */
TEST(what_does_not_join)
{
	struct chunk a = {.kind = EVENT_MOVES, .interval = 3, .thread = 2, .used = 100}, b = a;
	EXPECT(chunk_joins(&a, &b, 1000));
	EXPECT(!chunk_joins(&a, &b, BLOCK_RAW_MAX));
	b.used = BLOCK_RAW_MAX;
	EXPECT(!chunk_joins(&a, &b, 1000));
	b = a;
	b.kind = EVENT_STAYS;
	EXPECT(!chunk_joins(&a, &b, 1000));
	b = a;
	b.interval = 4;
	EXPECT(!chunk_joins(&a, &b, 1000));
	b = a;
	b.thread = 1;
	EXPECT(!chunk_joins(&a, &b, 1000));
	b = a;
	b.flags = EVENTS_CLOSED;
	EXPECT(!chunk_joins(&a, &b, 1000));
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
	EXPECT(!read_block(c, &all_asked));
	EXPECT_INT(EVENT_FORGOTTEN, c->kind);
	EXPECT_INT(1, got_count[EVENT_FORGOTTEN]);
	EXPECT_INT(8, got[EVENT_FORGOTTEN][0].address);
	EXPECT(got[EVENT_FORGOTTEN][0].to == ADDRESS_LAST);
	EXPECT_INT(0, got[EVENT_FORGOTTEN][0].site);
	chunk_pool_give(&pool, c);
	chunk_pool_release(&pool);
}
