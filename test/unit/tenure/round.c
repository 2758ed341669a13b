#include "tenure/round.h"

#include <math.h>

#include "support/tap.h"

static struct round_collection collection(uint64_t i)
{
	return (struct round_collection){.allocated = 100,
		.survivors = i,
		.found = i,
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

/* Of a long round several are one; count, sums, groups and the longest are those of all. */
TEST(a_round_of_any_length)
{
	for (uint32_t count = 1; count <= 1000; count++) {
		struct round r = filled(count);
		double sum = 0;
		EXPECT_INT(count, r.count);
		EXPECT_INT(10 * (count - 1), r.longest);
		EXPECT_NEAR(100.0 * count, round_total(&r, ROUND_ALLOCATED), 0);
		EXPECT_INT(0, round_group(&r, 0));
		EXPECT_INT(count, round_group(&r, ROUND_GROUPS));
		for (uint32_t g = 0; g < ROUND_GROUPS; g++) {
			uint32_t from = round_group(&r, g), to = round_group(&r, g + 1);
			EXPECT_NEAR(count / 4.0, to - from, count > ROUND_ROOM ? count / 32.0 : 1);
			EXPECT_NEAR((from + to - 1.0) / 2 * (to - from),
				round_sum(&r, ROUND_FOUND, from, to), 1e-6);
			sum += round_sum(&r, ROUND_FOUND, from, to);
		}
		EXPECT_NEAR((count - 1.0) / 2 * count, sum, 1e-6);
	}
}

TEST(a_pause_that_goes_on)
{
	struct round r = filled(200);
	round_go_on(&r, 5000);
	EXPECT_INT(200, r.count);
	EXPECT_INT(1990 + 5000, r.longest);
	EXPECT_NEAR(10 * 199 * 100 + 5000, round_total(&r, ROUND_PAUSE), 0);
	round_go_on(&r, 1);
	EXPECT_INT(1990 + 5001, r.longest);
	round_clear(&r);
	round_go_on(&r, 5000); /* of a round that is over */
	EXPECT_INT(0, r.longest);
}

/* What others copied for each byte is taken for it, in its group and in the whole. */
TEST(what_a_collection_copied_may_not_be_known)
{
	struct round r = filled(6);
	round_go_blind(&r);
	for (uint64_t i = 6; i < 16; i++) {
		struct round_collection c = collection(i);
		round_add(&r, &c);
	}
	double survivors = 120 - 5, promoted = 32 - 2;
	EXPECT_NEAR(1600, round_total(&r, ROUND_ALLOCATED), 0);
	EXPECT_NEAR((survivors + promoted) * 16 / 15, round_total(&r, ROUND_COPIED), 1e-9);
	EXPECT_NEAR(promoted * 16 / 15, round_total(&r, ROUND_PROMOTED), 1e-9);
	EXPECT_NEAR((4 + 6 + 7) / 300.0, round_rate(&r, ROUND_FOUND, 1), 1e-12);
	EXPECT_NEAR((8 + 9 + 10 + 11) / 400.0, round_rate(&r, ROUND_FOUND, 2), 1e-12);
}

TEST(what_a_round_copied_may_not_be_known)
{
	struct round r;
	round_clear(&r);
	round_go_blind(&r); /* of a round that is over */
	for (uint64_t i = 0; i < 200; i++) {
		struct round_collection c = collection(i);
		round_add(&r, &c);
		round_go_blind(&r);
	}
	EXPECT_NEAR(20000, round_total(&r, ROUND_ALLOCATED), 0);
	EXPECT(isnan(round_total(&r, ROUND_COPIED)));
	EXPECT(isnan(round_rate(&r, ROUND_PROMOTED, 3)));
}

TEST(few_collections_leave_groups_empty)
{
	struct round r = filled(2);
	int known = 0;
	for (uint32_t g = 0; g < ROUND_GROUPS; g++)
		known += isfinite(round_rate(&r, ROUND_COPIED, g));
	EXPECT_INT(2, known);
}

TEST(the_end_of_a_round)
{
	struct round r = filled(16), end = round_end(&r, 4), none = round_end(&r, 0);
	EXPECT_INT(4, end.count);
	EXPECT_NEAR(400, round_total(&end, ROUND_ALLOCATED), 0);
	EXPECT_NEAR(round_sum(&r, ROUND_COPIED, 12, 16), round_total(&end, ROUND_COPIED), 0);
	EXPECT_NEAR(round_sum(&r, ROUND_PAUSE, 15, 16), round_sum(&end, ROUND_PAUSE, 3, 4), 0);
	EXPECT_INT(0, none.count);
	end = round_end(&r, 99);
	EXPECT_INT(16, end.count);
	r = filled(199); /* four in one */
	end = round_end(&r, 50);
	EXPECT_INT(51, end.count);
	EXPECT_NEAR(round_sum(&r, ROUND_COPIED, 148, 199), round_total(&end, ROUND_COPIED), 0);
}
