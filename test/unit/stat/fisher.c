#include "stat/fisher.h"

#include <math.h>

#include "support/tap.h"

static double test(uint64_t k, uint64_t n, uint64_t l, uint64_t m)
{
	return fisher_exact((struct share_of){k, n}, (struct share_of){l, m});
}

/* Fisher's tea: by hand, of C(8, 4) = 70 orders. Convicts: Fisher 1935, of twins. */
TEST(known_tables)
{
	EXPECT_NEAR(2 / 70.0, test(4, 4, 0, 4), 1e-12);
	EXPECT_NEAR(34 / 70.0, test(3, 4, 1, 4), 1e-12);
	EXPECT_NEAR(1, test(2, 4, 2, 4), 1e-12);
	EXPECT_NEAR(0.000536725, test(10, 13, 2, 17), 1e-9);
}

TEST(nothing_to_compare)
{
	EXPECT_NEAR(1, test(0, 0, 3, 7), 0);
	EXPECT_NEAR(1, test(5, 5, 7, 7), 1e-12);
	EXPECT_NEAR(1, test(0, 5, 0, 7), 1e-12);
}

TEST(which_comes_first_is_all_one)
{
	for (uint64_t k = 0; k <= 12; k++)
		EXPECT_NEAR(test(k, 12, 50, 90), test(50, 90, k, 12), 1e-12);
}

/* Of very many, it is the binomial of the few: 0.001 ^ 10, and nothing on the other side. */
TEST(of_a_few_among_millions)
{
	EXPECT(fabs(log(test(10, 10, 1000000, 1000000000)) - 10 * log(0.001)) < 0.01);
	EXPECT_NEAR(1 - pow(0.999, 10), test(1, 10, 1000000, 1000000000), 1e-4);
}

/* As many as the contract takes: logarithms of factorials have no digits left for it. */
TEST(of_a_few_among_very_many)
{
	uint64_t all = 1000000000000000;
	EXPECT_NEAR(1 - pow(0.999, 10), test(1, 10, all / 1000, all), 1e-9);
	EXPECT_NEAR(pow(2, -9), test(10, 10, all / 2, all), 1e-9);
	EXPECT_NEAR(22 / 1024.0, test(1, 10, all / 2, all), 1e-9);
}
