#include "tenure/worth.h"

#include <math.h>

#include "support/tap.h"

static const struct worth rule = {.least_gain = 0.1, .least_share = 0.005, .least_pause = 1e7};

/* Sixteen collections that took so much of each. */
static struct round round_of(uint64_t cpu, uint64_t pause, uint64_t copied, uint64_t process)
{
	struct round r;
	round_clear(&r);
	for (int i = 0; i < 16; i++) {
		struct round_collection c = {.allocated = 1 << 20,
			.survivors = copied,
			.pause = pause,
			.cpu = cpu,
			.cards = ROUND_UNKNOWN};
		round_add(&r, &c);
	}
	r.process_cpu = process;
	return r;
}

TEST(copying_matters_by_its_cpu_or_by_its_pauses)
{
	struct round r = round_of(1000000, 1000000, 0, 16 * 1000000 * 200ull);
	EXPECT(worth_looking(&rule, &r)); /* a two hundredth: the least */
	r = round_of(1000000, 1000000, 0, 16 * 1000000 * 201ull);
	EXPECT(!worth_looking(&rule, &r));
	r = round_of(1000000, 10000000, 0, 16 * 1000000 * 201ull);
	EXPECT(worth_looking(&rule, &r));
	r = round_of(ROUND_UNKNOWN, ROUND_UNKNOWN, 0, ROUND_UNKNOWN);
	EXPECT(worth_looking(&rule, &r));
	r = round_of(ROUND_UNKNOWN, 9999999, 0, 1000000);
	EXPECT(!worth_looking(&rule, &r));
}

TEST(a_gain_is_held_against_the_collectors_cpu)
{
	struct round r = round_of(1000, 0, 0, 1);
	struct snapshot s = {.collections = 4}; /* the collector took 4000 ns in its window */
	EXPECT(worth_gaining(&s, &r, 80, 0.02) && !worth_gaining(&s, &r, 79, 0.02));
	r = round_of(ROUND_UNKNOWN, 0, 0, 1);
	EXPECT(worth_gaining(&s, &r, 0, 0.02));
	r = round_of(1000, 0, 0, 1);
	s.collections = 0;
	EXPECT(worth_gaining(&s, &r, 0, 0.02));
}

TEST(jumps_must_save_a_hundredth_of_all)
{
	/* The collector takes a twentieth of it, so a fifth of what it takes. */
	struct round r = round_of(1000, 9999999, 0, 16 * 20000);
	EXPECT_NEAR(0.2, worth_jumping(&rule, &r), 1e-9);
	/* And a fiftieth of that, however long the pauses are and however much it takes. */
	r = round_of(1000, 10000000, 0, 16 * 20000);
	EXPECT_NEAR(0.02, worth_jumping(&rule, &r), 1e-9);
	r = round_of(1000, 0, 0, 16 * 1000);
	EXPECT_NEAR(0.02, worth_jumping(&rule, &r), 1e-9);
	r = round_of(1000, 0, 0, ROUND_UNKNOWN);
	EXPECT_NEAR(0.02, worth_jumping(&rule, &r), 1e-9);
	r = round_of(ROUND_UNKNOWN, 0, 0, 16 * 20000);
	EXPECT_NEAR(0.02, worth_jumping(&rule, &r), 1e-9);
}

TEST(a_tenth_of_the_cost_is_the_least)
{
	struct round r = round_of(1000, 10000000, 100, 1);
	struct snapshot s = {.collections = 16};
	struct forecast now = {.copied = {1600, 1}, .cost = 10000}, then = {.cost = 9000};
	EXPECT(worth_moving(&rule, &s, &r, &now, &then));
	then.cost = 9001;
	EXPECT(!worth_moving(&rule, &s, &r, &now, &then));
	now.cost = then.cost = 0;
	EXPECT(!worth_moving(&rule, &s, &r, &now, &then));
}

/* Where a heap is full, full collections are all that comes: nothing can be foretold of young ones.
 */
TEST(nothing_is_known_where_hardly_any_collection_is_young)
{
	struct round r = round_of(1000, 10000000, 100, 1);
	struct snapshot s = {.collections = 8};
	struct forecast now = {.copied = {1600, 1}, .cost = 10000}, then = {.cost = 1000};
	EXPECT(worth_knowing(&s, &r) && worth_moving(&rule, &s, &r, &now, &then));
	s.collections = 15;
	s.alone = 7.1;
	EXPECT(!worth_knowing(&s, &r) && !worth_moving(&rule, &s, &r, &now, &then));
	s.collections = 0;
	EXPECT(!worth_moving(&rule, &s, &r, &now, &then));
}

/* 1600 bytes were copied in the window, for half of the collector's CPU; all of it could go. */
/* What is left of 1600 bytes is 600, give or take. */
TEST(what_may_be_chance_is_no_gain)
{
	struct snapshot s = {.collections = 16};
	struct round r = round_of(1000, 10000000, 100, 1);
	struct forecast now = {.copied = {1600, 1}, .cost = 8000};
	struct forecast then = {.copied = {600, 1}, .cost = 3000, .error = 499};
	EXPECT(worth_moving(&rule, &s, &r, &now, &then));
	then.error = 501;
	EXPECT(!worth_moving(&rule, &s, &r, &now, &then));
}

TEST(what_is_not_copied_any_more_is_no_gain)
{
	struct snapshot s = {.collections = 16};
	struct forecast now = {.copied = {1600, 1}, .cost = 8000}, then = {.cost = 0};
	/* A 25th of it still is: 2 % of the CPU. Less is too little; more than all is all. */
	static const struct {
		uint64_t copied;
		bool worth;
	} cases[] = {{4, true}, {3, false}, {0, false}, {100, true}, {1000, true}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct round r = round_of(1000, 10000000, cases[i].copied, 1);
		EXPECT(worth_moving(&rule, &s, &r, &now, &then) == cases[i].worth);
	}
	struct round r = round_of(1000, 10000000, ROUND_UNKNOWN, 1);
	EXPECT(worth_moving(&rule, &s, &r, &now, &then));
	/* Nor what ends in the round. */
	r = round_of(1000, 10000000, 100, 1);
	for (uint32_t i = 12; i < 16; i++)
		r.collection[i].survivors = 3;
	EXPECT(!worth_moving(&rule, &s, &r, &now, &then));
	r.collection[15].survivors = 100;
	EXPECT(worth_moving(&rule, &s, &r, &now, &then));
}

TEST(rewriting_is_to_pay_by_the_time_the_process_is_twice_as_old)
{
	struct round r = {.count = 1, .process_cpu = 1000};
	r.collection[0].cpu = 100;
	EXPECT_NEAR(0, worth_rewriting(&r), 0); /* not known how old it is */
	r.process_age = 8000;
	r.compilers = 800;
	/* 400 are to be won in the next 8000: a twentieth of all, half of what the collector takes.
	 */
	EXPECT_NEAR(0.5, worth_rewriting(&r), 1e-12);
	r.process_age = 80000;
	EXPECT_NEAR(0.05, worth_rewriting(&r), 1e-12);
	r.compilers = 0;
	EXPECT_NEAR(0, worth_rewriting(&r), 0);
	r.process_cpu = ROUND_UNKNOWN;
	EXPECT_NEAR(0, worth_rewriting(&r), 0);
}
