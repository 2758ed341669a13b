#include "tenure/early.h"

#include "support/tap.h"
#include "young_heap.h"

/*
 * What a simulated heap's learner says dies early of each collection's births, against the heap
 * itself, which knows each object's birth: of the births that a look at all came to for the first
 * time while they might have been young, the bytes that this look and those behind it found dead.
 */
enum { RUNS = 12, WARM = 96, ROUNDS = 60, ROUND = 16 };

struct law_set {
	struct heap_law at[3];
};

static struct law_set any_laws(struct rng *r)
{
	double least = 3 * rng_unit(r), long_least = 5 * rng_unit(r);
	return (struct law_set){{
		{.share = 0.6, .size = 160, .part = {{1, 0, 0.3}}},
		{.share = 0.2, .size = 200, .part = {{1, least, 3 + 8 * rng_unit(r)}}},
		{.share = 0.2, .size = 200, .part = {{0.5, long_least, 12}, {0.5, 0, 40}}},
	}};
}

static uint32_t any(struct rng *r, uint32_t least, uint32_t most)
{
	return least + (uint32_t)(rng_unit(r) * (most - least + 1));
}

static void begin(struct young_heap *h, const struct law_set *laws, struct rng *r)
{
	young_heap_init(h, laws->at, 3, tap_seed());
	h->eden = 40000;
	h->most = h->threshold = any(r, 0, 2);
	h->reference = any(r, 5, 10);
	h->jump[1] = h->most > 0;
	EXPECT_INT(0, learner_init(&h->learner,
			      &(struct learner_rule){.slots = HEAP_SLOTS, .places = 64}));
	struct place_context at = young_heap_place(h, 1, 0);
	learner_jump(h->learner, &at, h->jump[1]);
}

static void end(struct young_heap *h)
{
	learner_free(h->learner);
	young_heap_release(h);
}

static struct early all_rounds(struct young_heap *h)
{
	struct snapshot s;
	struct early all = {.bytes = {0}};
	EXPECT_INT(0, snapshot_init(&s, learner_rows(h->learner)));
	for (uint32_t i = 1; i <= ROUND * ROUNDS; i++) {
		young_heap_cycle(h);
		if (i == WARM)
			h->sum = (struct heap_sums){0};
		if (i % ROUND)
			continue;
		learner_snapshot(h->learner, &s);
		learner_decay(h->learner);
		if (i > WARM)
			early_add(&all, &s.early);
	}
	snapshot_release(&s);
	return all;
}

/* The share of what truly dies early that is found. */
static double share_found(struct young_heap *h)
{
	struct early all = all_rounds(h);
	struct held held = {{0}};
	double error, births = (double)h->sum.births;
	held.share[h->reference] = 1;
	double rate = early_rate(&all, &held, 1, &error);
	EXPECT_NEAR(h->sum.found / births, rate, 1e-6 * rate);
	return rate / (h->sum.early / (double)h->sum.collections);
}

TEST(markings_find_what_died_until_they_began)
{
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < RUNS; i++) {
		struct young_heap h;
		struct law_set laws = any_laws(&r);
		begin(&h, &laws, &r);
		h.mark_every = any(&r, 10, 24);
		h.mark_takes = any(&r, 0, 9);
		h.mixed_until = any(&r, 0, 6);
		double share = share_found(&h);
		EXPECT(share > 0.15 && share < 1.05);
		end(&h);
	}
}

/* However long they take: what they find is what they would find at once. */
TEST(long_markings_find_as_much)
{
	double share[2];
	for (uint32_t i = 0; i < 2; i++) {
		struct rng r = rng_init(tap_seed());
		struct young_heap h;
		struct law_set laws = any_laws(&r);
		begin(&h, &laws, &r);
		h.mark_every = 12;
		h.mark_takes = 10 * i;
		share[i] = share_found(&h);
		end(&h);
	}
	EXPECT_NEAR(share[0], share[1], 0.1 * share[0]);
}

TEST(full_collections_find_all_that_died)
{
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < RUNS; i++) {
		struct young_heap h;
		struct law_set laws = any_laws(&r);
		begin(&h, &laws, &r);
		h.full_every = any(&r, 10, 24);
		h.apart = i % 2;
		double share = share_found(&h);
		EXPECT(share > 0.3 && share < 1.1);
		end(&h);
	}
}
