#include "tenure/transition.h"

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

/* The whole plan's figures stand at the threshold's action, a place's own at its own. */
void transition_tell_threshold(const struct transition *t, struct action *a)
{
	const struct plan *p = t->plan;
	a->gain = view_per_second(t->view, p->now.copied.bytes - p->then.copied.bytes);
	a->harm = view_per_second(t->view, p->then.early.bytes);
	actions_say(&t->levers->actions, a,
		"of what is copied, %.0f %% is not copied any more with a threshold of %u%s",
		percent(p->now.copied.bytes - p->then.copied.bytes, p->now.copied.bytes), p->most,
		p->jump ? " and the age jump" : "");
}

void transition_tell_jump(const struct transition *t, struct action *a, size_t i)
{
	const struct choose_row *row = &t->planner->rows[i];
	if (!a)
		return;
	a->gain = view_per_second(t->view, row->saved.bytes * t->fit);
	a->harm = view_per_second(t->view, row->early.bytes * t->fit);
	actions_say(&t->levers->actions, a, "%s", choose_text(row->why));
}

bool transition_differs(const struct transition *t)
{
	return t->plan->most != t->levers->most ||
	       t->plan->jump != (t->levers->jump.list.count > 0);
}

static void take_threshold(const struct transition *t)
{
	if (t->plan->most == t->levers->most)
		return;
	if (t->plan->most == THRESHOLD_MOST)
		levers_undo_threshold(t->levers, "the age jump alone costs less");
	else
		transition_tell_threshold(t, levers_set_threshold(t->levers, t->plan->most));
}

static bool is_planned(const struct transition *t, size_t i)
{
	return planner_takes(t->planner, t->plan, t->view, t->levers, i);
}

/* Why it is to jump no more; NULL: it jumps on. A place that the learner has lost sight of goes
 * too: nothing is made there any more. */
static const char *why_leave(const struct transition *t, const struct place_context *at)
{
	const struct snapshot *s = t->view->s;
	const struct snapshot_row *row = snapshot_find(s, at);
	if (!row)
		return "nothing is allocated there any more";
	size_t i = (size_t)(row - s->rows);
	if (is_planned(t, i))
		return NULL;
	return t->plan->jump ? choose_text(t->planner->rows[i].why) : "a threshold does as well";
}

static void leave_jumps(const struct transition *t)
{
	for (size_t j = t->levers->jump.list.count; j-- > 0;) {
		const char *why = why_leave(t, &t->levers->jump.list.at[j]);
		if (why)
			levers_drop_jump(t->levers, j, why);
	}
}

static void take_jumps(const struct transition *t)
{
	const struct snapshot *s = t->view->s;
	for (size_t i = 0; i < s->count; i++)
		if (is_planned(t, i) && !place_set_has(&t->levers->jump, &s->rows[i].at))
			transition_tell_jump(t, levers_jump(t->levers, &s->rows[i].at), i);
}

void transition_make(const struct transition *t)
{
	leave_jumps(t);
	take_jumps(t);
	take_threshold(t);
}
