#include "tenure/actions.h"

#include "support/tap.h"

TEST(in_order_with_what_belongs_to_them)
{
	struct actions a = {0};
	struct place_context at = {.place = {7, 3, 1}, .depth = 2};
	EXPECT_INT(0, actions_init(&a, 3));
	action_say(actions_jump(&a, ACTION_TAKE, &at), "%s", "a jump");
	action_say(actions_threshold(&a, ACTION_REST, 4), "rest %d", 1);
	actions_add(&a, LEVER_SAMPLING, ACTION_TAKE);
	EXPECT_INT(3, a.list.count);
	EXPECT(a.list.at[0].lever == LEVER_JUMP && a.list.at[0].kind == ACTION_TAKE);
	EXPECT(place_context_same(&at, &a.list.at[0].at));
	EXPECT_INT(2, a.list.at[0].value);
	EXPECT_STR("a jump", a.list.at[0].reason.text);
	EXPECT(a.list.at[1].lever == LEVER_THRESHOLD && a.list.at[1].value == 4);
	EXPECT_STR("rest 1", a.list.at[1].reason.text);
	EXPECT(a.list.at[2].lever == LEVER_SAMPLING && !a.list.at[2].reason.text[0]);
	actions_release(&a);
}
