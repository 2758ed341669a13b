#include "agent/thinning.h"

#include <math.h>

#include "base/rng.h"
#include "support/tap.h"

#define SECOND 1000000000ull

TEST(nothing_before_a_second)
{
	struct thinning t;
	thinning_init(&t, 10, 60, (struct ns){5});
	EXPECT(!thinning_update(&t, (struct ns){5 + SECOND - 1}, 1000000, 1000000));
	EXPECT_INT(0, t.walk_shift);
	EXPECT(thinning_update(&t, (struct ns){5 + SECOND}, 1000000, 1000000));
	EXPECT(t.walk_shift > 0);
}

/* Windows of one second at a steady rate; `shift` of the walked ones are walked in each. */
static void steady(struct thinning *t, uint64_t rate, int seconds)
{
	uint64_t now = t->window_start.v, samples = t->samples_then, walked = t->walked_then;
	for (int i = 0; i < seconds; i++) {
		now += SECOND;
		samples += rate;
		walked += rate >> t->walk_shift;
		thinning_update(t, (struct ns){now}, samples, walked);
	}
}

TEST(the_smallest_shift_under_the_bound)
{
	static const struct {
		uint64_t rate;
		uint32_t shift;
	} rows[] = {{0, 0}, {1000, 0}, {1001, 1}, {2000, 1}, {2001, 2}, {64000, 6}, {1 << 20, 11}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct thinning t;
		thinning_init(&t, 1000, 0, (struct ns){0});
		steady(&t, rows[i].rate, 3);
		EXPECT_INT(rows[i].shift, t.walk_shift);
		EXPECT_INT(0, t.track_shift);
	}
}

TEST(no_bounds_no_thinning)
{
	struct thinning t;
	thinning_init(&t, 0, 0, (struct ns){0});
	steady(&t, 1ull << 40, 5);
	EXPECT_INT(0, t.walk_shift);
	EXPECT_INT(0, t.track_shift);
}

/* Just above a bound and just under it by turns: the sieve stays where it is. */
TEST(no_flutter)
{
	struct thinning t;
	int changes = 0;
	uint64_t samples = 0;
	thinning_init(&t, 1000, 0, (struct ns){0});
	for (uint64_t i = 1; i <= 40; i++) {
		samples += i % 2 ? 1050 : 950;
		changes += thinning_update(&t, (struct ns){i * SECOND}, samples, samples);
	}
	EXPECT_INT(1, changes);
	EXPECT_INT(1, t.walk_shift);
	steady(&t, 500, 1);
	EXPECT_INT(0, t.walk_shift);
}

/* All within one window. Returns the walks. */
static uint64_t burst(struct rng *r, struct thinning *t, uint64_t samples, double *total)
{
	uint64_t walked = 0;
	*total = 0;
	for (uint64_t i = 1; i <= samples; i++) {
		if (rng_below(r, 1ull << t->walk_shift))
			continue;
		*total += (double)(1ull << t->walk_shift);
		walked++;
		if (thinning_walk(t))
			EXPECT(thinning_close(t, (struct ns){SECOND - 1}, i, walked));
	}
	return walked;
}

/*
 * A burst in the first second: walks grow with its logarithm, and the weights still estimate it.
 * Under a shift of s each sample adds 2^s - 1 to the variance; 2 n 2^(final shift) bounds the sum.
 */
TEST(a_burst_within_a_window)
{
	enum { SAMPLES = 1 << 17, BOUND = 100, RUNS = 100 };
	struct rng r = rng_init(tap_seed());
	double difference = 0, variance = 0;
	for (int run = 0; run < RUNS; run++) {
		struct thinning t;
		double total;
		thinning_init(&t, BOUND, 0, (struct ns){0});
		uint64_t walked = burst(&r, &t, SAMPLES, &total);
		EXPECT(walked >= 8 * BOUND && walked <= 14 * BOUND);
		difference += total - SAMPLES;
		variance += (double)SAMPLES * (double)(1ull << t.walk_shift);
	}
	EXPECT_NEAR(0, difference / sqrt(variance), 5);
}

TEST(no_bound_is_never_met)
{
	struct thinning t;
	thinning_init(&t, 0, 0, (struct ns){0});
	for (int i = 0; i < 100000; i++)
		EXPECT(!thinning_walk(&t));
}

/* The tick is late: what a second and more has brought is no burst. */
TEST(a_window_that_is_over_ends)
{
	struct thinning t;
	thinning_init(&t, 100, 0, (struct ns){0});
	EXPECT(!thinning_close(&t, (struct ns){2 * SECOND}, 100, 100));
	EXPECT_INT(0, t.walk_shift);
	EXPECT_INT(2 * SECOND, t.window_start.v);
	EXPECT(thinning_close(&t, (struct ns){3 * SECOND - 1}, 200, 200));
	EXPECT_INT(1, t.walk_shift);
	for (uint64_t i = 0; i < 40; i++)
		thinning_close(&t, (struct ns){3 * SECOND - 1}, 200, 200);
	EXPECT_INT(30, t.walk_shift);
}

/* A short run is followed whole: the first tracks are free; then the bound a minute holds. */
TEST(free_start)
{
	struct thinning t;
	thinning_init(&t, 0, 6000, (struct ns){0});
	steady(&t, 500, 5);
	EXPECT_INT(0, t.track_shift);
	EXPECT_INT(3500, t.free_tracks);
	steady(&t, 500, 60);
	EXPECT_INT(3, t.track_shift); /* 500/s down to at most 100/s */
	EXPECT_INT(0, t.free_tracks);
}

TEST(a_slow_program_is_followed_whole_for_ever)
{
	struct thinning t;
	thinning_init(&t, 0, 6000, (struct ns){0});
	steady(&t, 100, 1000);
	EXPECT_INT(0, t.track_shift);
}

/* Long windows (a stopped machine) count as the time that they were. */
TEST(rates_are_by_the_time_that_passed)
{
	struct thinning t;
	thinning_init(&t, 1000, 0, (struct ns){0});
	EXPECT(!thinning_update(&t, (struct ns){100 * SECOND}, 100000, 100000));
	EXPECT_INT(0, t.walk_shift);
}

/* Samples of one window by one program whose rate jumps about. Returns the estimate of their
 * number. */
static double estimate(struct rng *r, struct thinning *t, uint64_t *truth, double *variance)
{
	uint64_t now = 0, walked = 0;
	double total = 0;
	*truth = 0;
	*variance = 0;
	for (int window = 0; window < 30; window++) {
		uint64_t n = rng_below(r, 4) ? rng_below(r, 40) : rng_below(r, 800);
		for (uint64_t i = 0; i < n; i++) {
			double weight = (double)(1ull << (t->walk_shift + t->track_shift));
			bool walk = rng_below(r, 1ull << t->walk_shift) == 0;
			++*truth;
			walked += walk;
			*variance += weight - 1;
			if (walk && rng_below(r, 1ull << t->track_shift) == 0)
				total += weight;
			if (walk && thinning_walk(t))
				thinning_close(t, (struct ns){now}, *truth, walked);
		}
		now += SECOND + rng_below(r, SECOND);
		thinning_share(t, rng_unit(r));
		thinning_update(t, (struct ns){now}, *truth, walked);
	}
	return total;
}

/* A bound that is raised, or goes, opens the sieve at once; a lower one holds within the window. */
TEST(a_higher_bound_opens_at_once)
{
	static const struct {
		uint64_t bound;
		uint32_t shift;
	} rows[] = {{1000, 4}, {1999, 4}, {2000, 3}, {4000, 2}, {7999, 2}, {8000, 1}, {100000, 0},
		{0, 0}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct thinning t;
		thinning_init(&t, 1000, 0, (struct ns){0});
		steady(&t, 16000, 2);
		EXPECT_INT(4, t.walk_shift);
		thinning_bound(&t, rows[i].bound);
		EXPECT_INT(rows[i].shift, t.walk_shift);
		EXPECT(t.walks_per_second == rows[i].bound);
	}
}

TEST(a_lower_bound_holds_within_the_window)
{
	struct thinning t;
	thinning_init(&t, 1000, 0, (struct ns){0});
	for (int i = 0; i < 500; i++)
		EXPECT(!thinning_walk(&t));
	thinning_bound(&t, 20);
	for (int i = 1; i <= 20; i++)
		EXPECT_INT(i == 20, thinning_walk(&t));
	EXPECT(thinning_close(&t, (struct ns){SECOND - 1}, 520, 520));
	EXPECT_INT(1, t.walk_shift);
}

/* What gets a part of a core may spend that part: of the windows to come, and within them. */
TEST(the_bound_is_of_the_core_that_the_program_gets)
{
	static const struct {
		double share;
		uint64_t allowed;
	} rows[] = {
		{1, 1000}, {0.5, 500}, {0.2, 200}, {0.125, 125}, {0.01, 125}, {0, 125}, {7, 1000}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct thinning t;
		thinning_init(&t, 1000, 0, (struct ns){0});
		thinning_share(&t, rows[i].share);
		EXPECT_INT(1000, t.walks_allowed);
		steady(&t, 1, 1);
		EXPECT_INT(rows[i].allowed, t.walks_allowed);
		steady(&t, rows[i].allowed, 2);
		EXPECT_INT(0, t.walk_shift);
		for (uint64_t k = 1; k <= rows[i].allowed; k++)
			EXPECT_INT(k == rows[i].allowed, thinning_walk(&t));
		steady(&t, 4 * rows[i].allowed, 2);
		EXPECT_INT(2, t.walk_shift);
	}
}

TEST(a_part_of_a_bound_is_a_bound)
{
	struct thinning none, one;
	thinning_init(&none, 0, 0, (struct ns){0});
	thinning_init(&one, 1, 0, (struct ns){0});
	thinning_share(&none, 0.2);
	thinning_share(&one, 0.2);
	steady(&none, 1 << 20, 2);
	steady(&one, 16, 2);
	EXPECT_INT(0, none.walk_shift);
	EXPECT_INT(4, one.walk_shift);
	thinning_bound(&none, 1000);
	EXPECT_INT(200, none.walks_allowed);
	thinning_bound(&one, 0);
	EXPECT_INT(0, one.walks_allowed);
}

/*
 * Horvitz-Thompson over many runs: the sum of weights hits the true totals. Given the shifts,
 * the variance of a run is known; their sum bounds the distance at five standard deviations.
 */
TEST(unbiased)
{
	struct rng r = rng_init(tap_seed());
	double difference = 0, variance = 0;
	for (int run = 0; run < 1500; run++) {
		struct thinning t;
		uint64_t truth;
		double v;
		thinning_init(&t, 30, 300, (struct ns){0});
		double total = estimate(&r, &t, &truth, &v);
		difference += total - (double)truth;
		variance += v;
	}
	EXPECT(variance > 1e5); /* there was something to get wrong */
	EXPECT_NEAR(0, difference / sqrt(variance), 5);
}
