#include "stat/logrank.h"

#include <math.h>

#include "base/error.h"
#include "sim.h"
#include "support/tap.h"

static void add(struct ages *a, enum fate fate, const uint32_t *ages, size_t count)
{
	for (size_t i = 0; i < count; i++)
		EXPECT_INT(0, ages_add(a, fate, 0, ages[i] + (fate == FATE_LOST), 1));
}

/* Freireich et al. 1963, 6-MP against placebo: chi-square 16.79 on one degree of freedom. */
TEST(gehan)
{
	static const uint32_t died[] = {6, 6, 6, 7, 10, 13, 16, 22, 23};
	static const uint32_t lost[] = {6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35};
	static const uint32_t placebo[] = {
		1, 1, 2, 2, 3, 4, 4, 5, 5, 8, 8, 8, 8, 11, 11, 12, 12, 15, 17, 22, 23};
	struct ages a[3] = {0};
	add(&a[0], FATE_DIED, died, ARRAY_SIZE(died));
	add(&a[0], FATE_LOST, lost, ARRAY_SIZE(lost));
	add(&a[1], FATE_DIED, placebo, ARRAY_SIZE(placebo));
	const struct ages *groups[] = {&a[0], &a[1], &a[2]};
	struct logrank test = logrank_test(groups, 2);
	EXPECT_INT(1, test.df);
	EXPECT_NEAR(16.79, test.statistic, 0.01);
	/* A group of nobody adds nothing. */
	EXPECT_NEAR(16.79, logrank_test(groups, 3).statistic, 0.01);
	ages_release(&a[0]);
	ages_release(&a[1]);
}

/* The order of groups is no part of the question. */
TEST(symmetric)
{
	struct rng r = rng_init(tap_seed());
	const struct sim_plan plan = {.least = 16, .most = 16, .track = 1, .lost = 0.05};
	for (int round = 0; round < 50; round++) {
		struct ages a[4] = {0};
		for (int i = 0; i < 200; i++) {
			struct sim_object o = sim_draw(&r, &plan, &sim_lives[i % 3]);
			enum fate fate = o.died ? FATE_DIED : FATE_LOST;
			EXPECT_INT(0, ages_add(&a[i % 4], fate, 0, o.seen, 2));
		}
		const struct ages *one[] = {&a[0], &a[1], &a[2], &a[3]};
		const struct ages *two[] = {&a[3], &a[1], &a[0], &a[2]};
		double x = logrank_test(one, 4).statistic, y = logrank_test(two, 4).statistic;
		EXPECT_NEAR(1, x / y, 1e-6);
		for (int i = 0; i < 4; i++)
			ages_release(&a[i]);
	}
}
