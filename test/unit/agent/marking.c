#include "agent/marking.h"

#include "support/tap.h"

/* A collection that brings the clock to young + 1, as which begins so much was taken since the one
 * before. */
static void collect(struct marking *m, uint64_t young, uint64_t taken)
{
	marking_collection(m, young, (struct ns){m->taken.v + taken});
}

TEST(one_that_ends_before_the_next_collection_began_behind_the_last)
{
	struct marking m = {0};
	collect(&m, 6, 0);
	EXPECT_INT(7, marking_remark(&m, 7));
}

/* The interval before 5 and the pause that ends it have none of it. */
TEST(it_began_with_the_first_of_the_intervals_that_it_takes)
{
	struct marking m = {0};
	collect(&m, 4, 0);
	collect(&m, 5, 900);
	collect(&m, 6, 10);
	EXPECT_INT(5, marking_remark(&m, 7));
}

/* Another whose threads had nothing to do is none of this one. */
TEST(a_pause_of_its_threads_ends_it)
{
	struct marking m = {0};
	collect(&m, 4, 900);
	collect(&m, 5, 0);
	collect(&m, 6, 10);
	EXPECT_INT(6, marking_remark(&m, 7));
}

TEST(what_its_threads_clear_up_is_no_marking)
{
	struct marking m = {0};
	collect(&m, 6, 900);
	EXPECT_INT(6, marking_remark(&m, 7));
	collect(&m, 7, 900);
	collect(&m, 8, 900);
	EXPECT_INT(9, marking_remark(&m, 9)); /* not known of any that began meanwhile */
	collect(&m, 9, 900);
	collect(&m, 10, 0);
	collect(&m, 11, 900);
	EXPECT_INT(11, marking_remark(&m, 12));
}
