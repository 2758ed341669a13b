#include "model/late.h"

#include "support/tap.h"

/* One collection, and the deaths told after it of objects born before it. */
static void collect(struct late *l, uint64_t young, int deaths)
{
	late_collection(l, young, 0);
	for (int i = 0; i < deaths; i++) {
		uint64_t y = young, f = 0;
		late_death(l, young - 1, &y, &f);
		EXPECT_INT(young, y);
	}
}

TEST(a_silent_collection_gets_its_deaths_back)
{
	struct late l = {0};
	uint64_t young = 1, full = 0;
	for (; young <= 10; young++)
		collect(&l, young, 20);
	late_collection(&l, 11, 3); /* tells nothing … */
	late_collection(&l, 12, 4); /* … before this one */
	EXPECT_INT(1, l.collections);
	young = 12, full = 4;
	late_death(&l, 10, &young, &full); /* born before 11 */
	EXPECT_INT(11, young);
	EXPECT_INT(3, full);
	young = 12, full = 4;
	late_death(&l, 11, &young, &full); /* born between the two */
	EXPECT_INT(12, young);
	EXPECT_INT(4, full);
	EXPECT_INT(1, l.deaths);
	collect(&l, 13, 20); /* and on as before */
}

TEST(few_deaths_prove_nothing)
{
	struct late l = {0};
	for (uint64_t young = 1; young <= 50; young++)
		collect(&l, young, young % 5 == 0 ? 3 : 0);
	EXPECT_INT(0, l.collections);
	EXPECT_INT(0, l.deaths);
}

/* A program that stops making garbage: silence becomes usual, and no death moves by more than one.
 */
TEST(a_program_that_falls_silent)
{
	struct late l = {0};
	for (uint64_t now = 1; now <= 10; now++)
		collect(&l, now, 20);
	for (uint64_t now = 11; now <= 40; now++) {
		late_collection(&l, now, 0);
		uint64_t young = now, full = 0;
		struct late probe = l;
		late_death(&probe, 5, &young, &full);
		EXPECT(young == now || young == now - 1);
	}
	EXPECT(l.collections > 0 && l.collections < 10);
	EXPECT_INT(0, l.open);
}

/* A cycle of the old generation ends before the deaths of the collection before it are told. */
TEST(a_cycle_gets_no_deaths_of_what_is_young)
{
	static const struct {
		uint64_t birth, full;
	} cases[] = {{19, 7}, {18, 8}, {3, 8}, {19, 7}};
	struct late l = {0};
	uint64_t young = 1, full = 0;
	for (; young < 20; young++)
		collect(&l, young, 20);
	late_collection(&l, 20, 7);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		young = 20, full = 8;
		late_death(&l, cases[i].birth, &young, &full);
		EXPECT_INT(20, young);
		EXPECT_INT(cases[i].full, full);
	}
	EXPECT_INT(1, l.collections);
	EXPECT_INT(2, l.deaths);
}

/* What a collection has told, the cycle after it is believed. */
TEST(a_cycle_after_deaths_were_told)
{
	struct late l = {0};
	uint64_t young = 1, full = 0;
	for (; young <= 20; young++)
		collect(&l, young, 20);
	young = 20, full = 8;
	late_death(&l, 19, &young, &full);
	EXPECT_INT(8, full);
	EXPECT_INT(0, l.deaths);
	late_collection(&l, 21, 8);
	young = 21, full = 8;
	late_death(&l, 20, &young, &full);
	EXPECT_INT(0, l.collections);
}
