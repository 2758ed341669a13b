#include "stat/median.h"

#include <math.h>

#include "base/rng.h"
#include "support/tap.h"

/* As many are below it as above. */
TEST(half_of_them_are_below)
{
	struct rng rng = rng_init(tap_seed());
	double numbers[40];
	for (int run = 0; run < 400; run++) {
		size_t count = 1 + rng_below(&rng, 40), below = 0, above = 0;
		double least_above = (double)INFINITY, most_below = -least_above;
		for (size_t i = 0; i < count; i++)
			numbers[i] = (double)rng_below(&rng, 30);
		median_sort(numbers, count);
		double m = median_of(numbers, count);
		for (size_t i = 0; i < count; i++) {
			below += numbers[i] < m;
			above += numbers[i] > m;
			EXPECT(!i || numbers[i] >= numbers[i - 1]);
			if (i < (count + 1) / 2)
				most_below = numbers[i];
			if (i >= count / 2 && numbers[i] < least_above)
				least_above = numbers[i];
		}
		EXPECT(below <= count / 2 && above <= count / 2);
		EXPECT_NEAR((most_below + least_above) / 2, m, 1e-12);
	}
	EXPECT(isnan(median_of(numbers, 0)));
}
