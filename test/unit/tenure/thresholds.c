#include "tenure/thresholds.h"

#include "support/tap.h"

TEST(an_age_of_the_threshold_is_promoted)
{
	struct thresholds t = {0};
	thresholds_add(&t, 100, 3);
	thresholds_add(&t, 101, 99);
	EXPECT(!thresholds_promotes(&t, 100, 2) && thresholds_promotes(&t, 100, 3));
	EXPECT(!thresholds_promotes(&t, 101, 14) && thresholds_promotes(&t, 101, 15));
	EXPECT(!thresholds_knows(&t, 99) && !thresholds_knows(&t, 102));
	EXPECT(!thresholds_promotes(&t, 99, 15));
}

TEST(collections_not_told_of_had_the_next_threshold)
{
	struct thresholds t = {0};
	thresholds_add(&t, 10, 5);
	thresholds_add(&t, 13, 2);
	EXPECT(thresholds_promotes(&t, 11, 2) && thresholds_promotes(&t, 12, 2));
	EXPECT(!thresholds_promotes(&t, 10, 4));
}

TEST(as_many_are_kept)
{
	struct thresholds t = {0};
	for (uint64_t y = 1; y <= 5000; y++)
		thresholds_add(&t, y, (uint32_t)(y % 16));
	EXPECT(thresholds_knows(&t, 5000 - THRESHOLDS_KEPT + 1));
	EXPECT(!thresholds_knows(&t, 5000 - THRESHOLDS_KEPT));
	for (uint64_t y = 5000 - THRESHOLDS_KEPT + 1; y <= 5000; y++)
		EXPECT(thresholds_promotes(&t, y, (uint32_t)(y % 16)) &&
			(y % 16 == 0 || !thresholds_promotes(&t, y, (uint32_t)(y % 16) - 1)));
}

TEST(a_gap_too_long_or_back_begins_anew)
{
	struct thresholds t = {0};
	thresholds_add(&t, 10, 5);
	thresholds_add(&t, 10 + THRESHOLDS_KEPT, 2);
	EXPECT(!thresholds_knows(&t, 10) && thresholds_knows(&t, 10 + THRESHOLDS_KEPT));
	thresholds_add(&t, 3, 2);
	EXPECT(thresholds_knows(&t, 3) && !thresholds_knows(&t, 4));
}

TEST(a_full_collection_leaves_nothing_young)
{
	struct thresholds t = {0};
	thresholds_add(&t, 10, 5);
	thresholds_full(&t, 10);
	EXPECT(thresholds_emptied(&t, 10) && !thresholds_emptied(&t, 9));
	for (uint64_t y = 11; y <= 10 + THRESHOLDS_KEPT; y++)
		thresholds_add(&t, y, 5);
	EXPECT(!thresholds_emptied(&t, 10 + THRESHOLDS_KEPT));
}
