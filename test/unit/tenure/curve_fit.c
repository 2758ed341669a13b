#include "tenure/curve_fit.h"

#include "support/tap.h"

/* Half outlives the second collection, and all of these the third. */
static const struct age_tables tables = {.came = {0, 1000, 500}, .stood = {0, 500, 500}};

/* `count` samples of 100 bytes in 10 objects, of which the first `stood` ages were outlived by all.
 */
static struct passage samples(uint32_t count, uint32_t stood)
{
	struct passage p = {0};
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t age = 0; age < stood; age++)
			passage_add(&p, age, true, (struct amount){100, 10});
	return p;
}

TEST(without_a_table_a_curve_is_of_its_samples)
{
	static const struct age_tables none = {.came = {0}};
	struct curve_fit f = curve_fit_of(&none), zero = {0};
	struct passage p = samples(4, 3);
	EXPECT_INT(0, f.known);
	curve_fit_end(&f);
	EXPECT_NEAR(400, curve_fit_apply(&f, &p).reach[3].bytes, 1e-9);
	EXPECT_NEAR(400, curve_fit_apply(&zero, &p).reach[3].bytes, 1e-9);
	EXPECT_INT(3, curve_fit_apply(&zero, &p).known);
}

/* No sample of it got old: it gets as old as all do. */
TEST(a_place_that_few_samples_know_is_as_all_are)
{
	struct curve_fit f = curve_fit_of(&tables);
	struct passage p = samples(1, 1);
	struct passage_curve c = curve_fit_apply(&f, &p);
	EXPECT_INT(3, c.known);
	EXPECT_NEAR(100, c.reach[1].bytes, 1e-9);
	EXPECT_NEAR(50, c.reach[2].bytes, 1e-9);
	EXPECT_NEAR(50, c.reach[3].bytes, 1e-9);
	EXPECT_NEAR(5, c.reach[3].objects, 1e-9);
	EXPECT_NEAR(0, c.reach[4].bytes, 0);
}

/* All of nine stood, and half of one more. */
TEST(a_place_that_many_samples_know_is_as_they_say)
{
	struct curve_fit f = curve_fit_of(&tables);
	struct passage p = samples(9, 2);
	EXPECT_NEAR(900 * 0.95, curve_fit_apply(&f, &p).reach[2].bytes, 1e-4);
	EXPECT_NEAR(90 * 0.95, curve_fit_apply(&f, &p).reach[2].objects, 1e-4);
}

TEST(all_places_together_get_as_old_as_all_objects)
{
	struct curve_fit f = curve_fit_of(&tables);
	struct passage old = samples(9, 4), young = samples(7, 1), none = {0};
	for (uint32_t i = 0; i < 7; i++)
		passage_add(&young, 1, false, (struct amount){100, 10});
	curve_fit_add(&f, &old);
	curve_fit_add(&f, &young);
	curve_fit_add(&f, &none);
	curve_fit_end(&f);
	struct passage_curve a = curve_fit_apply(&f, &old), b = curve_fit_apply(&f, &young);
	EXPECT_NEAR(1600, a.reach[1].bytes + b.reach[1].bytes, 1e-9);
	EXPECT_NEAR(800, a.reach[2].bytes + b.reach[2].bytes, 1e-3);
	EXPECT(a.reach[2].bytes > 10 * b.reach[2].bytes);
	/* Of the fourth nothing is told of all: what is left of it is. */
	EXPECT_NEAR(a.reach[3].bytes, a.reach[4].bytes, 1e-9);
	EXPECT_INT(3, b.known);
	EXPECT_INT(0, curve_fit_apply(&f, &none).known);
}

/* As many are old as were born of the old place before: that is no reason to think that of what is
 * born of the young one now more lives on. */
TEST(what_was_born_before_says_nothing_of_other_places)
{
	static const struct age_tables most = {.came = {0, 1000}, .stood = {0, 900}};
	struct curve_fit f = curve_fit_of(&most);
	struct passage before = samples(1, 1), now = samples(9, 1);
	for (uint32_t i = 0; i < 81; i++)
		passage_add(&before, 1, true, (struct amount){100, 10});
	for (uint32_t i = 0; i < 9; i++)
		passage_add(&now, 1, false, (struct amount){100, 10});
	curve_fit_add(&f, &before);
	curve_fit_add(&f, &now);
	curve_fit_end(&f);
	EXPECT_NEAR(90, curve_fit_apply(&f, &now).reach[2].bytes, 10);
	EXPECT_NEAR(100, curve_fit_apply(&f, &before).reach[2].bytes, 2);
}
