#include "tenure/age_tables.h"

#include "support/tap.h"

enum { ALL = TENURE_AGES + 1 };

static const struct age_table before = {.known = true, .bytes = {0, 1000, 400, 100}},
			      after = {.known = true, .bytes = {0, 900, 800, 300}};

static struct age_tables_turn turn(uint32_t threshold, uint64_t promoted)
{
	return (struct age_tables_turn){.before = &before,
		.after = &after,
		.threshold = threshold,
		.whole = ALL,
		.promoted = promoted};
}

/* 800 of 1000 outlive the second collection, 300 of 400 the third; of the oldest 80 of 100. */
TEST(each_age_is_found_a_collection_older)
{
	struct age_tables a = {0};
	struct age_tables_turn t = turn(3, 80);
	EXPECT(age_tables_tells(&t));
	age_tables_add(&a, &t);
	EXPECT_INT(4, age_tables_known(&a));
	EXPECT_NEAR(0.8, age_tables_passed(&a, 1), 1e-12);
	EXPECT_NEAR(0.75, age_tables_passed(&a, 2), 1e-12);
	EXPECT_NEAR(0.8, age_tables_passed(&a, 3), 1e-12);
	age_tables_decay(&a, 0.5);
	EXPECT_NEAR(500, a.came[1], 1e-12);
	EXPECT_NEAR(0.8, age_tables_passed(&a, 1), 1e-12);
}

/* Which of several ages the promoted ones had is not told; nor is more than came. */
TEST(what_was_promoted_is_of_one_age)
{
	struct age_tables a = {0};
	struct age_tables_turn low = turn(2, 450), high = turn(15, 7), once = turn(3, 130);
	age_tables_add(&a, &low);
	EXPECT_INT(2, age_tables_known(&a));
	age_tables_add(&a, &high);
	EXPECT_INT(4, age_tables_known(&a));
	EXPECT_NEAR(0, a.came[15], 0);
	a = (struct age_tables){.came = {0}};
	age_tables_add(&a, &once);
	EXPECT_NEAR(1, age_tables_passed(&a, 3), 1e-12);
	a = (struct age_tables){.came = {0}};
	struct age_tables_turn at_once = turn(0, 1000);
	age_tables_add(&a, &at_once);
	EXPECT_INT(0, age_tables_known(&a));
}

/* What jumped before is in no table. */
TEST(only_ages_that_are_whole_count)
{
	for (uint32_t whole = 0; whole <= 4; whole++) {
		struct age_tables a = {0};
		struct age_tables_turn t = turn(3, 80);
		t.whole = whole;
		age_tables_add(&a, &t);
		EXPECT_INT(whole > 1 ? whole : 0, age_tables_known(&a));
	}
}

/* 100 came of age, and 2000 stay young: 140 more are ends of buffers. */
TEST(what_finds_no_room_tells_nothing)
{
	static const struct age_table none = {0};
	struct age_tables_turn fits = turn(3, 240), full = turn(3, 250), blind = turn(3, 0);
	EXPECT(age_tables_tells(&fits));
	EXPECT(!age_tables_tells(&full));
	blind.before = &none;
	EXPECT(!age_tables_tells(&blind));
	blind = turn(3, 0);
	blind.after = &none;
	EXPECT(!age_tables_tells(&blind));
}

/* A bound holds for months. */
TEST(what_is_not_seen_any_more_stays_known)
{
	struct age_tables a = {0};
	struct age_tables_turn t = turn(3, 80);
	age_tables_add(&a, &t);
	for (uint32_t i = 0; i < 3000; i++)
		age_tables_decay(&a, 0.5);
	EXPECT_INT(4, age_tables_known(&a));
	EXPECT_NEAR(0.75, age_tables_passed(&a, 2), 1e-12);
	EXPECT(a.came[2] < 2);
}

TEST(of_nothing_nothing_is_known)
{
	struct age_tables a = {0};
	EXPECT_INT(0, age_tables_known(&a));
}
