#include "stat/shape.h"

#include "base/error.h"
#include "stat/survival.h"
#include "support/tap.h"

/* Deaths in each of the ages 0 … 19, and lost alive at an age; 100 objects or so. */
struct life {
	enum shape want;
	uint32_t died[20];
	uint32_t alive, alive_age;
	uint32_t tenuring;
};

static const struct life lives[] = {
	{SHAPE_UNKNOWN, {0}, 0, 0, 15},
	{SHAPE_UNKNOWN, {9}, 0, 0, 15},
	{SHAPE_CHURN, {10}, 0, 0, 15},
	{SHAPE_UNKNOWN, {0}, 100, 0, 15},
	{SHAPE_UNKNOWN, {0}, 100, 2, 15},
	{SHAPE_LONG_LIVED, {0}, 100, 3, 15},
	{SHAPE_LONG_LIVED, {0}, 100, 14, 15},
	{SHAPE_IMMORTAL, {0}, 100, 15, 15},
	{SHAPE_IMMORTAL, {0}, 100, 3, 2},
	{SHAPE_CHURN, {95}, 5, 3, 15},
	{SHAPE_CHURN, {95}, 5, 1, 15},
	{SHAPE_UNKNOWN, {50}, 50, 2, 15},
	{SHAPE_MID_LIFE, {94, 6}, 0, 0, 15},
	{SHAPE_IMMORTAL, {5}, 95, 30, 15},
	{SHAPE_IMMORTAL, {0, 0, 5}, 95, 30, 15},
	{SHAPE_LONG_LIVED, {6}, 94, 30, 15},
	{SHAPE_BIMODAL, {50}, 50, 30, 15},
	{SHAPE_BIMODAL, {85}, 15, 30, 15},
	{SHAPE_BIMODAL, {86}, 14, 30, 15},
	{SHAPE_BIMODAL, {94}, 6, 30, 15},
	{SHAPE_BIMODAL, {86, 0, 0, 7}, 7, 30, 15},
	{SHAPE_MID_LIFE, {86, 0, 0, 8}, 6, 30, 15},
	{SHAPE_BIMODAL, {50, 0, 3, 4, 5, 6, 7}, 25, 30, 15},
	{SHAPE_MID_LIFE, {51, 0, 6, 4, 3, 3, 3, 3, 3}, 24, 30, 15},
	{SHAPE_BIMODAL, {90}, 10, 3, 15},
	{SHAPE_BIMODAL, {15}, 85, 30, 15},
	{SHAPE_LONG_LIVED, {14}, 86, 30, 15},
	{SHAPE_BIMODAL, {40, 10, 0, 5, 0, 0, 25, 20}, 0, 0, 15},
	{SHAPE_MID_LIFE, {40, 10, 3, 3, 3, 3, 20, 18}, 0, 0, 15},
	{SHAPE_MID_LIFE, {0, 0, 10, 40, 40, 10}, 0, 0, 15},
	{SHAPE_MID_LIFE, {50, 25, 13, 6, 3, 2, 1}, 0, 0, 15},
	{SHAPE_LONG_LIVED, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100}, 0, 0, 15},
	{SHAPE_MID_LIFE, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100}, 0, 0, 15},
	{SHAPE_LONG_LIVED, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 100}, 0, 0, 10},
	{SHAPE_LONG_LIVED, {5, 5, 5, 5, 5, 5, 5, 5, 5, 5}, 50, 15, 15},
	{SHAPE_MID_LIFE, {5, 5, 5, 5, 5, 5, 5, 5, 5, 6}, 49, 15, 15},
};

static enum shape shape_of_life(const struct life *life)
{
	struct ages a = {0};
	struct curve c;
	for (uint32_t age = 0; age < 20; age++)
		for (uint32_t i = 0; i < life->died[age]; i++)
			EXPECT_INT(0, ages_add(&a, FATE_DIED, 0, age, 64));
	for (uint32_t i = 0; i < life->alive; i++)
		EXPECT_INT(0, ages_add(&a, FATE_LOST, 0, life->alive_age, 64));
	EXPECT_INT(0, survival_curve(&a, &c));
	enum shape shape = shape_of(&c, life->tenuring);
	curve_release(&c);
	ages_release(&a);
	return shape;
}

TEST(each_shape_at_its_boundary)
{
	for (size_t i = 0; i < ARRAY_SIZE(lives); i++) {
		enum shape got = shape_of_life(&lives[i]);
		tap_check(got == lives[i].want, __FILE__, __LINE__, "life %zu: want %s, got %s", i,
			shape_text(lives[i].want), shape_text(got));
	}
}

/* No constant hazard is two masses, however fast or slow. */
TEST(constant_hazard_is_not_bimodal)
{
	for (double h = 0.01; h < 1; h += 0.01) {
		struct curve c = {.known = 60, .n_eff = 1000, .counts = true};
		double p = 1;
		for (uint64_t t = 1; t <= 60; t++) {
			p *= 1 - h;
			EXPECT_INT(0,
				vec_push(&c.points, ((struct curve_point){t, p, p, p, 1000 * p})));
		}
		EXPECT(shape_of(&c, 15) != SHAPE_BIMODAL);
		curve_release(&c);
	}
}

TEST(texts)
{
	EXPECT_STR("mid-life", shape_text(SHAPE_MID_LIFE));
	EXPECT_STR("long-lived", shape_text(SHAPE_LONG_LIVED));
	EXPECT_STR("unknown", shape_text((enum shape)99));
}
