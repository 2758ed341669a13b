#include "stat/lifetime.h"

#include <math.h>

#include "base/error.h"
#include "stat/interval.h"
#include "stat/survival.h"
#include "support/tap.h"

static struct curve of_ages(uint32_t per_age, uint32_t ages, uint32_t alive)
{
	struct ages a = {0};
	struct curve c;
	for (uint32_t i = 0; i < per_age * ages; i++)
		EXPECT_INT(0, ages_add(&a, FATE_DIED, 0, i % ages, 1));
	for (uint32_t i = 0; i < alive; i++)
		EXPECT_INT(0, ages_add(&a, FATE_LOST, 0, ages, 1));
	EXPECT_INT(0, survival_curve(&a, &c));
	ages_release(&a);
	return c;
}

TEST(all_die_in_the_first_collection)
{
	struct curve c = of_ages(50, 1, 0);
	EXPECT_NEAR(0, lifetime_quantile(&c, 0.5).value, 0);
	EXPECT_NEAR(0, lifetime_quantile(&c, 0.99).value, 0);
	curve_release(&c);
}

/* Deaths at ages 0 … 9, ten each: half are dead by age 4, nine in ten by age 8. */
TEST(counts_ages_at_death)
{
	struct curve c = of_ages(10, 10, 0);
	EXPECT_NEAR(4, lifetime_quantile(&c, 0.5).value, 0);
	EXPECT_NEAR(8, lifetime_quantile(&c, 0.9).value, 0);
	EXPECT_NEAR(9, lifetime_quantile(&c, 0.99).value, 0);
	/* Every object was followed: no sampling error. */
	EXPECT_NEAR(4, lifetime_quantile(&c, 0.5).lo, 0);
	EXPECT_NEAR(4, lifetime_quantile(&c, 0.5).hi, 0);
	curve_release(&c);
}

TEST(unknown_where_the_curve_does_not_fall_that_far)
{
	struct curve c = of_ages(2, 10, 80), none = {0};
	EXPECT_NEAR(4, lifetime_quantile(&c, 0.1).value, 0);
	struct lifetime half = lifetime_quantile(&c, 0.5);
	EXPECT(isnan(half.value) && isnan(half.hi));
	EXPECT_NEAR(10, half.lo, 0);
	EXPECT(isnan(lifetime_quantile(&none, 0.5).value));
	curve_release(&c);
}

TEST(on_a_flowing_clock_the_edge_by_which_they_were_dead)
{
	struct spans s = {0};
	struct curve c;
	for (int i = 0; i < 60; i++)
		EXPECT_INT(0, spans_add(&s, FATE_DIED, 0, i < 40 ? 2 : 4, i < 40 ? 3 : 6, 1));
	EXPECT_INT(0, interval_curve(&s, &c));
	struct lifetime half = lifetime_quantile(&c, 0.5), most = lifetime_quantile(&c, 0.9);
	EXPECT_NEAR(3, half.value, 0);
	EXPECT_NEAR(2, half.lo, 0);
	EXPECT_NEAR(3, half.hi, 0);
	EXPECT_NEAR(6, most.value, 0);
	EXPECT_NEAR(4, most.lo, 0);
	curve_release(&c);
	spans_release(&s);
}
