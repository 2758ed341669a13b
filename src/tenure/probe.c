#include "tenure/probe.h"

#include "base/error.h"
#include "tenure/bracket.h"
#include "tenure/deciding.h"
#include "tenure/worth.h"

enum {
	SETTLE_COLLECTIONS = 16, /* until what was born under the levers is old or dead, at most */
	SEEN_LATE = 1,           /* collections */
	MEASURED_LEAST = 8       /* collections of a measure: two for each of its groups */
};
#define KEPT_GAIN   0.5  /* of least_gain: a setting that still gives that is kept */
#define SWITCH_GAIN 0.05 /* that another setting must give beyond the one in force */

void probe_rest(struct controller *c, enum action_kind kind)
{
	const char *why = kind != ACTION_REST ? "seen"
			  : c->probing.asked  ? c->asked.text
					      : "to see again how old objects get";
	levers_rest(&c->levers, kind, c->rule.can_rest, why);
}

bool probe_can(const struct controller *c)
{
	return !c->rule.learn_only && (c->levers.most < THRESHOLD_MOST || c->rule.can_rest);
}

bool probe_begins(struct controller *c, const struct view *v)
{
	enum probing_step step =
		probe_can(c) ? probing_round(&c->probing, v->r->samples, c->low) : PROBING_NOT_YET;
	if (step == PROBING_SAMPLE)
		controller_sample(c, false, "to see again how old objects get");
	if (step != PROBING_NOW)
		return false;
	probe_rest(c, ACTION_REST);
	controller_enter(c, CONTROLLER_PROBE);
	c->settling = c->grounds.before.rounds ? 0 : SETTLE_COLLECTIONS;
	return true;
}

/* Where a file is only applied, nobody has asked that. */
static const char *why_kept(const struct controller *c)
{
	return deciding_may_act(c) ? "it still pays"
				   : "the decisions file says so; what it costs is measured now";
}

static void keep(struct controller *c, const struct plan *p, const struct view *v)
{
	levers_keep(&c->levers, why_kept(c));
	probing_kept(&c->probing);
	c->trusted = c->probing.after;
	if (!c->cut) { /* a part of a round is enough to tell that it pays, but not how much */
		grounds_foretell(&c->grounds, v, &p->stays);
		c->told = false;
	}
	controller_settle(c, CONTROLLER_SETTLE);
}

/* What was measured at a start, or before the program did something else, would let any setting
 * look like a gain. */
static void change(struct controller *c, const struct plan *p, const struct view *v, bool measured)
{
	if (!c->cut && !measured)
		grounds_renew(&c->grounds, v->r);
	deciding_carry_out(c, p, v);
}

/* A threshold alone is worth the little that they gave beside it. */
static bool leaves_jumps(const struct controller *c, const struct plan *p)
{
	return c->levers.jump.list.count && !p->jump && p->most < THRESHOLD_MOST;
}

enum finding { FINDING_KEEP, FINDING_CHANGE, FINDING_WITHDRAW };

/* A file's decisions alone are judged by what they cost. Where the setting pays no more, but
 * another one would be taken if none were in force, it is. */
static enum finding finding_of(
	const struct controller *c, const struct plan *p, const struct view *v)
{
	double least = KEPT_GAIN * c->rule.least_gain;
	if (!deciding_may_act(c))
		return FINDING_KEEP;
	if (!worth_knowing(v->s, v->r))
		return FINDING_WITHDRAW;
	if (p->now.cost - p->stays.cost < least * p->now.cost)
		return deciding_is_worth(c, v, p) ? FINDING_CHANGE : FINDING_WITHDRAW;
	bool other = leaves_jumps(c, p) || p->then.cost <= p->stays.cost * (1 - SWITCH_GAIN);
	return other ? FINDING_CHANGE : FINDING_KEEP;
}

/* ---- as soon as it is clear ---- */

/* Of the round's collections, those that tell how old objects get. */
static uint32_t telling(const struct view *v)
{
	return v->r->count > v->r->spilt ? v->r->count - v->r->spilt : 0;
}

/* And in which the bound had no effect any more. */
static uint32_t unbounded(const struct controller *c, const struct view *v)
{
	double share = 0;
	for (uint32_t t = c->levers.most + 1; t <= THRESHOLD_MOST; t++)
		share += v->s->held.share[t];
	return (uint32_t)(share * telling(v) + 0.5);
}

/* The last collection's deaths may not all have been told of yet, and it is left out (`SEEN_LATE`).
 * What was young when the bound went gets one collection older in each of them, and what no longer
 * jumps begins with the first: some of it may have been made before the levers rested. */
static struct sight sight_of(const struct controller *c, const struct view *v)
{
	uint32_t without = unbounded(c, v), all = telling(v);
	without -= without < SEEN_LATE ? without : SEEN_LATE;
	all -= all < SEEN_LATE ? all : SEEN_LATE;
	bool bounded = c->levers.most < THRESHOLD_MOST;
	return (struct sight){
		.stay = bounded ? c->levers.most + (without ? without : 1) : TENURE_AGES,
		.jump = all > 1 ? all - 1 : 1};
}

/* Whether the levers certainly pay, or certainly don't, whatever becomes of what is not so old yet;
 * and the round would end with the same. What is to be changed is looked at to the end. */
static bool pays_clearly(struct controller *c, const struct view *v)
{
	if (planner_make_room(&c->planner, v->s->count))
		return false;
	struct sight seen = sight_of(c, v);
	struct cost cost = controller_cost(c, NULL);
	struct setting now = planner_in_force(&c->planner, v, &c->levers);
	double part = KEPT_GAIN * c->rule.least_gain;
	struct bracket b = bracket_of(v->s, &c->grounds.held, &now, &cost, part, &seen);
	if (!bracket_is_clear(&b))
		return false;
	struct plan p = deciding_plan(c, v);
	return finding_of(c, &p, v) ==
	       (b.least > 0 || !deciding_may_act(c) ? FINDING_KEEP : FINDING_WITHDRAW);
}

/* All that is young was born under it: the oldest that it lets objects get have gone through all of
 * their ages. */
static bool has_settled(const struct controller *c, const struct view *v)
{
	uint32_t without = c->levers.most < THRESHOLD_MOST ? unbounded(c, v) : v->r->count - 1;
	return without > v->s->threshold;
}

/* What the collector costs or copies without the levers is held to what it did with them. */
static bool differs_clearly(const struct controller *c, const struct view *v)
{
	return v->r->count >= MEASURED_LEAST && c->grounds.since.rounds >= MEASURES_JUDGED &&
	       measures_apart(&c->grounds.since, v->r, 1 << MEASURE_COST | 1 << MEASURE_COPIED,
		       c->rule.worse);
}

/*
 * What is copied is counted, and not sampled. It rises with each collection, as what was young when
 * the levers rested grows older: what is copied more already is less than what it will be, and how
 * far its groups lie apart says nothing of noise. Where the collector's cost was never held to what
 * it was before, that must have risen as well.
 */
static bool copies_more(const struct controller *c, const struct view *v)
{
	const struct grounds *g = &c->grounds;
	struct measures now = {0};
	if (telling(v) < MEASURED_LEAST || g->since.rounds < MEASURES_JUDGED)
		return false;
	measures_add(&now, v->r);
	return gauge_departed(
		       &g->since.of[MEASURE_COPIED], &now.of[MEASURE_COPIED], c->rule.worse) &&
	       (g->before.rounds ||
		       gauge_departed(&g->since.of[MEASURE_COST], &now.of[MEASURE_COST], 0));
}

/* Whether more is copied without the levers, and that is more than what dies early with them. What
 * has not been seen to its end by now was spared so many copies that the two of an early death
 * don't count. */
static bool spares_copies(struct controller *c, const struct view *v)
{
	if (!copies_more(c, v) || planner_make_room(&c->planner, v->s->count))
		return false;
	struct plan p = deciding_plan(c, v);
	return finding_of(c, &p, v) == FINDING_KEEP;
}

bool probe_is_clear(struct controller *c, const struct view *v)
{
	if (spares_copies(c, v))
		return true;
	if (c->settling)
		return has_settled(c, v);
	if (!c->grounds.before.rounds && !differs_clearly(c, v))
		return false;
	return pays_clearly(c, v);
}

/* The first round's figures are no measure: most that is young was born before it. Where there is
 * none to judge by, the probe goes on until there is. The collector's thresholds come to rest late,
 * so what was known of them is better than a part of a round. */
int probe_round(struct controller *c, const struct view *v)
{
	int err = planner_make_room(&c->planner, v->s->count);
	bool spares = c->cut && spares_copies(c, v);
	if (c->cut && c->settling)
		c->settling = spares ? 0 : 1;
	if (err || !controller_is_settled(c, v->r))
		return err;
	bool measured = !c->grounds.before.rounds && c->rounds > 1;
	if (measured)
		deciding_look_before(c, v);
	if (!c->cut || !c->grounds.before.rounds || measured) {
		c->grounds.held = *snapshot_held(v->s);
	}
	if (!c->cut && !measured)
		grounds_refit(&c->grounds, v);
	struct plan p = deciding_plan(c, v);
	deciding_note_flag(c, &p, v);
	probe_rest(c, ACTION_RESUME);
	enum finding finding = finding_of(c, &p, v);
	if (finding == FINDING_WITHDRAW)
		controller_withdraw(c, "it would not pay any more");
	else if (finding == FINDING_CHANGE)
		change(c, &p, v, measured);
	else
		keep(c, &p, v);
	return ERR_NONE;
}

int probe_revise(struct controller *c, const struct view *v)
{
	int err = planner_make_room(&c->planner, v->s->count);
	if (err)
		return err;
	c->lost = false;
	struct plan p = deciding_plan(c, v);
	deciding_note_flag(c, &p, v);
	enum finding finding = finding_of(c, &p, v);
	if (finding == FINDING_WITHDRAW)
		controller_leave(c, "it would not pay without what can't be done");
	else if (finding == FINDING_CHANGE)
		deciding_carry_out(c, &p, v);
	else
		grounds_foretell(&c->grounds, v, &p.stays);
	return ERR_NONE;
}
