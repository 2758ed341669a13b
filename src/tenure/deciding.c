#include "tenure/deciding.h"

#include <math.h>

#include "base/error.h"
#include "tenure/bracket.h"
#include "tenure/worth.h"

enum {
	CLEAR_LEAST = 8, /* collections of a round that ends before its time */
	STARTED = 64     /* collections of the run, before which its rates are a start's */
};
#define CLEAR_GAIN 2 /* times least_gain, for a decision before its time */
#define START_JUMP 3 /* times least_jump, until then */

bool deciding_may_act(const struct controller *c)
{
	return !c->rule.learn_only && !c->rule.apply_only;
}

void deciding_stay_calm(struct controller *c)
{
	if (++c->calm >= c->rule.calm_after)
		controller_sample(c, true, "nothing has changed for some time");
}

/* Once something failed, more must be promised. */
static struct worth worth_of(const struct controller *c)
{
	return (struct worth){.least_gain = c->rule.least_gain * (c->failed ? 1.5 : 1),
		.least_share = c->rule.least_share,
		.least_pause = c->rule.least_pause};
}

static struct plan_rule plan_rule_of(const struct controller *c)
{
	return (struct plan_rule){.can_jump = c->rule.can_jump,
		.can_set_threshold = c->rule.can_set_threshold,
		.threshold_now = c->rule.threshold_now,
		.flag_near = c->rule.flag_near,
		.jump_part = c->rule.least_jump,
		.cost = controller_cost(c, NULL),
		.choose = c->rule.choose};
}

/* price: what jumps must save before they are first taken (worth_rewriting). */
static struct plan plan_at(struct controller *c, const struct view *v, double price)
{
	struct plan_rule rule = plan_rule_of(c);
	struct worth worth = worth_of(c);
	rule.jump_least = worth_jumping(&worth, v->r);
	rule.jump_first = price;
	return planner_plan(&c->planner, v, &c->levers, &c->grounds, &rule);
}

struct plan deciding_plan(struct controller *c, const struct view *v)
{
	return plan_at(c, v, c->rule.rewrites ? worth_rewriting(v->r) : 0);
}

bool deciding_note_flag(struct controller *c, const struct plan *p, const struct view *v)
{
	struct worth worth = worth_of(c);
	return advice_note_flag(&c->advice, p, v, &worth);
}

static struct transition transition_to(
	struct controller *c, const struct plan *p, const struct view *v)
{
	return (struct transition){&c->levers, &c->planner, p, v, c->grounds.fit.value};
}

/* What it fills is hardly made any more after it, and eden has not come to its size. */
static bool is_starting(const struct controller *c)
{
	return c->age < STARTED;
}

void deciding_carry_out(struct controller *c, const struct plan *p, const struct view *v)
{
	const struct transition t = transition_to(c, p, v);
	transition_make(&t);
	probing_changed(&c->probing);
	if (is_starting(c))
		probing_early(&c->probing);
	c->trusted = 0;
	grounds_foretell(&c->grounds, v, &p->then);
	c->told = c->lost = false;
	c->calm = 0;
	measures_clear(&c->grounds.since);
	c->grounds.copied_much = false;
	controller_settle(c, CONTROLLER_SETTLE);
}

/* Whether jumps that don't give that much beside the bound are to wait until the start is over. */
static bool is_early(const struct controller *c, const struct plan *p)
{
	return is_starting(c) && p->beside < START_JUMP * c->rule.least_jump;
}

/* A part of a round was enough for a bound, and no bound alone came of it: for places, and for what
 * they refer to, it is too little. */
static bool is_cut_short(const struct controller *c, const struct plan *p)
{
	return c->cut && p->jump;
}

void deciding_look_young(struct controller *c, const struct view *v)
{
	bool seen = c->state == CONTROLLER_HOLD ||
		    (c->state == CONTROLLER_LEARN && c->rounds >= c->rule.learn_rounds);
	struct worth worth = worth_of(c);
	if (!seen || c->low)
		return;
	struct cost cost = controller_cost(c, NULL);
	advice_look_young(&c->advice, v, &c->grounds.held, c->levers.most, &cost, &worth);
	advice_give_young(&c->advice, &c->levers.actions, v);
}

static void advise(struct controller *c, const struct plan *p, const struct view *v)
{
	/* Nothing is in force, nor will be: there is nothing that a flag would give as well. */
	if (c->rule.apply_only)
		return;
	bool fresh = deciding_note_flag(c, p, v);
	if (fresh && !deciding_may_act(c))
		advice_give_flag(&c->advice, &c->levers.actions, p, v);
}

bool deciding_is_worth(const struct controller *c, const struct view *v, const struct plan *p)
{
	struct worth worth = worth_of(c);
	return worth_moving(&worth, v->s, v->r, &p->now, &p->then);
}

static int decide(struct controller *c, const struct view *v)
{
	int err = planner_make_room(&c->planner, v->s->count);
	if (err)
		return err;
	struct plan plan = deciding_plan(c, v);
	const struct transition t = transition_to(c, &plan, v);
	if (is_early(c, &plan) || is_cut_short(c, &plan))
		return ERR_NONE;
	probing_decided(&c->probing, v->r->samples);
	advise(c, &plan, v);
	bool worth = deciding_is_worth(c, v, &plan);
	if (worth && c->rule.learn_only && proposal_say(&c->proposal, &t))
		c->calm = 0;
	if (worth && deciding_may_act(c) && transition_differs(&t))
		deciding_carry_out(c, &plan, v);
	else
		deciding_stay_calm(c);
	return ERR_NONE;
}

/* While nothing is moved: what the collector does is what a lever will be measured by. */
void deciding_look_before(struct controller *c, const struct view *v)
{
	enum measure m = measures_changed(&c->grounds.before, v->r, c->rule.changed,
		1 << MEASURE_COPIED | (c->low ? 1 << MEASURE_PAUSE : 0));
	if (m != MEASURES) {
		measures_clear(&c->grounds.before);
		controller_sample(c, false, "the program does something else");
		c->rounds = 0;
	}
	grounds_before(&c->grounds, v);
	/* With levers moved cards and marking would be taken for what copies cost. */
	if (!c->low)
		costing_round(&c->costing, v->r, v->s->copied.objects / v->s->copied.bytes);
}

bool deciding_is_last(const struct controller *c)
{
	return c->state == CONTROLLER_LEARN && deciding_may_act(c) && !c->failed && !c->low &&
	       c->rounds && c->rounds + 1 == c->rule.learn_rounds;
}

/* A bound alone, which throws no code away; whatever becomes of what is older than the run. */
static bool gives_clearly(struct controller *c, const struct view *v, const struct plan *p)
{
	struct sight seen = {.stay = (uint32_t)fmin((double)c->age + v->r->count - 1, TENURE_AGES)};
	struct cost cost = controller_cost(c, NULL);
	const struct setting set = {.most = p->most};
	double part = CLEAR_GAIN * c->rule.least_gain;
	struct bracket b = bracket_of(v->s, &c->grounds.held, &set, &cost, part, &seen);
	return !p->jump && p->most < THRESHOLD_MOST && b.least > 0;
}

bool deciding_is_clear(struct controller *c, const struct view *v)
{
	if (v->r->count < CLEAR_LEAST || planner_make_room(&c->planner, v->s->count))
		return false;
	/* What rewriting costs falls with each collection: what it alone keeps from jumping waits
	 * for the round's end like what jumps. */
	struct plan p = plan_at(c, v, 0);
	return gives_clearly(c, v, &p) && deciding_is_worth(c, v, &p);
}

int deciding_learn(struct controller *c, const struct view *v)
{
	deciding_look_before(c, v);
	if (c->rounds < c->rule.learn_rounds || c->low)
		return ERR_NONE;
	return decide(c, v);
}

int deciding_wait(struct controller *c, const struct view *v)
{
	if (!controller_is_settled(c, v->r))
		return ERR_NONE;
	deciding_look_before(c, v);
	if (c->rounds <= c->waiting)
		return ERR_NONE;
	controller_enter(c, CONTROLLER_LEARN);
	return ERR_NONE;
}
