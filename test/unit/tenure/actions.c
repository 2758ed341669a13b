#include "tenure/actions.h"

#include "support/tap.h"

TEST(in_order_with_what_belongs_to_them)
{
	struct actions a = {0};
	struct place_context at = {.place = {7, 3, 1}, .depth = 2};
	EXPECT_INT(0, actions_init(&a, 3));
	actions_say(&a, actions_jump(&a, ACTION_TAKE, &at), "%s", "a jump");
	actions_say(&a, actions_threshold(&a, ACTION_REST, 4), "rest %d", 1);
	actions_add(&a, LEVER_SAMPLING, ACTION_TAKE);
	EXPECT_INT(3, a.list.count);
	EXPECT(a.list.at[0].lever == LEVER_JUMP && a.list.at[0].kind == ACTION_TAKE);
	EXPECT(place_context_same(&at, &a.list.at[0].at));
	EXPECT_INT(2, a.list.at[0].value);
	EXPECT_STR("a jump", a.list.at[0].reason);
	EXPECT(a.list.at[1].lever == LEVER_THRESHOLD && a.list.at[1].value == 4);
	EXPECT_STR("rest 1", a.list.at[1].reason);
	EXPECT(a.list.at[2].lever == LEVER_SAMPLING && !a.list.at[2].reason[0]);
	actions_release(&a);
}

/* Thousands of places may go for one reason; where there are too many of them none is made up. */
TEST(a_reason_is_kept_once_and_until_the_next_round)
{
	struct actions a = {0};
	EXPECT_INT(0, actions_init(&a, ACTIONS_REASONS + 3));
	struct action *one = actions_add(&a, LEVER_JUMP, ACTION_TAKE);
	struct action *other = actions_add(&a, LEVER_JUMP, ACTION_TAKE);
	actions_say(&a, one, "%s", "the same");
	actions_say(&a, other, "the %s", "same");
	EXPECT(one->reason == other->reason);
	EXPECT_INT(1, a.reasons);
	for (int i = 0; i < ACTIONS_REASONS; i++)
		actions_say(&a, actions_add(&a, LEVER_JUMP, ACTION_TAKE), "reason %d", i);
	EXPECT_STR("the same", one->reason);
	EXPECT_STR("reason 0", a.list.at[2].reason);
	EXPECT_STR("one of too many reasons", a.list.at[ACTIONS_REASONS + 1].reason);
	actions_clear(&a);
	EXPECT_INT(0, a.list.count);
	EXPECT_INT(0, a.reasons);
	actions_release(&a);
}

/* With a full file of decisions all of them may be taken back at once. */
TEST(an_action_is_small)
{
	EXPECT(sizeof(struct action) <= 160);
}
