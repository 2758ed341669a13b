#include "tenure/round.h"

#include <math.h>

#include "support/tap.h"

static struct round_collection collection(uint64_t i)
{
	return (struct round_collection){.allocated = 100,
		.survivors = i,
		.promoted = 2,
		.pause = 10 * i,
		.cpu = i == 5 ? ROUND_UNKNOWN : 7,
		.cards = ROUND_UNKNOWN};
}

static struct round filled(uint32_t count)
{
	struct round r;
	round_clear(&r);
	for (uint32_t i = 0; i < count; i++) {
		struct round_collection c = collection(i);
		round_add(&r, &c);
	}
	return r;
}

TEST(sums_and_rates)
{
	struct round r = filled(16);
	EXPECT_NEAR(1600, round_total(&r, ROUND_ALLOCATED), 0);
	EXPECT_NEAR(120 + 32, round_total(&r, ROUND_COPIED), 0);
	EXPECT_NEAR((4 + 5 + 6 + 7 + 4 * 2) / 400.0, round_rate(&r, ROUND_COPIED, 1), 1e-12);
	EXPECT(isnan(round_total(&r, ROUND_CPU)));
	EXPECT_NEAR(28.0 / 400, round_rate(&r, ROUND_CPU, 0), 1e-12);
	EXPECT(isnan(round_rate(&r, ROUND_CPU, 1)));
	EXPECT(isnan(round_total(&r, ROUND_CARDS)));
}

TEST(what_is_too_much_is_summed_up)
{
	struct round r = filled(ROUND_COLLECTIONS + 10);
	EXPECT_INT(ROUND_COLLECTIONS, r.count);
	EXPECT_NEAR(100.0 * (ROUND_COLLECTIONS + 10), round_total(&r, ROUND_ALLOCATED), 0);
}

TEST(few_collections_leave_groups_empty)
{
	struct round r = filled(2);
	int known = 0;
	for (uint32_t g = 0; g < ROUND_GROUPS; g++)
		known += isfinite(round_rate(&r, ROUND_COPIED, g));
	EXPECT_INT(2, known);
}
