#include "exact/burden.h"

#include "support/tap.h"

#define SECOND 1000000000ull
#define BEGIN  (1000 * SECOND)

/* Of pauses one behind the other, each at so many seconds after the one before, of which so many
 * were ours: at which one it is too much, counted from 1; 0: at none of a hundred. */
static int too_much(double every, double own, uint32_t *share)
{
	struct burden b = {.since = 0};
	for (int i = 0; i < 100; i++) {
		uint64_t now = BEGIN + (uint64_t)(every * i * (double)SECOND);
		*share = burden_add(&b, (uint64_t)(own * (double)SECOND), now);
		if (*share)
			return i + 1;
	}
	return 0;
}

TEST(half_of_half_a_minute)
{
	static const struct {
		double every, own;
		int at;
		uint32_t share;
	} cases[] = {
		{1, 0.9, 31, 90},
		{1, 0.53, 31, 53},
		{1, 0.45, 0, 0},
		{0.5, 0.25, 0, 0},
		{0.5, 0.3, 61, 60}, /* the first one's begin is the stretch's */
		{10, 8, 4, 84},     /* 4 pauses, in 38 s */
		{15, 12, 0, 0},     /* never 4 in a stretch */
		{0.001, 0.0009, 0, 0},
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t share;
		EXPECT_INT(cases[i].at, too_much(cases[i].every, cases[i].own, &share));
		EXPECT_INT(cases[i].share, share);
	}
}

/* A stretch that was light is over with, and so is a long time without a pause. */
TEST(each_stretch_by_itself)
{
	struct burden b = {.since = 0};
	uint64_t now = BEGIN;
	EXPECT_INT(0, burden_add(&b, 1, now));
	EXPECT_INT(0, burden_add(&b, 20 * SECOND, now += 600 * SECOND));
	for (int i = 0; i < 29; i++)
		EXPECT_INT(0, burden_add(&b, SECOND * 9 / 10, now += SECOND));
	EXPECT_INT(90, burden_add(&b, SECOND * 9 / 10, now += SECOND));
	EXPECT_INT(0, burden_add(&b, SECOND * 9 / 10, now += SECOND));
}

/* What is left of a pause is. */
TEST(what_was_asked_for_is_not_held_against_us)
{
	struct burden b = {.since = 0};
	uint64_t now = BEGIN;
	for (int i = 0; i < 100; i++) {
		burden_asked(&b, SECOND * 3 / 10);
		burden_asked(&b, SECOND * 2 / 10);
		EXPECT_INT(0, burden_add(&b, SECOND * 9 / 10, now += SECOND));
	}
	b = (struct burden){.since = 0};
	burden_asked(&b, SECOND);
	EXPECT_INT(0, burden_add(&b, 11 * SECOND, now += 11 * SECOND));
	EXPECT_INT(0, burden_add(&b, 5 * SECOND, now += 5 * SECOND));
	EXPECT_INT(0, burden_add(&b, 4 * SECOND, now += 5 * SECOND));
	EXPECT_INT(61, burden_add(&b, 0, now += 10 * SECOND));
}
