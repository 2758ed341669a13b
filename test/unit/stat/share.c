#include "stat/share.h"

#include <math.h>

#include "base/rng.h"
#include "stat/weight.h"
#include "support/tap.h"

TEST(a_census_has_no_width)
{
	struct total part = {0}, whole = {0};
	for (uint64_t size = 1; size <= 4; size++)
		EXPECT_INT(0, total_add(&whole, size, 1));
	EXPECT_INT(0, total_add(&part, 4, 1));
	struct estimate e = share_bytes(&part, &whole);
	EXPECT_NEAR(0.4, e.value, 1e-12);
	EXPECT_NEAR(0.4, e.lo, 1e-12);
	EXPECT_NEAR(0.4, e.hi, 1e-12);
}

TEST(a_share_of_nothing_is_not_known)
{
	struct total none = {0};
	struct estimate e = share_bytes(&none, &none);
	EXPECT(isnan(e.value));
	EXPECT_NEAR(0, e.lo, 0);
	EXPECT_NEAR(1, e.hi, 0);
}

/* Equal heavy samples are trials: 3 of 10, Wilson 0.108 to 0.603. */
TEST(equal_weights_are_trials)
{
	struct total part = {0}, whole = {0};
	for (int i = 0; i < 10; i++)
		EXPECT_INT(0, total_add(i < 3 ? &part : &whole, 16, 1e9));
	total_merge(&whole, &part);
	struct estimate e = share_bytes(&part, &whole);
	EXPECT_NEAR(0.3, e.value, 1e-12);
	EXPECT_NEAR(0.1078, e.lo, 1e-3);
	EXPECT_NEAR(0.6032, e.hi, 1e-3);
}

TEST(none_and_all_still_have_a_width)
{
	struct total none = {0}, whole = {0};
	for (int i = 0; i < 20; i++)
		EXPECT_INT(0, total_add(&whole, 16, 1e9));
	struct estimate zero = share_bytes(&none, &whole), one = share_bytes(&whole, &whole);
	EXPECT(zero.hi > 0.1 && zero.hi < 0.2 && zero.lo <= 0);
	EXPECT(one.lo < 0.9 && one.lo > 0.8 && one.hi >= 1);
}

/* 3000 samplings of two kinds of objects, one a quarter of the bytes: a standard error of 0.4 %. */
TEST(intervals_cover_the_truth)
{
	enum { RUNS = 3000 };
	static const struct {
		uint64_t size[2];
		unsigned count[2]; /* objects of each */
	} mixes[] = {
		{{64, 64}, {4000, 12000}}, {{4096, 64}, {60, 11520}}, {{64, 4096}, {3840, 180}}};
	struct rng r = rng_init(tap_seed());
	for (size_t mix = 0; mix < 3; mix++) {
		int in = 0;
		for (int run = 0; run < RUNS / 3; run++) {
			struct total kinds[2] = {{0}, {0}};
			for (int k = 0; k < 2; k++) {
				double w = weight_poisson(mixes[mix].size[k], 8192);
				for (unsigned i = 0; i < mixes[mix].count[k]; i++)
					if (rng_unit(&r) * w < 1)
						(void)total_add(&kinds[k], mixes[mix].size[k], w);
			}
			struct total whole = kinds[0];
			total_merge(&whole, &kinds[1]);
			struct estimate e = share_bytes(&kinds[0], &whole);
			in += e.lo <= 0.25 && e.hi >= 0.25;
		}
		EXPECT(in > 0.91 * RUNS / 3 && in < 0.99 * RUNS / 3);
	}
}
