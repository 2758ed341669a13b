#include "tenure/controller.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "tenure/advice.h"
#include "tenure/costing.h"
#include "tenure/probing.h"
#include "tenure/proposal.h"
#include "tenure/transition.h"
#include "tenure/worth.h"

enum {
	SETTLE_COLLECTIONS = 16, /* until what was young when levers moved is old or dead */
	WAIT_LEAST = 2,
	WAIT_MOST = 64, /* rounds */
	LONG_HOLD = 32, /* rounds, after which an earlier failure is forgotten */
	STARTED = 64    /* collections of the run, before which its rates are a start's */
};
#define START_JUMP  3    /* times least_jump, until then */
#define KEPT_GAIN   0.5  /* of least_gain: a setting that still gives that is kept */
#define SWITCH_GAIN 0.05 /* that another setting must give beyond the one in force */

/* Protected by the caller's lock, all of it. */
struct controller {
	struct controller_rule rule;
	enum controller_state state;
	uint32_t rounds; /* in this state */
	uint64_t age;    /* collections of the run */
	uint32_t held_rounds, calm, wait;
	struct probing probing;
	uint32_t loaded;   /* rounds for which a file's decisions are trusted; 0: not beyond 4 */
	uint32_t trusted;  /* the same of what is in force; 0: it has not stood its test */
	uint32_t settling; /* collections still to come */
	bool stopped, low, failed;
	struct levers levers; /* owned, as are these two */
	struct proposal proposal;
	struct planner planner;

	struct grounds grounds;
	struct costing costing;
	bool told;

	struct outcome outcome;
	struct diag asked; /* why the next probe does not wait for its turn */
	struct advice advice;
};

struct controller_rule controller_rule_default(void)
{
	return (struct controller_rule){.learn_rounds = 2,
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

static void enter(struct controller *c, enum controller_state state)
{
	c->state = state;
	c->rounds = 0;
}

static void settle(struct controller *c, enum controller_state state)
{
	enter(c, state);
	c->settling = SETTLE_COLLECTIONS;
	grounds_settle(&c->grounds);
}

/* Whether the round that is over came after all had settled. */
static bool is_settled(struct controller *c, const struct round *r)
{
	if (!c->settling)
		return true;
	c->settling -= r->count < c->settling ? r->count : c->settling;
	return false;
}

static void set_sampling(struct controller *c, bool low, const char *why)
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
	grounds_unsay(&c->grounds);
	advice_forget_flag(&c->advice);
}

/* Each failure doubles the wait; a long time of holding forgives. */
static void withdraw(struct controller *c, const char *why)
{
	if (c->held_rounds >= LONG_HOLD)
		c->wait = WAIT_LEAST;
	undo(c, why);
	set_sampling(c, false, why);
	grounds_forget(&c->grounds);
	c->failed = true;
	c->held_rounds = 0;
	settle(c, CONTROLLER_WAIT);
}

/* ---- planning ---- */

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

static struct plan make_plan(struct controller *c, const struct view *v)
{
	struct plan_rule rule = plan_rule_of(c);
	struct worth worth = worth_of(c);
	rule.jump_least = worth_jumping(&worth, v->r);
	return planner_plan(&c->planner, v, &c->levers, &c->grounds, &rule);
}

static bool note_flag(struct controller *c, const struct plan *p, const struct view *v)
{
	struct worth worth = worth_of(c);
	return advice_note_flag(&c->advice, p, v, &worth);
}

/* ---- carrying a plan out ---- */

static struct transition transition_to(
	struct controller *c, const struct plan *p, const struct view *v)
{
	return (struct transition){&c->levers, &c->planner, p, v, c->grounds.fit.value};
}

static void carry_out(struct controller *c, const struct plan *p, const struct view *v)
{
	const struct transition t = transition_to(c, p, v);
	transition_make(&t);
	probing_changed(&c->probing);
	c->trusted = 0;
	grounds_foretell(&c->grounds, v, &p->then);
	c->told = false;
	c->calm = 0;
	measures_clear(&c->grounds.since);
	settle(c, CONTROLLER_SETTLE);
}

/* ---- states ---- */

static bool may_act(const struct controller *c)
{
	return !c->rule.learn_only && !c->rule.apply_only;
}

static void stay_calm(struct controller *c)
{
	if (++c->calm >= c->rule.calm_after)
		set_sampling(c, true, "nothing has changed for some time");
}

/* What a start fills is hardly made any more after it: whether jumps that don't give that much
 * beside the bound are to wait until it is over. */
static bool is_early(const struct controller *c, const struct plan *p)
{
	return c->age < STARTED && p->beside < START_JUMP * c->rule.least_jump;
}

static void advise(struct controller *c, const struct plan *p, const struct view *v)
{
	struct worth worth = worth_of(c);
	bool fresh = note_flag(c, p, v);
	if (fresh && !may_act(c))
		advice_give_flag(&c->advice, &c->levers.actions, p, v);
	advice_give_young(
		&c->advice, &c->levers.actions, p, v, &c->grounds.held, &worth, c->rule.least_gain);
}

static bool is_worth(const struct controller *c, const struct view *v, const struct plan *p)
{
	struct worth worth = worth_of(c);
	return worth_moving(&worth, v->s, v->r, &p->now, &p->then);
}

static int decide(struct controller *c, const struct view *v)
{
	int err = planner_make_room(&c->planner, v->s->count);
	if (err)
		return err;
	struct plan plan = make_plan(c, v);
	const struct transition t = transition_to(c, &plan, v);
	if (is_early(c, &plan))
		return ERR_NONE;
	probing_decided(&c->probing, v->r->samples);
	advise(c, &plan, v);
	bool worth = is_worth(c, v, &plan);
	if (worth && c->rule.learn_only && proposal_say(&c->proposal, &t))
		c->calm = 0;
	if (worth && may_act(c) && transition_differs(&t))
		carry_out(c, &plan, v);
	else
		stay_calm(c);
	return ERR_NONE;
}

/* While nothing is moved: what the collector does is what a lever will be measured by. */
static void look_before(struct controller *c, const struct view *v)
{
	enum measure m = measures_changed(&c->grounds.before, v->r, c->rule.changed,
		1 << MEASURE_COPIED | (c->low ? 1 << MEASURE_PAUSE : 0));
	if (m != MEASURES) {
		measures_clear(&c->grounds.before);
		set_sampling(c, false, "the program does something else");
		c->rounds = 0;
	}
	grounds_before(&c->grounds, v);
	/* With levers moved cards and marking would be taken for what copies cost. */
	if (!c->low)
		costing_round(&c->costing, v->r, v->s->copied.objects / v->s->copied.bytes);
}

static int learn(struct controller *c, const struct view *v)
{
	look_before(c, v);
	if (c->rounds < c->rule.learn_rounds || c->low)
		return ERR_NONE;
	return decide(c, v);
}

static int wait(struct controller *c, const struct view *v)
{
	if (!is_settled(c, v->r))
		return ERR_NONE;
	look_before(c, v);
	if (c->rounds <= c->wait)
		return ERR_NONE;
	c->wait = c->wait * 2 < WAIT_MOST ? c->wait * 2 : WAIT_MOST;
	enter(c, CONTROLLER_LEARN);
	return ERR_NONE;
}

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
		.observed = copied / seconds};
	c->told = true;
}

static bool can_probe(const struct controller *c)
{
	return !c->rule.learn_only && (c->levers.most < THRESHOLD_MOST || c->rule.can_rest);
}

/* What the collector did is no measure for what it does now; the next probe is to be one. */
static void look_again(struct controller *c, const struct diag *why)
{
	c->asked = *why; /* for later, where it has to wait */
	if (probing_ask(&c->probing))
		set_sampling(c, false, why->text);
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
	const struct grounds_rule rule = {c->rule.worse, c->rule.changed, can_probe(c)};
	struct diag why;
	bool more;
	enum verdict verdict = grounds_judge(&c->grounds, v, &rule, &why, &more);
	if (more)
		set_sampling(c, false, "more than was foretold may die early");
	if (verdict == VERDICT_LOOK)
		look_again(c, &why);
	else if (verdict == VERDICT_BACK)
		withdraw(c, why.text);
	else
		stand(c);
	return verdict != VERDICT_BACK;
}

static void rest(struct controller *c, enum action_kind kind)
{
	const char *why = kind != ACTION_REST ? "seen"
			  : c->probing.asked  ? c->asked.text
					      : "to see again how old objects get";
	levers_rest(&c->levers, kind, c->rule.can_rest, why);
}

void controller_stop(struct controller *c, const char *why)
{
	levers_begin_round(&c->levers);
	if (c->state == CONTROLLER_PROBE)
		rest(c, ACTION_RESUME);
	undo(c, why);
	c->stopped = true;
}

void controller_lose_jumps(struct controller *c, const char *why)
{
	levers_begin_round(&c->levers);
	if (c->state == CONTROLLER_PROBE)
		rest(c, ACTION_RESUME);
	if (levers_moved(&c->levers))
		withdraw(c, why);
	c->rule.can_jump = c->rule.can_rest = false;
}

/* Whether one begins. */
static bool probe(struct controller *c, const struct view *v)
{
	enum probing_step step =
		can_probe(c) ? probing_round(&c->probing, v->r->samples, c->low) : PROBING_NOT_YET;
	if (step == PROBING_SAMPLE)
		set_sampling(c, false, "to see again how old objects get");
	if (step != PROBING_NOW)
		return false;
	rest(c, ACTION_REST);
	enter(c, CONTROLLER_PROBE);
	c->settling = c->grounds.before.rounds ? 0 : SETTLE_COLLECTIONS;
	return true;
}

static int hold(struct controller *c, const struct view *v)
{
	tell_outcome(c, v);
	if (!judge(c, v))
		return ERR_NONE;
	c->held_rounds++;
	if (!probe(c, v) && c->held_rounds >= MEASURES_JUDGED)
		stay_calm(c);
	return ERR_NONE;
}

static int settling(struct controller *c, const struct view *v)
{
	if (!is_settled(c, v->r))
		return ERR_NONE;
	enter(c, CONTROLLER_HOLD);
	return hold(c, v);
}

static void keep(struct controller *c, const struct plan *p, const struct view *v)
{
	levers_keep(&c->levers, "it still pays");
	probing_kept(&c->probing);
	c->trusted = c->probing.after;
	grounds_foretell(&c->grounds, v, &p->stays);
	c->told = false;
	settle(c, CONTROLLER_SETTLE);
}

/* A threshold alone is worth the little that they gave beside it. */
static bool leaves_jumps(const struct controller *c, const struct plan *p)
{
	return c->levers.jump.list.count && !p->jump && p->most < THRESHOLD_MOST;
}

/* The first round's figures are no measure: most that is young was born before it. Where there is
 * none to judge by, the probe goes on until there is. */
static int judge_probe(struct controller *c, const struct view *v)
{
	int err = planner_make_room(&c->planner, v->s->count);
	if (err || !is_settled(c, v->r))
		return err;
	if (!c->grounds.before.rounds && c->rounds > 1)
		look_before(c, v);
	c->grounds.held = v->s->held;
	struct plan p = make_plan(c, v);
	note_flag(c, &p, v);
	rest(c, ACTION_RESUME);
	double least = KEPT_GAIN * c->rule.least_gain;
	if (may_act(c) && p.now.cost - p.stays.cost < least * p.now.cost) {
		withdraw(c, "it would not pay any more");
		return ERR_NONE;
	}
	if (!may_act(c) ||
		(!leaves_jumps(c, &p) && p.then.cost > p.stays.cost * (1 - SWITCH_GAIN))) {
		keep(c, &p, v);
		return ERR_NONE;
	}
	carry_out(c, &p, v);
	return ERR_NONE;
}

typedef int state_round(struct controller *c, const struct view *v);
static const struct {
	state_round *round;
	const char *text;
} states[CONTROLLER_STATES] = {
	[CONTROLLER_LEARN] = {learn, "learning"},
	[CONTROLLER_SETTLE] = {settling, "settling"},
	[CONTROLLER_HOLD] = {hold, "holding"},
	[CONTROLLER_PROBE] = {judge_probe, "probing"},
	[CONTROLLER_WAIT] = {wait, "waiting"},
};

int controller_round(struct controller *c, const struct snapshot *s, const struct round *r,
	const struct choose_edge *edges, size_t edge_count)
{
	struct view v = {s, r, edges, edge_count};
	levers_begin_round(&c->levers);
	c->outcome.told = false;
	if (c->stopped || !r->count)
		return ERR_NONE;
	c->rounds++;
	c->age += r->count;
	return states[c->state].round(c, &v);
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
		settle(c, CONTROLLER_SETTLE);
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
	c->levers.most = most < THRESHOLD_MOST ? most : THRESHOLD_MOST;
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

void controller_refused(struct controller *c, const struct action *a)
{
	levers_refuse(&c->levers, a);
	if (a->lever == LEVER_THRESHOLD)
		c->rule.can_set_threshold = false;
	if (!levers_moved(&c->levers) &&
		(c->state == CONTROLLER_SETTLE || c->state == CONTROLLER_HOLD))
		enter(c, CONTROLLER_LEARN);
}

struct cost controller_cost(const struct controller *c, bool *measured)
{
	return costing_of(&c->costing, &c->rule.cost, measured);
}

enum controller_state controller_state(const struct controller *c)
{
	return c->state;
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
