#include "base/rng.h"

#include "support/tap.h"

TEST(same_seed_same_numbers)
{
	struct rng a = rng_init(7), b = rng_init(7), c = rng_init(8);
	uint64_t first = rng_u64(&a);
	EXPECT(first == rng_u64(&b));
	EXPECT(first != rng_u64(&c));
}

TEST(below_is_uniform)
{
	struct rng r = rng_init(tap_seed());
	int seen[10] = {0};
	for (int i = 0; i < 100000; i++)
		seen[rng_below(&r, 10)]++;
	for (int i = 0; i < 10; i++)
		EXPECT_NEAR(10000, seen[i], 500); /* 5 standard deviations */
}

TEST(unit_is_in_range)
{
	struct rng r = rng_init(tap_seed());
	double sum = 0;
	for (int i = 0; i < 100000; i++) {
		double u = rng_unit(&r);
		EXPECT(u >= 0 && u < 1);
		sum += u;
	}
	EXPECT_NEAR(0.5, sum / 100000, 0.005);
}
