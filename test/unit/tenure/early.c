#include "tenure/early.h"

#include <math.h>

#include "base/rng.h"
#include "support/tap.h"

static const struct held no_bound = {.share[THRESHOLD_MOST] = 1};

TEST(nothing_is_known_before_it_was_looked_at)
{
	double error;
	struct early e = {.bytes = {0}};
	early_death(&e, 3, 100);
	EXPECT(isnan(early_rate(&e, &no_bound, 1, &error)) && isnan(error));
}

/* Births of four collections, of which the last is too young; two samples of 100 bytes died. */
TEST(deaths_for_each_collections_births)
{
	double error;
	struct early e = {.bytes = {0}};
	early_look(&e, 4);
	early_death(&e, 2, 100);
	early_death(&e, 4, 100);
	early_death(&e, 0, 1e9);  /* was never old */
	early_death(&e, 1, 1e9);  /* just promoted */
	early_death(&e, 16, 1e9); /* old by any threshold */
	early_death(&e, 11, 1e9); /* rightly old */
	EXPECT_NEAR(200.0 / 3, early_rate(&e, &no_bound, 1, &error), 1e-9);
	EXPECT_NEAR(100 * sqrt(2) / 3, error, 1e-9);
	/* Those of long ago were looked at for the first time, but are not young. */
	early_look(&e, 1000);
	EXPECT_NEAR(200.0 / 12, early_rate(&e, &no_bound, 1, &error), 1e-9);
}

/* Where half the collections had a threshold of 2, and half of 4: of the former age 2 would have
 * been young, of the latter 3 and 4 too, and none after. */
TEST(what_would_be_old_anyway_does_not_count)
{
	double error;
	struct early e = {.bytes = {0}};
	struct held held = {.share = {[2] = 0.25, [4] = 0.25}};
	early_look(&e, 20);
	for (uint64_t age = 1; age < 16; age++)
		early_death(&e, age, 100 * (double)age);
	EXPECT_NEAR((200 + (200 + 300 + 400) / 3.0) / 2, early_rate(&e, &held, 1, &error), 1e-9);
	double two = 200 * (1 + 1 / 3.0) / 2, three = 300 / 6.0, four = 400 / 6.0;
	EXPECT_NEAR(sqrt(two * two + three * three + four * four), error, 1e-9);
	EXPECT_NEAR(600, early_rate(&e, &(struct held){.share = {0}}, 1, &error), 1e-9);
}

/* What was young when a full collection came would have died young one age longer; a bound that
 * promotes it before that leaves nothing to be found young. */
TEST(who_comes_to_a_full_collection_young_may_die_there)
{
	double error;
	struct early e = {.bytes = {0}};
	struct held held = {.share = {[2] = 0.5, [3] = 0.5}, .full = {[2] = 0.5, [3] = 0.25}};
	struct held bounds[] = {
		held_until(&held, THRESHOLD_MOST), held_until(&held, 3), held_until(&held, 2)};
	EXPECT_NEAR(0.75, bounds[0].share[3], 1e-12);
	EXPECT_NEAR(0.25, bounds[0].share[4], 1e-12);
	EXPECT_NEAR(1, bounds[1].share[3], 1e-12);
	EXPECT_NEAR(1, bounds[2].share[2], 1e-12);
	early_look(&e, 20);
	for (uint64_t age = 2; age < 16; age++)
		early_death(&e, age, 100 * (double)age);
	EXPECT_NEAR(0.75 * 500 / 2 + 0.25 * 900 / 3, early_rate(&e, &held, 1, &error), 1e-9);
	held = (struct held){.share[1] = 1};
	EXPECT_NEAR(0, early_known(&e, &held, 1), 1e-12);
	held.full[1] = 0.25;
	EXPECT_NEAR(0.25, early_known(&e, &held, 1), 1e-12);
}

/* Survivor spaces that are short of room have a threshold of 1, and once in a while, when they were
 * nearly empty, of 15: what dies at ages from 2 on was old for most. */
TEST(a_threshold_that_few_had_counts_for_few)
{
	double error;
	struct early e = {.bytes = {0}};
	struct held held = {.share = {[1] = 15, [THRESHOLD_MOST] = 1}};
	early_look(&e, 20);
	for (uint64_t age = 2; age <= 10; age++)
		early_death(&e, age, 900);
	EXPECT_NEAR(900 / 16.0, early_rate(&e, &held, 1, &error), 1e-9);
	EXPECT_NEAR(900 / 16.0 / 3, error, 1e-9);
}

/* Collections come half as often: what survived two now would have survived four. */
TEST(ages_count_for_more_in_a_larger_eden)
{
	double error;
	struct early e = {.bytes = {0}};
	struct held held = {.share[6] = 1};
	early_look(&e, 20);
	for (uint64_t age = 1; age < 16; age++)
		early_death(&e, age, 100 * (double)age);
	EXPECT_NEAR((200 + 300) / 2.0, early_rate(&e, &held, 2, &error), 1e-9);
	EXPECT_NEAR(200, early_rate(&e, &held, 2.5, &error), 1e-9);
	EXPECT(isnan(early_rate(&e, &held, 3.1, &error)));
	EXPECT_NEAR(
		(200 + 300) / 2.0, early_rate(&e, &(struct held){.share = {0}}, 3, &error), 1e-9);
}

TEST(sums_and_decay)
{
	double error;
	struct early e = {.bytes = {0}}, more = {.bytes = {0}};
	early_look(&e, 3);
	early_look(&more, 3);
	early_death(&more, 2, 100);
	early_decay(&e, 0.5);
	early_add(&e, &more);
	EXPECT_NEAR(100 / 3.0, early_rate(&e, &no_bound, 1, &error), 1e-9);
	EXPECT_NEAR(100 / 3.0, error, 1e-9);
}

/* Looks in two rounds of five, each of which finds each of 100 dead with a chance of a tenth. */
static double rate_by_chance(struct rng *r, double *error)
{
	struct early e = {.bytes = {0}};
	for (int round = 0; round < 5; round++) {
		early_decay(&e, 0.5);
		if (round % 2 || round == 4)
			continue;
		early_look(&e, 10);
		for (int i = 0; i < 100; i++)
			if (rng_unit(r) < 0.1)
				early_death(&e, 2 + (uint64_t)i % 9, 1000);
	}
	return early_rate(&e, &no_bound, 1, error);
}

/* Rounds after a look make neither it nor its error another. */
TEST(the_error_is_how_far_chance_brings_it)
{
	enum { RUNS = 4000 };
	struct rng r = rng_init(tap_seed());
	double sum = 0, squares = 0, errors = 0;
	for (int i = 0; i < RUNS; i++) {
		double error, rate = rate_by_chance(&r, &error);
		sum += rate / RUNS;
		squares += rate * rate / RUNS;
		errors += error * error / RUNS;
	}
	double sway = sqrt(squares - sum * sum);
	EXPECT_NEAR(100 * 0.1 * 1000 / 9, sum, 0.02 * sum);
	EXPECT_NEAR(sway, sqrt(errors), 0.1 * sway); /* a binomial sways by a 20th less */
}

/* A threshold of 1 leaves nothing young that is looked at. */
TEST(thresholds_tell_of_what_they_leave_young)
{
	struct early e = {.bytes = {0}};
	const struct held held = {.share = {[1] = 3, [2] = 1, [6] = 4}};
	EXPECT_NEAR(0, early_known(&e, &held, 1), 1e-9);
	early_look(&e, 4);
	EXPECT_NEAR(5 / 8.0, early_known(&e, &held, 1), 1e-9);
	EXPECT_NEAR(4 / 8.0, early_known(&e, &held, 2), 1e-9);
	EXPECT_NEAR(0, early_known(&e, &held, 4), 1e-9);
	EXPECT_NEAR(1, early_known(&e, &(struct held){.share = {0}}, 4), 1e-9);
}
