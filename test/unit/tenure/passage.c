#include "tenure/passage.h"

#include <math.h>

#include "support/tap.h"
#include "tenure/chance.h"

static const struct amount one = {1000, 10};

/* Of four, one dies at once, one at age 1, two live. */
static struct passage four(void)
{
	struct passage p = {0};
	for (uint32_t i = 0; i < 4; i++)
		passage_add(&p, 0, i != 0, one);
	for (uint32_t i = 1; i < 4; i++)
		passage_add(&p, 1, i != 1, one);
	for (uint32_t i = 2; i < 4; i++)
		passage_add(&p, 2, true, one);
	return p;
}

TEST(the_curve_is_the_product_of_what_passed)
{
	struct passage p = four();
	struct passage_curve c = passage_curve_of(&p);
	EXPECT_INT(3, c.known);
	EXPECT_NEAR(4000, c.reach[0].bytes, 1e-3);
	EXPECT_NEAR(3000, c.reach[1].bytes, 1e-3);
	EXPECT_NEAR(20, c.reach[2].objects, 1e-5);
	EXPECT_NEAR(2000, c.reach[3].bytes, 1e-3);
	EXPECT_NEAR(0, c.reach[4].bytes, 0);
	EXPECT_NEAR(3000 + 2000 + 2000, passage_copied(&c, 15).bytes, 1e-3);
	EXPECT_NEAR(3000 + 2000, passage_copied(&c, 1).bytes, 1e-3);
	EXPECT_NEAR(3000, passage_promoted(&c, 0).bytes, 1e-3);
	EXPECT_NEAR(2000, passage_promoted(&c, 15).bytes, 1e-3);
}

/* Ages are seen of more lives than are born in the window: the ratio counts. */
TEST(more_of_an_age_than_is_born_says_no_more)
{
	struct passage p = four();
	for (uint32_t i = 0; i < 30; i++)
		passage_add(&p, 1, i % 3 != 0, one);
	EXPECT_NEAR(2000, passage_curve_of(&p).reach[2].bytes, 1e-3);
}

TEST(the_last_of_an_age_stays)
{
	struct passage p = four();
	EXPECT_NEAR(10, passage_weight(&p), 1e-6);
	for (int i = 0; i < 200; i++) {
		passage_decay(&p, 0.5);
		passage_add(&p, 0, true, one);
	}
	struct passage_curve c = passage_curve_of(&p);
	EXPECT_NEAR(2000, c.reach[0].bytes, 1);
	EXPECT_INT(3, c.known);
	EXPECT_NEAR(2.0 / 3, c.reach[2].bytes / c.reach[1].bytes, 1e-3);
	EXPECT_NEAR(2, (double)p.samples, 1e-3);
}

/* A sample's worth at once, where the round was a start. */
TEST(the_last_of_an_age_stays_of_a_start)
{
	struct passage p = four();
	double before = passage_curve_of(&p).reach[2].bytes / passage_curve_of(&p).reach[1].bytes;
	passage_decay(&p, 1.0 / 1024);
	for (int i = 0; i < 4; i++)
		passage_add(&p, 0, true, one);
	struct passage_curve c = passage_curve_of(&p);
	EXPECT_NEAR(before, c.reach[2].bytes / c.reach[1].bytes, 1e-6);
	EXPECT_NEAR(10, (double)p.objects.stood[1] + (double)p.objects.died[1], 1e-3);
}

/* Once a lever is moved and sampling low, a birth stands for 64 times as much as what was kept of
 * an age that is not seen any more: that is worth a sample all the same. */
TEST(what_is_kept_of_an_age_counts_as_a_sample)
{
	struct passage full = four(), low = four();
	for (int i = 0; i < 20; i++) {
		passage_decay(&full, 0.5);
		passage_decay(&low, 0.5);
		for (int j = 0; j < 64; j++)
			passage_add(&full, 0, true, one);
		passage_add(&low, 0, true, (struct amount){64 * one.bytes, 64 * one.objects});
	}
	for (uint32_t age = 1; age < 3; age++) {
		EXPECT(chance_at_age(&full, age) > 0);
		EXPECT(chance_at_age(&low, age) < 1.5 * chance_at_age(&full, age));
	}
}

TEST(ages_beyond_the_last_are_passed_over)
{
	struct passage p = {0};
	passage_add(&p, TENURE_AGES, true, one);
	EXPECT_NEAR(0, passage_curve_of(&p).reach[0].bytes, 0);
	EXPECT_NEAR(0, passage_weight(&p), 0);
}
