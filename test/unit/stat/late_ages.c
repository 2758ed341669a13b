#include "stat/late_ages.h"

#include "support/tap.h"

enum { PLACE = 7, OTHER = 8 };

/* Of so many picks, how many took each. */
static void pick(struct late_ages *a, uint64_t place, uint64_t first, uint32_t count,
	uint32_t *picked, int times)
{
	for (uint32_t i = 0; i < count; i++)
		picked[i] = 0;
	for (int i = 0; i < times; i++) {
		uint32_t one = late_ages_any(a, place, first, count);
		EXPECT(one < count);
		picked[one < count ? one : 0]++;
	}
}

static void die(struct late_ages *a, uint64_t place, uint64_t age, int times)
{
	for (int i = 0; i < times; i++)
		late_ages_add(a, place, age);
}

TEST(of_a_place_of_which_nothing_is_known_the_first)
{
	static struct late_ages a;
	uint32_t picked[3];
	die(&a, OTHER, 2, 100);
	pick(&a, PLACE, 1, 3, picked, 1000);
	EXPECT_INT(1000, picked[0]);
}

TEST(each_as_often_as_objects_of_the_place_died_so)
{
	static struct late_ages a;
	uint32_t picked[4];
	die(&a, PLACE, 1, 999);
	die(&a, PLACE, 2, 2999);
	die(&a, PLACE, 4, 1000);
	die(&a, PLACE, 9, 5000);
	die(&a, OTHER, 3, 5000);
	pick(&a, PLACE, 1, 4, picked, 100000);
	EXPECT_NEAR(20000, picked[0], 700);
	EXPECT_NEAR(60000, picked[1], 700);
	EXPECT_INT(0, picked[2]);
	EXPECT_NEAR(20000, picked[3], 700);
	pick(&a, PLACE, 4, 2, picked, 1000);
	EXPECT_INT(1000, picked[0]);
	pick(&a, PLACE, 3, 1, picked, 10);
	EXPECT_INT(10, picked[0]);
}

/* One kind, however old. */
TEST(what_is_very_old)
{
	static struct late_ages a;
	uint32_t picked[4];
	die(&a, PLACE, 1000000, 10000);
	die(&a, PLACE, LATE_AGES - 1, 20000);
	pick(&a, PLACE, UINT64_MAX - 4, 4, picked, 100000);
	for (int i = 0; i < 4; i++)
		EXPECT_NEAR(25000, picked[i], 700);
	pick(&a, PLACE, LATE_AGES - 2, 2, picked, 10000);
	EXPECT(picked[0] < 10);
}

/* Shares stay where counts would not fit any more. */
TEST(very_many_deaths)
{
	static struct late_ages a;
	uint32_t picked[2];
	for (int i = 0; i < 300; i++) {
		die(&a, PLACE, 1, 750);
		die(&a, PLACE, 2, 250);
	}
	pick(&a, PLACE, 1, 2, picked, 10000);
	EXPECT_NEAR(7500, picked[0], 300);
}
