#include "tenure/place_set.h"

#include "base/mem.h"
#include "support/tap.h"

/* A place, and so many callers. */
static struct place_context place(uint64_t method, uint32_t depth)
{
	struct place_context at = {.place.vm_method = method, .depth = depth};
	for (uint32_t i = 0; i < depth; i++)
		at.caller[i].vm_method = 100 + i;
	return at;
}

TEST(it_has_what_was_added_until_it_is_removed)
{
	struct place_set s = {.list = {0}};
	struct place_context a = place(1, 0), b = place(2, 0), called = place(1, 1);
	EXPECT(!place_set_has(&s, &a));
	EXPECT_INT(0, place_set_add(&s, &a));
	EXPECT_INT(0, place_set_add(&s, &b));
	EXPECT_INT(0, place_set_add(&s, &a));
	EXPECT(place_set_has(&s, &a) && place_set_has(&s, &b) && !place_set_has(&s, &called));
	place_set_remove(&s, &a);
	EXPECT(!place_set_has(&s, &a) && place_set_has(&s, &b));
	EXPECT_INT(1, s.list.count);
	place_set_drop(&s, 0);
	EXPECT(!place_set_has(&s, &b));
	place_set_release(&s);
}

TEST(what_is_meant_whole_covers_its_callers)
{
	struct place_set s = {.list = {0}};
	struct place_context whole = place(1, 0), near = place(2, 1), far = place(1, 3),
			     of_near = place(2, 2), other = place(3, 2);
	EXPECT_INT(0, place_set_add(&s, &whole));
	EXPECT_INT(0, place_set_add(&s, &near));
	EXPECT(place_set_covers(&s, &whole) && place_set_covers(&s, &far));
	EXPECT(place_set_covers(&s, &near) && place_set_covers(&s, &of_near));
	EXPECT(!place_set_covers(&s, &other));
	struct place_context above = place(2, 0);
	EXPECT(!place_set_covers(&s, &above));
	place_set_release(&s);
}

TEST(without_memory_it_stays_as_it_is)
{
	struct place_set s = {.list = {0}};
	struct place_context a = place(1, 0);
	mem_fail_at(1);
	EXPECT(place_set_add(&s, &a) != 0);
	mem_fail_at(0);
	EXPECT(!place_set_has(&s, &a));
	place_set_release(&s);
}
