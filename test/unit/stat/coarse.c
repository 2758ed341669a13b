#include "stat/coarse.h"

#include <math.h>

#include "support/tap.h"

static struct coarse of(const struct coarse_level *levels, size_t count)
{
	struct coarse c = {.count = 0};
	for (size_t i = 0; i < count; i++)
		coarse_add(&c, &levels[i]);
	return c;
}

TEST(the_coarsest_take_what_they_have_room_for)
{
	struct coarse_level levels[] = {{1, 0.5, 100}, {8, 7.5, 20}, {4, 3.5, 50}};
	struct coarse c = of(levels, 3);
	EXPECT_INT(3, c.count);
	EXPECT_NEAR(10 * 7.5, coarse_variance(&c, 10, 0.5), 1e-12);
	EXPECT_NEAR(20 * 7.5 + 50 * 3.5 + 30 * 0.5, coarse_variance(&c, 100, 0.5), 1e-12);
	EXPECT_NEAR(100 * 7.5, coarse_variance(&c, 100, 7.5), 1e-12); /* nothing is coarser */
	EXPECT_NEAR(20 / 8.0 + 30 / 4.0, coarse_samples(&c, 50), 1e-12);
	EXPECT_NEAR(20 / 8.0 + 50 / 4.0 + 130, coarse_samples(&c, 200), 1e-12);
}

TEST(those_of_one_power_of_two_are_one)
{
	struct coarse_level levels[] = {{4, 3, 10}, {6, 5, 10}, {2, 1, 10}, {3.9, 2.9, 10}};
	struct coarse c = of(levels, 4);
	EXPECT_INT(2, c.count);
	EXPECT_NEAR(6, c.at[0].unit, 0);
	EXPECT_NEAR(20, c.at[0].room, 0);
	EXPECT_NEAR(3.9, c.at[1].unit, 0);
}

/* More than there is room for, in any order: all of what they have room for is there. */
TEST(many_levels_are_bounded)
{
	for (int step = 1; step < 97; step += 2) {
		struct coarse c = {.count = 0};
		for (int i = 0; i < 97; i++) {
			double unit = ldexp(1, i * step % 97);
			coarse_add(&c, &(struct coarse_level){unit, unit, 1});
		}
		double room = 0;
		for (size_t i = 0; i < c.count; i++) {
			room += c.at[i].room;
			EXPECT(!i || c.at[i].unit < c.at[i - 1].unit);
		}
		EXPECT_INT(COARSE_MOST, c.count);
		EXPECT_NEAR(97, room, 0);
	}
}

TEST(what_is_no_level_is_left_out)
{
	struct coarse_level levels[] = {{0, 0, 1}, {1, 1, 0}, {(double)NAN, 0, 1},
		{1, 1, (double)INFINITY}, {1, 1, (double)NAN}};
	struct coarse c = of(levels, 5);
	EXPECT_INT(0, c.count);
	EXPECT(isinf(coarse_samples(&c, 1)));
	EXPECT_NEAR(2, coarse_variance(&c, 4, 0.5), 1e-12);
}
