#include "classfile/state.h"

#include "base/error.h"
#include "support/tap.h"

TEST(slots_on_the_stack)
{
	struct state s;
	EXPECT_INT(0, state_init(&s, 1, 3));
	state_push_wide(&s, value(VALUE_LONG, 0));
	state_push(&s, value(VALUE_INT, 0));
	EXPECT_INT(3, s.depth);
	EXPECT_INT(VALUE_INT, value_tag(state_peek(&s, 0)));
	EXPECT_INT(VALUE_TOP, value_tag(state_peek(&s, 1)));
	EXPECT_INT(VALUE_LONG, value_tag(state_peek(&s, 2)));
	EXPECT_INT(VALUE_TOP, value_tag(state_peek(&s, 3)));
	EXPECT_INT(0, s.err);
	state_push(&s, value(VALUE_INT, 0));
	EXPECT_INT(ERR_FORMAT, s.err);
	EXPECT_INT(3, s.depth);
	state_release(&s);
}

TEST(nothing_to_pop_and_no_such_local)
{
	struct state s;
	EXPECT_INT(0, state_init(&s, 2, 1));
	state_pop(&s);
	EXPECT_INT(ERR_FORMAT, s.err);
	s.err = 0;
	state_store(&s, 1, value(VALUE_DOUBLE, 0));
	EXPECT_INT(ERR_FORMAT, s.err);
	s.err = 0;
	state_load(&s, 2);
	EXPECT_INT(ERR_FORMAT, s.err);
	state_release(&s);
}

TEST(half_of_a_long_is_nothing)
{
	struct state s;
	EXPECT_INT(0, state_init(&s, 3, 1));
	state_store(&s, 0, value(VALUE_LONG, 0));
	state_store(&s, 1, value(VALUE_INT, 0));
	EXPECT_INT(VALUE_TOP, value_tag(state_load(&s, 0)));
	EXPECT_INT(VALUE_INT, value_tag(state_load(&s, 1)));
	state_release(&s);
}

TEST(replaced_everywhere)
{
	struct state s;
	struct value fresh = value(VALUE_UNINIT, 5), done = value(VALUE_OBJECT, 2);
	EXPECT_INT(0, state_init(&s, 2, 2));
	state_store(&s, 1, fresh);
	state_push(&s, value(VALUE_UNINIT, 6));
	state_push(&s, fresh);
	state_replace(&s, fresh, done);
	EXPECT(value_equal(done, s.local[1]) && value_equal(done, state_peek(&s, 0)));
	EXPECT_INT(VALUE_UNINIT, value_tag(state_peek(&s, 1)));
	state_release(&s);
}
