#include "tenure/levers.h"

#include "base/error.h"

enum { OTHERS = 8 }; /* actions of a round that are not of a place */

int levers_init(struct levers *l)
{
	*l = (struct levers){.most = THRESHOLD_MOST};
	return actions_init(&l->actions, OTHERS);
}

void levers_release(struct levers *l)
{
	place_set_release(&l->jump);
	place_set_release(&l->refused);
	actions_release(&l->actions);
}

bool levers_moved(const struct levers *l)
{
	return l->jump.list.count || l->most < THRESHOLD_MOST;
}

void levers_begin_round(struct levers *l)
{
	actions_clear(&l->actions);
}

/* All of them may be taken back in the same round. */
bool levers_have_room(struct levers *l)
{
	size_t count = l->jump.list.count + 1;
	return count <= LEVERS_JUMPS_MOST && !vec_reserve(&l->jump.list, 1) &&
	       !vec_reserve(&l->actions.list, count + 1 + OTHERS);
}

struct action *levers_jump(struct levers *l, const struct place_context *at)
{
	if (!levers_have_room(l))
		return NULL;
	l->jump.list.at[l->jump.list.count++] = *at;
	return actions_jump(&l->actions, ACTION_TAKE, at);
}

void levers_drop_jump(struct levers *l, size_t i, const char *why)
{
	struct place_context at = l->jump.list.at[i];
	place_set_drop(&l->jump, i);
	actions_say(&l->actions, actions_jump(&l->actions, ACTION_TAKE_BACK, &at), "%s", why);
}

struct action *levers_set_threshold(struct levers *l, uint32_t most)
{
	l->most = most;
	return actions_threshold(&l->actions, ACTION_TAKE, most);
}

void levers_undo_threshold(struct levers *l, const char *why)
{
	if (l->most < THRESHOLD_MOST)
		actions_say(&l->actions,
			actions_threshold(&l->actions, ACTION_TAKE_BACK, THRESHOLD_MOST), "%s",
			why);
	l->most = THRESHOLD_MOST;
}

static void tell_jumps(struct levers *l, enum action_kind kind, const char *why)
{
	for (size_t i = 0; i < l->jump.list.count; i++)
		actions_say(&l->actions, actions_jump(&l->actions, kind, &l->jump.list.at[i]), "%s",
			why);
}

void levers_undo(struct levers *l, const char *why)
{
	tell_jumps(l, ACTION_TAKE_BACK, why);
	l->jump.list.count = 0;
	levers_undo_threshold(l, why);
}

void levers_keep(struct levers *l, const char *why)
{
	tell_jumps(l, ACTION_KEEP, why);
	if (l->most < THRESHOLD_MOST)
		actions_say(&l->actions, actions_threshold(&l->actions, ACTION_KEEP, l->most), "%s",
			why);
}

void levers_rest(struct levers *l, enum action_kind kind, bool jumps_can, const char *why)
{
	uint32_t most = kind == ACTION_REST ? THRESHOLD_MOST : l->most;
	if (l->most < THRESHOLD_MOST)
		actions_say(&l->actions, actions_threshold(&l->actions, kind, most), "%s", why);
	if (l->jump.list.count && jumps_can)
		actions_say(&l->actions, actions_add(&l->actions, LEVER_JUMP, kind), "%s", why);
}

int levers_load_jump(struct levers *l, const struct place_context *at)
{
	if (place_set_has(&l->jump, at))
		return ERR_NONE;
	if (!levers_have_room(l))
		return l->jump.list.count < LEVERS_JUMPS_MOST ? ERR_NOMEM : ERR_LIMIT;
	l->jump.list.at[l->jump.list.count++] = *at;
	return ERR_NONE;
}

int levers_keep_out(struct levers *l, const struct place_context *at)
{
	return place_set_covers(&l->refused, at) ? ERR_NONE : place_set_add(&l->refused, at);
}

void levers_refuse(struct levers *l, const struct action *a)
{
	if (a->lever == LEVER_THRESHOLD)
		l->most = THRESHOLD_MOST;
	if (a->lever != LEVER_JUMP)
		return;
	place_set_remove(&l->jump, &a->at);
	(void)!levers_keep_out(l, &a->at);
}

void levers_mark_refused(const struct levers *l, const struct snapshot *s)
{
	for (size_t i = 0; i < s->count && l->refused.list.count; i++)
		if (place_set_covers(&l->refused, &s->rows[i].at))
			s->rows[i].flags |= SNAPSHOT_REFUSE;
}

struct setting levers_setting(
	const struct levers *l, const struct snapshot *s, struct choose_row *rows)
{
	for (size_t i = 0; i < s->count; i++)
		rows[i] = (struct choose_row){
			.why = place_set_has(&l->jump, &s->rows[i].at) ? CHOOSE_YES : CHOOSE_NO};
	return (struct setting){.most = l->most, .jump = rows};
}
