#include "stat/curve.h"

#include <math.h>

#include "base/error.h"
#include "support/tap.h"

static struct curve two_points(bool counts)
{
	struct curve c = {.known = 9, .n_eff = 30, .counts = counts};
	EXPECT_INT(0, vec_push(&c.points, ((struct curve_point){2, 0.8, 0.6, 0.9, 20})));
	EXPECT_INT(0, vec_push(&c.points, ((struct curve_point){5, 0.4, 0.2, 0.6, 10})));
	return c;
}

TEST(steps_at_the_points)
{
	struct curve c = two_points(true);
	EXPECT_NEAR(1, curve_at(&c, 0).p, 0);
	EXPECT_NEAR(1, curve_at(&c, 1).lo, 0);
	EXPECT_NEAR(0.8, curve_at(&c, 2).p, 0);
	EXPECT_NEAR(0.6, curve_at(&c, 4).lo, 0);
	EXPECT_NEAR(0.4, curve_at(&c, 9).p, 0);
	EXPECT_NEAR(10, curve_at(&c, 9).risk, 0);
	EXPECT_INT(7, curve_at(&c, 7).t);
	curve_release(&c);
}

TEST(between_edges_the_lower_limit_is_the_next)
{
	struct curve c = two_points(false);
	EXPECT_NEAR(0.6, curve_at(&c, 2).lo, 0);
	EXPECT_NEAR(0.2, curve_at(&c, 3).lo, 0);
	EXPECT_NEAR(0.9, curve_at(&c, 3).hi, 0);
	EXPECT_NEAR(0.6, curve_at(&c, 1).lo, 0);
	EXPECT_NEAR(1, curve_at(&c, 0).lo, 0);
	curve_release(&c);
}

TEST(past_what_is_known)
{
	struct curve c = two_points(true), none = {0};
	struct curve_point at = curve_at(&c, 10);
	EXPECT(isnan(at.p));
	EXPECT_NEAR(0, at.lo, 0);
	EXPECT_NEAR(0.6, at.hi, 0);
	EXPECT(isnan(curve_at(&none, 1).p));
	EXPECT_NEAR(1, curve_at(&none, 1).hi, 0);
	curve_release(&c);
}
