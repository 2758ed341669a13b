#include "exact/residents.h"

#include <pthread.h>

#include "base/rng.h"
#include "support/tap.h"

enum { REGIONS = 20, THREADS = 3, EACH = 3000 };
#define BASE ((uintptr_t)0x7000000000)

static uint64_t sum_of(const struct resident *o)
{
	return o->address * 31 + o->site * 7 + o->survived;
}

/* All of a region, given back. */
static uint64_t empty(struct residents *r, size_t region, uint64_t *count)
{
	uint64_t sum = 0;
	for (struct resident_block *b = residents_detach(r, region), *next; b; b = next) {
		for (uint64_t i = 0; i < b->used; i++) {
			struct resident o = resident_unpack(r, b->at[i]);
			sum += sum_of(&o);
		}
		*count += b->used;
		next = b->next;
		residents_give(r, b);
	}
	return sum;
}

TEST(what_is_added_is_found)
{
	struct rng rng = rng_init(tap_seed());
	struct residents r;
	struct resident_pen pen = {{NULL}, {0}};
	uint64_t want[REGIONS] = {0}, count = 0;
	EXPECT_INT(0, residents_init(&r, 20000, REGIONS, BASE));
	for (int i = 0; i < 5000; i++) {
		size_t region = rng_below(&rng, REGIONS);
		struct resident o = {BASE + (rng_u64(&rng) >> (64 - RESIDENT_SPAN_BITS) & ~7ull),
			(uint32_t)rng_below(&rng, 1 << 20), (uint32_t)rng_below(&rng, 256)};
		EXPECT(residents_add(&r, &pen, region, &o));
		want[region] += sum_of(&o);
	}
	residents_rest(&r, &pen);
	EXPECT_INT(5000, residents_count(&r));
	for (size_t i = 0; i < REGIONS; i++)
		EXPECT(empty(&r, i, &count) == want[i]);
	EXPECT_INT(5000, count);
	EXPECT_INT(0, residents_count(&r));
	EXPECT_INT(0, slab_held(&r.blocks));
	residents_release(&r);
}

TEST(bounds)
{
	struct residents r;
	struct resident_pen pen = {{NULL}, {0}};
	struct resident o = {BASE, 1, 1};
	EXPECT_INT(0, residents_init(&r, RESIDENT_BLOCK, 2, BASE));
	EXPECT(!residents_add(&r, &pen, 2, &o));
	o.address = BASE - 8;
	EXPECT(!residents_add(&r, &pen, 0, &o));
	o.address = BASE + (1ull << RESIDENT_SPAN_BITS);
	EXPECT(!residents_add(&r, &pen, 0, &o));
	o.address -= 8;
	for (int i = 0; i < RESIDENT_BLOCK; i++)
		EXPECT(residents_add(&r, &pen, 0, &o));
	EXPECT(!residents_add(&r, &pen, 0, &o));
	EXPECT(!residents_add(&r, &pen, 1, &o));
	residents_rest(&r, &pen);
	EXPECT(!residents_add(&r, &pen, 1, &o));
	residents_clear(&r);
	EXPECT(residents_add(&r, &pen, 1, &o));
	EXPECT_INT(0, residents_count(&r)); /* in no list yet */
	residents_rest(&r, &pen);
	EXPECT_INT(1, residents_count(&r));
	EXPECT(residents_detach(&r, 2) == NULL);
	residents_release(&r);
}

/* Threads that are done leave no more than one block that has room. */
static void expect_full(const struct residents *r, size_t region)
{
	for (const struct resident_block *b = r->regions[region].first->next; b; b = b->next)
		EXPECT_INT(RESIDENT_BLOCK, b->used);
}

/* To two regions in turn that have the same place in a pen. */
static void *add_many(void *arg)
{
	struct residents *r = arg;
	struct resident_pen pen = {{NULL}, {0}};
	for (uint32_t i = 0; i < EACH; i++) {
		const struct resident o = {BASE + 8 * (uintptr_t)i, i, 3};
		residents_add(r, &pen, i % 2 ? 1 : RESIDENT_PEN_BLOCKS + 1, &o);
	}
	residents_rest(r, &pen);
	return NULL;
}

TEST(added_by_several_threads)
{
	struct residents r;
	pthread_t threads[THREADS];
	uint64_t want = 0, count = 0;
	EXPECT_INT(0, residents_init(&r, 20000, REGIONS, BASE));
	for (int i = 0; i < THREADS; i++)
		EXPECT_INT(0, pthread_create(&threads[i], NULL, add_many, &r));
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (uint32_t i = 0; i < EACH; i++) {
		const struct resident o = {BASE + 8 * (uintptr_t)i, i, 3};
		want += THREADS * sum_of(&o);
	}
	expect_full(&r, 1);
	expect_full(&r, RESIDENT_PEN_BLOCKS + 1);
	EXPECT(empty(&r, 1, &count) + empty(&r, RESIDENT_PEN_BLOCKS + 1, &count) == want);
	EXPECT_INT(THREADS * EACH, count);
	residents_release(&r);
}

/* Both are open at a time: what the second has goes where the first has left room. */
TEST(two_pens_fill_one_block)
{
	struct residents r;
	struct resident_pen pens[2] = {{{NULL}, {0}}, {{NULL}, {0}}};
	uint64_t want = 0, count = 0;
	EXPECT_INT(0, residents_init(&r, 20000, REGIONS, BASE));
	for (uint32_t i = 0; i < RESIDENT_BLOCK + 10; i++) {
		const struct resident o = {BASE + 8 * (uintptr_t)i, i, 3};
		EXPECT(residents_add(&r, &pens[i % 2], 0, &o));
		want += sum_of(&o);
	}
	residents_rest(&r, &pens[0]);
	residents_rest(&r, &pens[1]);
	EXPECT_INT(2, slab_held(&r.blocks));
	expect_full(&r, 0);
	EXPECT(empty(&r, 0, &count) == want);
	EXPECT_INT(RESIDENT_BLOCK + 10, count);
	residents_release(&r);
}

/* Takes blocks of a list that others take of too. */
struct taker {
	struct residents *residents;
	struct resident_list *list;
	uint64_t sum, count;
};

static void *take_some(void *arg)
{
	struct taker *t = arg;
	struct resident_block *b;
	while ((b = resident_list_take(t->list)) != NULL) {
		for (uint64_t i = 0; i < b->used; i++) {
			struct resident o = resident_unpack(t->residents, b->at[i]);
			t->sum += sum_of(&o);
		}
		t->count += b->used;
		residents_give(t->residents, b);
	}
	return NULL;
}

TEST(several_threads_take_each_block_once)
{
	enum { MANY = 100 * EACH };
	struct residents r;
	struct resident_pen pen = {{NULL}, {0}};
	struct resident_list list = {.first = NULL};
	struct taker takers[THREADS];
	pthread_t threads[THREADS];
	uint64_t want = 0, sum = 0, count = 0;
	EXPECT_INT(0, residents_init(&r, MANY, REGIONS, BASE));
	for (uint32_t i = 0; i < MANY; i++) {
		const struct resident o = {BASE + 8 * (uintptr_t)i, i, 3};
		EXPECT(residents_add(&r, &pen, 0, &o));
		want += sum_of(&o);
	}
	residents_rest(&r, &pen);
	list.first = residents_detach(&r, 0);
	for (int i = 0; i < THREADS; i++) {
		takers[i] = (struct taker){&r, &list, 0, 0};
		EXPECT_INT(0, pthread_create(&threads[i], NULL, take_some, &takers[i]));
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		sum += takers[i].sum;
		count += takers[i].count;
	}
	EXPECT(sum == want);
	EXPECT_INT(MANY, count);
	EXPECT_INT(0, slab_held(&r.blocks));
	residents_release(&r);
}
