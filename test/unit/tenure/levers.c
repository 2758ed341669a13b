#include "tenure/levers.h"

#include "base/error.h"
#include "support/tap.h"

static struct place_context place(uint64_t method)
{
	return (struct place_context){.place.vm_method = method, .place.class_id = 1};
}

static const struct action *last(const struct levers *l)
{
	return &l->actions.list.at[l->actions.list.count - 1];
}

TEST(what_was_taken_is_in_force_until_it_is_undone)
{
	struct levers l;
	struct place_context a = place(1), b = place(2);
	EXPECT_INT(0, levers_init(&l));
	EXPECT(!levers_moved(&l));
	EXPECT(levers_jump(&l, &a) && levers_jump(&l, &b));
	levers_set_threshold(&l, 3);
	EXPECT(levers_moved(&l));
	EXPECT_INT(3, l.actions.list.count);
	levers_begin_round(&l);
	levers_drop_jump(&l, 0, "gone");
	EXPECT(last(&l)->kind == ACTION_TAKE_BACK && place_context_same(&a, &last(&l)->at));
	EXPECT(place_set_has(&l.jump, &b) && !place_set_has(&l.jump, &a));
	levers_undo(&l, "all");
	EXPECT_INT(3, l.actions.list.count);
	EXPECT_STR("all", last(&l)->reason);
	EXPECT(!levers_moved(&l));
	levers_release(&l);
}

/* Nothing is in the way of taking all back in the round in which all of it was taken. */
TEST(there_is_room_to_take_all_back)
{
	struct levers l;
	EXPECT_INT(0, levers_init(&l));
	for (uint64_t i = 0; i < LEVERS_JUMPS_MOST; i++) {
		struct place_context at = place(i);
		levers_begin_round(&l);
		EXPECT(levers_jump(&l, &at));
	}
	struct place_context more = place(LEVERS_JUMPS_MOST);
	EXPECT(!levers_jump(&l, &more));
	EXPECT_INT(ERR_LIMIT, levers_load_jump(&l, &more));
	levers_set_threshold(&l, 1);
	size_t room = l.actions.list.room;
	levers_undo(&l, "all");
	EXPECT_INT(LEVERS_JUMPS_MOST + 3, l.actions.list.count);
	EXPECT(room >= l.actions.list.count);
	levers_release(&l);
}

TEST(a_rest_changes_nothing_in_force)
{
	struct levers l;
	struct place_context a = place(1);
	EXPECT_INT(0, levers_init(&l));
	EXPECT_INT(0, levers_load_jump(&l, &a));
	EXPECT_INT(0, levers_load_jump(&l, &a));
	EXPECT_INT(1, l.jump.list.count);
	EXPECT_INT(0, l.actions.list.count);
	l.most = 2;
	levers_rest(&l, ACTION_REST, false, "rest");
	EXPECT_INT(1, l.actions.list.count);
	EXPECT_INT(THRESHOLD_MOST, last(&l)->value);
	levers_rest(&l, ACTION_RESUME, true, "seen");
	EXPECT_INT(3, l.actions.list.count);
	EXPECT_INT(2, l.actions.list.at[1].value);
	EXPECT(last(&l)->lever == LEVER_JUMP && last(&l)->kind == ACTION_RESUME);
	levers_keep(&l, "pays");
	EXPECT_INT(5, l.actions.list.count);
	EXPECT(levers_moved(&l) && l.most == 2);
	levers_release(&l);
}

TEST(what_is_refused_stays_refused)
{
	struct levers l;
	struct place_context a = place(1);
	struct snapshot_row rows[2] = {{.at = place(1)}, {.at = place(2)}};
	struct snapshot s = {.rows = rows, .count = 2};
	struct choose_row as[2];
	EXPECT_INT(0, levers_init(&l));
	levers_jump(&l, &a);
	levers_set_threshold(&l, 1);
	struct setting now = levers_setting(&l, &s, as);
	EXPECT(now.most == 1 && choose_is(now.jump[0].why) && !choose_is(now.jump[1].why));
	levers_refuse(&l, &(struct action){.lever = LEVER_JUMP, .at = a});
	EXPECT_INT(0, l.jump.list.count);
	levers_refuse(&l, &(struct action){.lever = LEVER_THRESHOLD});
	EXPECT(!levers_moved(&l));
	levers_mark_refused(&l, &s);
	EXPECT(rows[0].flags & SNAPSHOT_REFUSE);
	EXPECT(!(rows[1].flags & SNAPSHOT_REFUSE));
	levers_release(&l);
}
