#include "stat/trend.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "stat/special.h"
#include "support/tap.h"

enum { MOST = 200 };

static struct trend trend_of(const struct trend_point *points, size_t count)
{
	struct trend s;
	EXPECT_INT(0, trend_find(&s, points, count));
	return s;
}

TEST(a_line_is_found_exactly)
{
	struct trend_point points[20];
	for (size_t i = 0; i < 20; i++)
		points[i] =
			(struct trend_point){(double)(i * i % 17), 3 + 2 * (double)(i * i % 17)};
	struct trend s = trend_of(points, 20);
	EXPECT_NEAR(2, s.value, 1e-9);
	EXPECT_NEAR(2, s.lo, 1e-9);
	EXPECT_NEAR(2, s.hi, 1e-9);
	EXPECT_NEAR(3, s.at_zero, 1e-9);
}

TEST(too_few_points_and_equal_ones_say_nothing)
{
	struct trend_point points[20];
	for (size_t i = 0; i < 20; i++)
		points[i] = (struct trend_point){7, (double)i};
	EXPECT(isnan(trend_of(points, 20).value));
	EXPECT(isnan(trend_of(points, TREND_LEAST - 1).value));
	EXPECT(isnan(trend_of(points, 0).lo));
}

/* A quarter of the points is anywhere: the line stays. */
TEST(far_off_points_do_not_move_it)
{
	struct rng r = rng_init(tap_seed());
	struct trend_point points[MOST];
	for (size_t i = 0; i < MOST; i++) {
		double x = rng_unit(&r) * 10;
		points[i] = (struct trend_point){
			x, i % 4 ? 5 + 2 * x + 0.1 * rng_unit(&r) : 1000 * rng_unit(&r)};
	}
	struct trend s = trend_of(points, MOST);
	EXPECT(s.lo <= 2.1 && s.hi >= 1.9);
	EXPECT_NEAR(2, s.value, 0.5);
}

/* By the definition: of all pairs the slope that as many are above as below. */
TEST(it_is_the_median_of_all_pairs)
{
	struct rng r = rng_init(tap_seed());
	for (int run = 0; run < 50; run++) {
		struct trend_point points[40];
		size_t n = TREND_LEAST + rng_below(&r, 30), above = 0, below = 0, pairs = 0;
		for (size_t i = 0; i < n; i++)
			points[i] =
				(struct trend_point){(double)rng_below(&r, 12), rng_unit(&r) * 100};
		struct trend s = trend_of(points, n);
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; k < i; k++) {
				double dx = points[i].x - points[k].x;
				if (!(dx < 0 || dx > 0))
					continue;
				double one = (points[i].y - points[k].y) / dx;
				pairs++;
				above += one > s.value + 1e-9;
				below += one < s.value - 1e-9;
			}
		EXPECT(above <= pairs / 2 && below <= pairs / 2);
		EXPECT(s.lo <= s.value && s.value <= s.hi);
	}
}

/* 2000 samples of a noisy line: the standard error of the share is 0.5 %. Noise that has no
 * variance (Cauchy) too. */
TEST(intervals_cover_the_slope)
{
	enum { RUNS = 2000 };
	struct rng r = rng_init(tap_seed());
	for (int heavy = 0; heavy < 2; heavy++) {
		int in = 0;
		for (int run = 0; run < RUNS; run++) {
			struct trend_point points[MOST];
			size_t n = run % 2 ? 12 : 40;
			for (size_t i = 0; i < n; i++) {
				double u = 1e-9 + (1 - 2e-9) * rng_unit(&r), x = rng_unit(&r);
				double e = heavy ? tan(3.14159265 * (u - 0.5)) : normal_quantile(u);
				points[i] = (struct trend_point){x, 1 + 4 * x + e};
			}
			struct trend s = trend_of(points, n);
			in += s.lo <= 4 && 4 <= s.hi;
		}
		EXPECT(in > 0.93 * RUNS && in < 0.99 * RUNS);
	}
}

/* More points than are paired: spread over all of them. */
TEST(many_points_are_thinned_evenly)
{
	enum { COUNT = 3 * TREND_MOST + 7 };
	struct trend_point *points = mem_zalloc(COUNT, sizeof(*points));
	for (size_t i = 0; points && i < COUNT; i++)
		points[i] = (struct trend_point){(double)i, 10 - 0.5 * (double)i};
	struct trend s = trend_of(points, COUNT);
	EXPECT_NEAR(-0.5, s.value, 1e-9);
	EXPECT_NEAR(10, s.at_zero, 1e-6);
	mem_free(points);
}

TEST(out_of_memory_is_told)
{
	struct trend_point points[20];
	for (size_t i = 0; i < 20; i++)
		points[i] = (struct trend_point){(double)i, (double)i};
	struct trend s;
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n++) {
		mem_fail_at(n);
		err = trend_find(&s, points, 20);
		mem_fail_at(0);
		EXPECT(!err || err == ERR_NOMEM);
	}
	EXPECT_NEAR(1, s.value, 1e-9);
}
