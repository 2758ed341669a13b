/* Against the geometric distribution itself. */
#include "exact/stride.h"

#include <math.h>

#include "support/tap.h"

enum { DRAWS = 400000 };

TEST(one_of_one_is_all)
{
	struct stride g;
	uint64_t state = 1;
	stride_init(&g, 1);
	for (int i = 0; i < 1000; i++)
		EXPECT_INT(1, stride_next(&g, &state));
}

/* P(gap > k) = (1 - 1/every)^k, within four standard errors, for k around each power of two. */
static void check(uint64_t every)
{
	static uint64_t gaps[DRAWS];
	struct stride g;
	uint64_t state = 42 + every, sum = 0;
	stride_init(&g, every);
	for (int i = 0; i < DRAWS; i++)
		sum += gaps[i] = stride_next(&g, &state);
	double mean = (double)sum / DRAWS, sd = (double)every / sqrt(DRAWS);
	EXPECT(fabs(mean - (double)every) < 4 * sd);
	for (uint64_t k = 1; k < 8 * every; k = k * 3 / 2 + 1) {
		double p = pow(1 - 1 / (double)every, (double)k), n = 0;
		for (int i = 0; i < DRAWS; i++)
			n += gaps[i] > k;
		EXPECT(fabs(n / DRAWS - p) < 4 * sqrt(p * (1 - p) / DRAWS) + 1.0 / DRAWS);
	}
}

TEST(as_chance_has_it)
{
	check(2);
	check(3);
	check(100);
	check(1000);
}

/* Neighbours don't know of each other. */
TEST(independent)
{
	struct stride g;
	uint64_t state = 7, before = 0, both = 0, ones = 0;
	stride_init(&g, 2);
	for (int i = 0; i < DRAWS; i++) {
		uint64_t one = stride_next(&g, &state) == 1;
		both += one && before;
		ones += one;
		before = one;
	}
	EXPECT(fabs((double)ones / DRAWS - 0.5) < 4 * 0.5 / sqrt(DRAWS));
	EXPECT(fabs((double)both / DRAWS - 0.25) < 4 * 0.5 / sqrt(DRAWS));
}

TEST(far_apart)
{
	struct stride g;
	uint64_t state = 9, sum = 0;
	stride_init(&g, 1000000000);
	for (int i = 0; i < 10000; i++)
		sum += stride_next(&g, &state);
	EXPECT(fabs((double)sum / 1e13 - 1) < 0.04);
}
