#include "exact/step_clock.h"

#include "base/rng.h"
#include "support/tap.h"

TEST(each_step_is_a_collection)
{
	struct step_clock c = {.part = NULL};
	for (int i = 0; i < 300; i++)
		step_clock_tick(&c);
	for (uint32_t n = 0; n <= RESIDENT_SURVIVED_MAX; n++)
		EXPECT_INT(n, step_clock_outlived(&c, n));
}

/* Against counting them one by one. */
TEST(parts_are_none)
{
	enum { STEPS = 1000 };
	bool was[STEPS], part;
	struct step_clock c = {.part = &part};
	struct rng r = rng_init(tap_seed());
	for (uint32_t i = 0; i < STEPS; i++) {
		was[i] = part = rng_below(&r, 3) == 0;
		step_clock_tick(&c);
		for (uint32_t n = 0, whole = 0; n <= i + 1 && n <= RESIDENT_SURVIVED_MAX; n++) {
			EXPECT_INT(whole, step_clock_outlived(&c, n));
			whole += n <= i && !was[i - n];
		}
	}
}
