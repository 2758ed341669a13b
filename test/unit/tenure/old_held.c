#include "tenure/old_held.h"

#include "support/tap.h"

TEST(without_a_full_collection_it_is_all_that_is_there)
{
	struct old_held h = {0};
	EXPECT_INT(0, old_held_most(&h));
	old_held_add(&h, 100, 1, false);
	old_held_add(&h, 300, 2, false);
	old_held_add(&h, 0, 3, false); /* not known: a collection that no event told of */
	EXPECT_INT(300, old_held_most(&h));
	EXPECT(!old_held_told(&h));
}

TEST(a_full_collection_tells_for_as_long_as_there_was_before_it)
{
	struct old_held h = {0};
	old_held_add(&h, 300, 9, false);
	old_held_add(&h, 50, 10, true);
	EXPECT_INT(50, old_held_most(&h));
	old_held_add(&h, 250, 20, false);
	EXPECT_INT(50, old_held_most(&h));
	EXPECT(old_held_told(&h));
	old_held_add(&h, 260, 21, false);
	EXPECT_INT(260, old_held_most(&h));
	EXPECT(!old_held_told(&h));
	old_held_add(&h, 80, 22, true);
	EXPECT_INT(80, old_held_most(&h));
}
