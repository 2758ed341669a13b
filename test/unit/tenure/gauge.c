#include "tenure/gauge.h"

#include <math.h>

#include "base/rng.h"
#include "support/tap.h"

static double gauss(struct rng *r)
{
	return sqrt(-2 * log(1 - rng_unit(r))) * cos(6.283185307179586 * rng_unit(r));
}

static struct gauge drawn(struct rng *r, uint32_t count, double mean, double sway)
{
	struct gauge g = {0};
	for (uint32_t i = 0; i < count; i++)
		gauge_add(&g, mean * (1 + sway * gauss(r)));
	return g;
}

TEST(the_median_counts)
{
	struct gauge g = {0};
	EXPECT(isnan(gauge_median(&g)));
	gauge_add(&g, 3);
	gauge_add(&g, 1);
	gauge_add(&g, (double)NAN);
	EXPECT_NEAR(2, gauge_median(&g), 0);
	gauge_add(&g, 1e9);
	EXPECT_NEAR(3, gauge_median(&g), 0);
	gauge_clear(&g);
	for (int i = 0; i < 100; i++)
		gauge_add(&g, i);
	EXPECT_INT(GAUGE_GROUPS, g.count);
	EXPECT_NEAR(99 - (GAUGE_GROUPS - 1) / 2.0, gauge_median(&g), 0);
}

/* The error, against the spread of medians drawn anew. */
TEST(its_error_is_that_of_the_median)
{
	struct rng r = rng_init(tap_seed());
	double sum = 0, square = 0, error = 0;
	for (int i = 0; i < 4000; i++) {
		struct gauge g = drawn(&r, 24, 100, 0.1);
		double median = gauge_median(&g);
		sum += median / 4000;
		square += median * median / 4000;
		error += gauge_error(&g) / 4000;
	}
	double spread = sqrt(square - sum * sum);
	EXPECT_NEAR(spread, error, 0.15 * spread);
}

/* How often the same is called worse, and how often 20 % more is. */
TEST(noise_is_not_worse_and_much_is)
{
	struct rng r = rng_init(tap_seed());
	int same = 0, much = 0;
	for (int i = 0; i < 4000; i++) {
		struct gauge was = drawn(&r, 16, 100, 0.05), is = drawn(&r, 8, 100, 0.05);
		struct gauge more = drawn(&r, 8, 120, 0.05);
		same += gauge_worse(&was, &is, 0.05);
		much += gauge_worse(&was, &more, 0.05);
	}
	EXPECT(same < 40);
	EXPECT(much > 3800);
}

TEST(an_outlier_is_not_worse)
{
	struct gauge was = {0}, is = {0};
	for (int i = 0; i < 8; i++) {
		gauge_add(&was, 100 + i % 3);
		gauge_add(&is, i == 4 ? 5000 : 100 + i % 3);
	}
	EXPECT(!gauge_worse(&was, &is, 0.05));
}

/* A rate that sways between two levels, some groups on each: every round is on one of them. */
static struct gauge swaying(struct rng *r, uint32_t rounds, double high)
{
	struct gauge g = {0};
	for (uint32_t i = 0; i < rounds; i++) {
		double level = i % 3 == 2 ? high : 100;
		for (int k = 0; k < 4; k++)
			gauge_add(&g, level * (1 + 0.03 * gauss(r)));
	}
	return g;
}

TEST(swaying_is_worse_but_not_departed)
{
	struct rng r = rng_init(tap_seed());
	int worse = 0, departed = 0, more = 0;
	for (int i = 0; i < 1000; i++) {
		struct gauge was = swaying(&r, 6, 170), high = drawn(&r, 4, 170, 0.03);
		struct gauge above = drawn(&r, 4, 230, 0.03);
		worse += gauge_worse(&was, &high, 0.1);
		departed += gauge_departed(&was, &high, 0.1);
		more += gauge_departed(&was, &above, 0.1);
	}
	EXPECT(worse > 900);
	EXPECT(departed < 10);
	EXPECT(more > 950);
}

TEST(a_steady_rate_departs_soon)
{
	struct rng r = rng_init(tap_seed());
	struct gauge was = drawn(&r, 8, 100, 0.03), few = drawn(&r, 7, 100, 0.03);
	struct gauge now = drawn(&r, 4, 150, 0.03), same = drawn(&r, 4, 100, 0.03);
	EXPECT(gauge_departed(&was, &now, 0.1));
	EXPECT(!gauge_departed(&was, &same, 0.1));
	EXPECT(!gauge_departed(&few, &now, 0.1));
}

TEST(means)
{
	struct gauge g = {0};
	EXPECT(isnan(gauge_mean(&g)));
	gauge_add(&g, 1);
	EXPECT_NEAR(0, gauge_mean_error(&g), 0);
	gauge_add(&g, 2);
	gauge_add(&g, 6);
	EXPECT_NEAR(3, gauge_mean(&g), 1e-12);
	EXPECT_NEAR(sqrt(14 / 2.0 / 3), gauge_mean_error(&g), 1e-12);
}

TEST(little_says_nothing)
{
	struct gauge was = {0}, is = {0};
	gauge_add(&was, 1);
	gauge_add(&was, 1);
	for (int i = 0; i < 8; i++)
		gauge_add(&is, 100);
	EXPECT(!gauge_worse(&was, &is, 0.05));
	gauge_add(&was, 1);
	EXPECT(gauge_worse(&was, &is, 0.05));
}
