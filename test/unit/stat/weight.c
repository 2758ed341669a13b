#include "stat/weight.h"

#include <math.h>

#include "base/rng.h"
#include "support/tap.h"

TEST(limits)
{
	EXPECT_NEAR(1, weight_poisson(1, 0), 0);
	EXPECT_NEAR(1, weight_poisson(1, 1), 0);
	EXPECT_NEAR(1, weight_poisson(UINT64_MAX, 1 << 19), 0);
	/* For s << I: I / s + 1/2, where 1 - exp would lose all digits. */
	EXPECT_NEAR(0x1p40 + 0.5, weight_poisson(1, 1ull << 40), 1e-3);
	EXPECT_NEAR(weight_poisson(1, 99), weight_poisson(0, 99), 0);
	EXPECT_NEAR(1 / (1 - exp(-1)), weight_poisson(512, 512), 1e-12);
	EXPECT_NEAR(512 / (1 - exp(-1)), weight_bytes(512, 512), 1e-9);
}

TEST(a_weight_is_at_least_one_and_falls_with_size)
{
	for (uint64_t s = 1; s < 1ull << 40; s = s * 3 / 2 + 1) {
		EXPECT(weight_valid(weight_poisson(s, 524288)));
		EXPECT(weight_poisson(s, 524288) >= weight_poisson(s + 1, 524288));
	}
	EXPECT(!weight_valid(0.99) && !weight_valid((double)NAN) && !weight_valid(HUGE_VAL) &&
		!weight_valid(0x1p53));
}

/* Against the process itself: points on a line of bytes, an object is hit when a point falls in it.
 */
TEST(agrees_with_the_process)
{
	struct rng r = rng_init(tap_seed());
	const uint64_t interval = 1000, sizes[] = {16, 200, 1000, 5000};
	for (int k = 0; k < 4; k++) {
		double next = -log(1 - rng_unit(&r)) * (double)interval, at = 0;
		int hits = 0, objects = 200000;
		for (int i = 0; i < objects; i++) {
			at += (double)sizes[k];
			hits += next < at;
			while (next < at)
				next += -log(1 - rng_unit(&r)) * (double)interval;
		}
		double p = 1 / weight_poisson(sizes[k], interval);
		EXPECT_NEAR(p * objects, hits, 5 * sqrt(p * (1 - p) * objects) + 1);
	}
}
