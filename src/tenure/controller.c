#include "tenure/controller.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "tenure/deciding.h"
#include "tenure/learner.h"
#include "tenure/probe.h"

enum {
	SETTLE_COLLECTIONS = 16, /* until what was young when levers moved is old or dead */
	WAIT_LEAST = 2,          /* rounds */
	WAIT_MOST = 64,
	LONG_HOLD = 32 /* rounds, after which an earlier failure is forgotten */
};

struct controller_rule controller_rule_default(void)
{
	return (struct controller_rule){.rewrites = true,
		.learn_rounds = 2,
		.threshold_now = THRESHOLD_MOST,
		.least_gain = 0.1,
		.least_share = 0.005,
		.least_pause = 1e7,
		.least_jump = 0.1,
		.flag_near = 0.05,
		.worse = 0.05,
		.changed = 0.1,
		.probe_after = 16,
		.calm_after = 8,
		.cost = COST_DEFAULT,
		.choose = CHOOSE_DEFAULT};
}

int controller_init(struct controller **out, const struct controller_rule *rule)
{
	struct controller *c = *out = mem_zalloc(1, sizeof(*c));
	if (!c)
		return ERR_NOMEM;
	if (levers_init(&c->levers)) {
		controller_free(c);
		*out = NULL;
		return ERR_NOMEM;
	}
	c->rule = *rule;
	proposal_init(&c->proposal);
	c->wait = WAIT_LEAST;
	probing_init(&c->probing, rule->probe_after);
	grounds_init(&c->grounds);
	return ERR_NONE;
}

void controller_free(struct controller *c)
{
	if (!c)
		return;
	levers_release(&c->levers);
	proposal_release(&c->proposal);
	planner_release(&c->planner);
	mem_free(c);
}

void controller_enter(struct controller *c, enum controller_state state)
{
	c->state = state;
	c->rounds = 0;
}

void controller_settle(struct controller *c, enum controller_state state)
{
	controller_enter(c, state);
	c->settling = SETTLE_COLLECTIONS;
	grounds_settle(&c->grounds);
}

/* Whether the round that is over came after all had settled. */
bool controller_is_settled(struct controller *c, const struct round *r)
{
	if (!c->settling)
		return true;
	c->settling -= r->count < c->settling ? r->count : c->settling;
	return false;
}

void controller_sample(struct controller *c, bool low, const char *why)
{
	c->calm = 0;
	if (c->low == low)
		return;
	struct action *a = actions_add(
		&c->levers.actions, LEVER_SAMPLING, low ? ACTION_TAKE : ACTION_TAKE_BACK);
	a->value = low;
	actions_say(&c->levers.actions, a, "%s", why);
	c->low = low;
}

/* ---- taking back ---- */

static void undo(struct controller *c, const char *why)
{
	levers_undo(&c->levers, why);
	c->loaded = c->trusted = 0;
	c->lost = false;
	grounds_unsay(&c->grounds);
	advice_forget_flag(&c->advice);
}

static void leave(struct controller *c, uint32_t wait, const char *why)
{
	undo(c, why);
	controller_sample(c, false, why);
	grounds_forget(&c->grounds);
	c->held_rounds = 0;
	c->waiting = wait;
	controller_settle(c, CONTROLLER_WAIT);
}

/* Each failure doubles the wait; a long time of holding forgives. */
void controller_withdraw(struct controller *c, const char *why)
{
	if (c->held_rounds >= LONG_HOLD)
		c->wait = WAIT_LEAST;
	leave(c, c->wait, why);
	c->wait = c->wait * 2 < WAIT_MOST ? c->wait * 2 : WAIT_MOST;
	c->failed = true;
}

void controller_leave(struct controller *c, const char *why)
{
	leave(c, WAIT_LEAST, why);
}

/* ---- states ---- */

/* What came of it: against what was foretold. */
static void tell_outcome(struct controller *c, const struct view *v)
{
	double seconds = (double)v->r->wall / 1e9, allocated = round_total(v->r, ROUND_ALLOCATED);
	double copied = round_total(v->r, ROUND_COPIED);
	if (c->told || !(c->grounds.foretold > 0) || !(seconds > 0) ||
		!isfinite(copied + allocated))
		return;
	c->outcome = (struct outcome){.told = true,
		.lever = c->levers.jump.list.count ? LEVER_JUMP : LEVER_THRESHOLD,
		.predicted = c->grounds.foretold * allocated / seconds,
		.margin = 2 * c->grounds.foretold_error * allocated / seconds,
		.observed = copied / seconds};
	c->told = true;
}

/* What the collector did is no measure for what it does now; the next probe is to be one. */
static void look_again(struct controller *c, const struct diag *why)
{
	c->asked = *why; /* for later, where it has to wait */
	if (probing_ask(&c->probing))
		controller_sample(c, false, why->text);
	grounds_forget(&c->grounds);
}

/* By now it has been held to what was before. */
static void stand(struct controller *c)
{
	if (c->grounds.before.rounds && c->grounds.since.rounds >= MEASURES_JUDGED &&
		c->trusted < c->probing.after)
		c->trusted = c->probing.after;
}

/* Whether the levers stay. */
static bool judge(struct controller *c, const struct view *v)
{
	const struct grounds_rule rule = {
		c->rule.worse, c->rule.changed, probe_can(c), c->rule.apply_only};
	struct diag why;
	bool more;
	enum verdict verdict = grounds_judge(&c->grounds, v, &rule, &why, &more);
	if (more)
		controller_sample(c, false, "more than was foretold may die early");
	if (verdict == VERDICT_LOOK)
		look_again(c, &why);
	else if (verdict == VERDICT_BACK)
		controller_withdraw(c, why.text);
	else
		stand(c);
	return verdict != VERDICT_BACK;
}

void controller_stop(struct controller *c, const char *why)
{
	levers_begin_round(&c->levers);
	if (c->state == CONTROLLER_PROBE)
		probe_rest(c, ACTION_RESUME);
	undo(c, why);
	c->stopped = true;
}

void controller_lose_jumps(struct controller *c, const char *why)
{
	levers_begin_round(&c->levers);
	if (c->state == CONTROLLER_PROBE)
		probe_rest(c, ACTION_RESUME);
	if (levers_moved(&c->levers))
		controller_withdraw(c, why);
	c->rule.can_jump = c->rule.can_rest = false;
}

static int hold(struct controller *c, const struct view *v)
{
	if (c->lost)
		return probe_revise(c, v);
	tell_outcome(c, v);
	if (!judge(c, v))
		return ERR_NONE;
	c->held_rounds++;
	if (!probe_begins(c, v) && c->held_rounds >= MEASURES_JUDGED)
		deciding_stay_calm(c);
	return ERR_NONE;
}

static int settling(struct controller *c, const struct view *v)
{
	bool settled = controller_is_settled(c, v->r);
	if (c->lost)
		return probe_revise(c, v);
	if (!settled)
		return ERR_NONE;
	controller_enter(c, CONTROLLER_HOLD);
	return hold(c, v);
}

typedef int state_round(struct controller *c, const struct view *v);
static const struct {
	state_round *round;
	const char *text;
} states[CONTROLLER_STATES] = {
	[CONTROLLER_LEARN] = {deciding_learn, "learning"},
	[CONTROLLER_SETTLE] = {settling, "settling"},
	[CONTROLLER_HOLD] = {hold, "holding"},
	[CONTROLLER_PROBE] = {probe_round, "probing"},
	[CONTROLLER_WAIT] = {deciding_wait, "waiting"},
};

/* With a round more, it decays as the learner's evidence does. */
static struct pace pace_with(const struct pace *p, const struct round *r)
{
	double allocated = round_total(r, ROUND_ALLOCATED);
	struct pace more = {p->allocated * p->decay, p->collections * p->decay,
		p->decay > 0 ? LEARNER_DECAY : LEARNER_START};
	if (isfinite(allocated)) {
		more.allocated += allocated;
		more.collections += r->count;
	}
	return more;
}

static double pace_of(const struct pace *p)
{
	return p->collections > 0 ? p->allocated / p->collections : 0;
}

int controller_round(struct controller *c, const struct snapshot *s, const struct round *r,
	const struct choose_edge *edges, size_t edge_count)
{
	c->pace = pace_with(&c->pace, r);
	struct view v = {s, r, edges, edge_count, pace_of(&c->pace)};
	levers_begin_round(&c->levers);
	c->outcome.told = false;
	if (c->stopped || !r->count)
		return ERR_NONE;
	c->rounds++;
	c->age += r->count;
	c->cut = c->clear;
	c->clear = false;
	deciding_look_young(c, &v);
	return states[c->state].round(c, &v);
}

bool controller_looks(const struct controller *c)
{
	return !c->stopped && (c->state == CONTROLLER_PROBE || deciding_is_last(c));
}

/* What is found here the end of the round is to find again. */
bool controller_is_clear(struct controller *c, const struct snapshot *s, const struct round *r)
{
	struct pace pace = pace_with(&c->pace, r);
	struct view v = {s, r, NULL, 0, pace_of(&pace)};
	if (controller_looks(c) && r->count)
		c->clear = c->state == CONTROLLER_PROBE ? probe_is_clear(c, &v)
							: deciding_is_clear(c, &v);
	return c->clear;
}

const struct action *controller_actions(const struct controller *c, size_t *count)
{
	*count = c->levers.actions.list.count;
	return c->levers.actions.list.at;
}

const struct outcome *controller_outcome(const struct controller *c)
{
	return &c->outcome;
}

/* What a file says is in force, or will be when the probe that goes on is over. */
static void load(struct controller *c)
{
	if (c->state != CONTROLLER_PROBE)
		controller_settle(c, CONTROLLER_SETTLE);
	if (c->loaded)
		return;
	c->trusted = 0;
	probing_soon(&c->probing);
}

int controller_load_jump(struct controller *c, const struct place_context *at)
{
	int err = levers_load_jump(&c->levers, at);
	if (!err)
		load(c);
	return err;
}

int controller_keep_out(struct controller *c, const struct place_context *at)
{
	return levers_keep_out(&c->levers, at);
}

void controller_load_threshold(struct controller *c, uint32_t most)
{
	if (most >= THRESHOLD_MOST) /* nothing is moved */
		return;
	c->levers.most = most;
	load(c);
}

void controller_trust(struct controller *c, uint32_t rounds)
{
	if (!rounds)
		return;
	probing_trust(&c->probing, rounds);
	c->loaded = c->trusted = c->probing.after;
}

void controller_doubt(struct controller *c)
{
	if (!c->loaded)
		return;
	c->loaded = c->trusted = 0;
	probing_changed(&c->probing);
	probing_soon(&c->probing);
}

uint32_t controller_trusted(const struct controller *c)
{
	return levers_moved(&c->levers) ? c->trusted : 0;
}

void controller_acted(struct controller *c, uint32_t collections)
{
	if (c->settling)
		c->settling += collections;
}

void controller_refused(struct controller *c, const struct action *a)
{
	levers_refuse(&c->levers, a);
	c->lost = c->lost || (a->lever == LEVER_JUMP && c->grounds.foretold > 0);
	if (a->lever == LEVER_THRESHOLD)
		c->rule.can_set_threshold = false;
	if (!levers_moved(&c->levers) &&
		(c->state == CONTROLLER_SETTLE || c->state == CONTROLLER_HOLD))
		controller_enter(c, CONTROLLER_LEARN);
}

struct cost controller_cost(const struct controller *c, bool *measured)
{
	return costing_of(&c->costing, &c->rule.cost, measured);
}

/* Once all has settled the round is held to what was before, though the state is left at its end.
 */
enum controller_state controller_state(const struct controller *c)
{
	return c->state == CONTROLLER_SETTLE && !c->settling ? CONTROLLER_HOLD : c->state;
}

const char *controller_state_text(enum controller_state s)
{
	return states[s < CONTROLLER_STATES ? s : CONTROLLER_LEARN].text;
}

uint32_t controller_threshold(const struct controller *c)
{
	return c->levers.most;
}

const struct place_context *controller_jumps(const struct controller *c, size_t *count)
{
	*count = c->levers.jump.list.count;
	return c->levers.jump.list.at;
}

struct young_offer controller_young(const struct controller *c)
{
	return c->advice.young;
}

uint64_t controller_young_told(const struct controller *c)
{
	return c->advice.young_told;
}

bool controller_sampling_low(const struct controller *c)
{
	return c->low;
}

bool controller_chooses(const struct controller *c)
{
	return c->rule.can_jump && !c->rule.apply_only && !c->stopped && !c->low &&
	       (c->state == CONTROLLER_LEARN || c->state == CONTROLLER_PROBE);
}

uint32_t controller_flag_bound(const struct controller *c)
{
	return c->advice.flag.text[0] ? c->advice.flag_bound : THRESHOLD_MOST;
}

const char *controller_flag(const struct controller *c)
{
	return c->advice.flag.text;
}
