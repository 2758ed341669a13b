#include "tenure/proposal.h"

void proposal_init(struct proposal *p)
{
	*p = (struct proposal){.most = THRESHOLD_MOST};
}

void proposal_release(struct proposal *p)
{
	place_set_release(&p->said);
}

static bool is_said(const struct proposal *p, const struct place_context *at)
{
	return p->said.list.count >= LEVERS_JUMPS_MOST || place_set_has(&p->said, at);
}

static bool say_jump(struct proposal *p, const struct transition *t, size_t i)
{
	const struct place_context *at = &t->view->s->rows[i].at;
	if (!planner_takes(t->planner, t->plan, t->view, t->levers, i) || is_said(p, at) ||
		!levers_have_room(t->levers) || place_set_add(&p->said, at))
		return false;
	transition_tell_jump(t, actions_jump(&t->levers->actions, ACTION_TAKE, at), i);
	return true;
}

static bool say_threshold(struct proposal *p, const struct transition *t)
{
	if (t->plan->most == p->most || t->plan->most == THRESHOLD_MOST)
		return false;
	transition_tell_threshold(
		t, actions_threshold(&t->levers->actions, ACTION_TAKE, t->plan->most));
	p->most = t->plan->most;
	return true;
}

bool proposal_say(struct proposal *p, const struct transition *t)
{
	bool fresh = false;
	for (size_t i = 0; i < t->view->s->count; i++)
		fresh |= say_jump(p, t, i);
	return say_threshold(p, t) || fresh;
}
