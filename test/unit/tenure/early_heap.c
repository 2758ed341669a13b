#include "tenure/early.h"

#include "support/tap.h"
#include "tenure/forecast.h"
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
	struct held held = {.share = {0}};
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

/* With thresholds as if no full one came: what these say is below. */
TEST(full_collections_find_all_that_died)
{
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < RUNS; i++) {
		struct young_heap h;
		struct law_set laws = any_laws(&r);
		begin(&h, &laws, &r);
		h.full_every = any(&r, 10, 24);
		h.apart = i % 2;
		EXPECT(share_found(&h) > 0.3);
		end(&h);
	}
}

/* No lever is moved, and nothing decays on the way. */
static struct snapshot learnt(struct young_heap *h)
{
	struct snapshot s;
	EXPECT_INT(0, snapshot_init(&s, learner_rows(h->learner)));
	learner_decay(h->learner);
	for (uint32_t i = 0; i < 10 * ROUND; i++)
		young_heap_cycle(h);
	learner_snapshot(h->learner, &s);
	learner_decay(h->learner);
	return s;
}

/* Of each collection's births: foretold for a bound, found, and what truly dies early under it, as
 * if those of full collections were as the others. */
struct dying {
	double foretold, found, truth;
};

static struct dying under_bound(struct young_heap *h, uint32_t most)
{
	struct snapshot s = learnt(h);
	const struct setting set = {.most = most};
	const struct fit fit = {.value = 1};
	const struct cost cost = COST_DEFAULT;
	struct forecast f = forecast_of(&s, snapshot_held(&s), &set, &fit, &cost);
	h->most = most;
	struct early all = all_rounds(h);
	double error, births = h->sum.allocated / (double)h->sum.collections;
	struct dying d = {.foretold = f.early.bytes / s.collections,
		.found = early_rate(&all, snapshot_held(&s), 1, &error),
		.truth = h->sum.early / (h->sum.allocated - h->sum.blind) * births};
	snapshot_release(&s);
	return d;
}

/*
 * What is young when a full collection comes has died young where that finds it dead: so it is
 * foretold for a bound, and so it is found. As if all had been old by the last copy before, 0.4 of
 * it were foretold with a full one in three collections, and with one in five 0.2 of it found.
 */
TEST(what_a_full_collection_finds_dead_came_to_it_young)
{
	struct rng r = rng_init(tap_seed());
	struct dying sum = {0, 0, 0};
	for (uint32_t i = 0; i < 2 * RUNS; i++) {
		struct young_heap h;
		struct law_set laws = any_laws(&r);
		begin(&h, &laws, &r);
		struct place_context at = young_heap_place(&h, 1, 0);
		learner_jump(h.learner, &at, h.jump[1] = false);
		h.most = h.threshold = h.reference;
		h.full_every = any(&r, 4, 12);
		h.apart = i % 2;
		struct dying d = under_bound(&h, i / 2 % 2);
		EXPECT_NEAR(d.truth, d.foretold, 0.2 * d.truth);
		EXPECT(d.found > 0.3 * d.truth && d.found < 1.05 * d.truth);
		sum.foretold += d.foretold;
		sum.truth += d.truth;
		end(&h);
	}
	EXPECT_NEAR(sum.truth, sum.foretold, 0.03 * sum.truth);
}
