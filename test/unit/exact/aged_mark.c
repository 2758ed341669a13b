#include "exact/aged_mark.h"

#include "support/tap.h"

static uint64_t mark(uint32_t age)
{
	return 5ull << SITE_SHIFT | 77ull << 8 | age * AGE_ONE | MARK_UNLOCKED;
}

TEST(an_age_is_counted_on_up_to_the_greatest)
{
	for (uint32_t age = 0; age < 16; age++) {
		uint64_t on = aged_on(mark(age));
		EXPECT_INT(age < 15 ? age + 1 : 15, aged_of(on));
		EXPECT_INT(5, aged_site(on));
		EXPECT(on == mark(aged_of(on)));
	}
}

TEST(a_full_collection_tells_sixteen_by_none)
{
	for (uint32_t age = 0; age < 16; age++) {
		uint64_t full = aged_full(mark(age));
		EXPECT(full == mark((age + 1) % 16));
		EXPECT(aged_back(full) == mark(age));
	}
}

TEST(who_jumped_is_new)
{
	uint64_t jumped = mark(0) | BIRTH_JUMPED;
	EXPECT_INT(0, aged_of(jumped));
	EXPECT(aged_landed(jumped) == mark(0));
	EXPECT_INT(15, aged_of(mark(15)));
	EXPECT(aged_landed(mark(15)) == mark(15));
}

TEST(the_old_are_seen_once)
{
	uint64_t m = mark(9);
	EXPECT(!aged_see_old(&m));
	EXPECT_INT(5, aged_site(m));
	EXPECT_INT(0, aged_of(m));
	EXPECT(aged_see_old(&m));
	m = mark(0) | BIRTH_JUMPED;
	EXPECT(!aged_see_old(&m));
	EXPECT(aged_see_old(&m));
	EXPECT(!aged_see_old(NULL));
}
