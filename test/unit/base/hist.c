#include "base/hist.h"

#include "base/rng.h"
#include "support/tap.h"

TEST(bins_tile_the_line)
{
	for (uint32_t b = 0; b < HIST_BINS; b++) {
		EXPECT(hist_low(b) < hist_low(b + 1));
		EXPECT_INT(b, hist_bin(hist_low(b)));
		EXPECT_INT(b, hist_bin(hist_low(b + 1) - (b + 1 < HIST_BINS)));
	}
}

TEST(width_is_bounded)
{
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < 100000; i++) {
		uint64_t v = rng_u64(&r) >> rng_below(&r, 64);
		uint32_t b = hist_bin(v);
		EXPECT(b < HIST_BINS && hist_low(b) <= v);
		uint64_t width = hist_low(b + 1) - hist_low(b);
		EXPECT(width == 1 || width <= hist_low(b) / 8 + 1);
	}
}
