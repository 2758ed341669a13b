#include "stat/product.h"

#include <math.h>

#include "support/tap.h"

static struct mass equal(uint64_t n, double weight)
{
	return (struct mass){n, (double)n * weight, (double)n * weight * weight};
}

TEST(equal_weights_count_as_they_are)
{
	EXPECT_NEAR(40, product_effective(equal(40, 7), equal(10, 7)), 1e-9);
	EXPECT_NEAR(40, product_effective(equal(40, 7), equal(0, 7)), 1e-9);
	EXPECT_NEAR(40, product_effective(equal(40, 7), equal(40, 7)), 1e-9);
}

/* One heavy death among light survivors knows less than Kish's count says. */
TEST(heavy_deaths_count_for_less)
{
	struct mass risk = equal(100, 1), died = equal(1, 100);
	mass_add(&risk, died);
	EXPECT(product_effective(risk, died) <= mass_effective(risk) + 1e-9);
	struct mass few = equal(50, 1), half = equal(50, 1);
	mass_add(&few, equal(50, 9));
	mass_add(&half, equal(0, 9));
	EXPECT(product_effective(few, half) <= mass_effective(few) + 1e-9);
}

/* Steps of a product chain to one beta where nobody is lost: many small steps are one large one. */
TEST(steps_chain)
{
	struct product one = product_init(false, 0), many = product_init(false, 0);
	product_step(&one, equal(30, 1), equal(12, 1), equal(0, 1));
	for (uint64_t i = 0; i < 12; i++)
		product_step(&many, equal(30 - i, 1), equal(1, 1), equal(0, 1));
	struct curve_point a = product_point(&one, 1, LIMIT_BOTH),
			   b = product_point(&many, 12, LIMIT_BOTH);
	EXPECT_NEAR(a.p, b.p, 1e-12);
	EXPECT_NEAR(a.lo, b.lo, 1e-8);
	EXPECT_NEAR(a.hi, b.hi, 1e-8);
}

TEST(rule_of_three)
{
	struct product all = product_init(false, 0), none = product_init(false, 0);
	product_step(&all, equal(60, 1), equal(60, 1), equal(0, 1));
	EXPECT_NEAR(1 - pow(0.05, 1 / 60.0), product_point(&all, 1, LIMIT_BOTH).hi, 1e-6);
	product_step(&none, equal(60, 1), equal(0, 1), equal(0, 1));
	EXPECT_NEAR(pow(0.05, 1 / 60.0), product_point(&none, 1, LIMIT_BOTH).lo, 1e-6);
}

/* Light survivors among heavy dead: what rounding leaves of the sums must still count as ten
 * objects. */
TEST(cancellation_feigns_nothing)
{
	struct mass all = equal(1000000, 2097152), light = equal(10, 1);
	mass_add(&all, light);
	mass_sub(&all, equal(1000000, 2097152));
	EXPECT_INT(10, all.n);
	EXPECT_NEAR(10, all.w, 1e-2);
	EXPECT(mass_effective(all) <= 10 && all.w2 > 0);
	mass_sub(&all, light);
	EXPECT(!(all.w > 0) && !(all.w2 > 0) && mass_effective(all) <= 0);
}

/* A census knows what happened; one that lost half of the survivors knows the rest as a sample. */
TEST(a_census_is_certain_until_it_loses)
{
	struct product p = product_init(true, 0);
	product_step(&p, equal(40, 1), equal(10, 1), equal(0, 1));
	struct curve_point at = product_point(&p, 1, LIMIT_BOTH);
	EXPECT_NEAR(0.75, at.lo, 1e-12);
	EXPECT_NEAR(0.75, at.hi, 1e-12);
	product_step(&p, equal(15, 1), equal(5, 1), equal(15, 1));
	at = product_point(&p, 2, LIMIT_BOTH);
	EXPECT_NEAR(0.5, at.p, 1e-12);
	EXPECT(at.lo < 0.45 && at.hi > 0.55);
}

/* Some light ones died, none of the few heavy ones: had one of these, p would be much less. */
TEST(a_heavy_death_may_have_been_missed)
{
	struct mass light = equal(200, 1), heavy = equal(5, 16), risk = light;
	mass_add(&risk, heavy);
	struct product plain = product_init(false, 0), wary = product_init(false, 16);
	product_step(&plain, risk, equal(10, 1), equal(0, 1));
	product_step(&wary, risk, equal(10, 1), equal(0, 1));
	struct curve_point a = product_point(&plain, 1, LIMIT_BOTH);
	struct curve_point b = product_point(&wary, 1, LIMIT_BOTH);
	EXPECT_NEAR(270 / 280.0, a.p, 1e-12);
	EXPECT_NEAR(a.p, b.p, 1e-12);
	EXPECT(b.lo < a.lo - 0.01);
}
