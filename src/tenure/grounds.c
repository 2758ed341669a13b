#include "tenure/grounds.h"

#include <math.h>

enum { LOUD = 1 << MEASURE_COPIED | 1 << MEASURE_PROMOTED };
#define MORE_FULL 2 /* times the share of rounds */
#define ALONE     2 /* times `changed`: CPU that has only its own rounds to be judged by */

void grounds_init(struct grounds *e)
{
	*e = (struct grounds){.fit = {.value = 1}, .foretold_early = (double)NAN};
}

static void fit(struct grounds *e, const struct view *v)
{
	double copied = round_total(v->r, ROUND_COPIED);
	if (isfinite(copied))
		e->fit = fit_of(v->s, snapshot_held(v->s), view_in_window(v, copied),
			view_in_window(v, round_total(v->r, ROUND_FOUND)));
}

/* In a round of which all is known. */
static void add_others(struct grounds *e, const struct view *v)
{
	double copied = round_total(v->r, ROUND_COPIED), seen = v->s->copied.bytes;
	if (seen > 0 && round_total(v->r, ROUND_BLIND) <= 0)
		fit_add_others(&e->fit, v->s, copied / seen);
}

void grounds_refit(struct grounds *e, const struct view *v)
{
	const struct round end = round_end(v->r, v->r->count / ROUND_GROUPS);
	struct view last = *v;
	last.r = &end;
	fit(e, &last);
}

void grounds_renew(struct grounds *e, const struct round *r)
{
	const struct round end = round_end(r, r->count / 2);
	measures_clear(&e->before);
	measures_add(&e->before, &end);
}

void grounds_before(struct grounds *e, const struct view *v)
{
	measures_add(&e->before, v->r);
	fit(e, v);
	add_others(e, v);
	e->held = *snapshot_held(v->s);
	e->births = round_total(v->r, ROUND_ALLOCATED) / v->r->count;
}

void grounds_settle(struct grounds *e)
{
	e->rot = (struct rot){.early.bytes = {0}};
	e->doubtful = false;
}

void grounds_forget(struct grounds *e)
{
	e->doubtful = false;
	measures_clear(&e->before);
	measures_clear(&e->since);
}

void grounds_foretell(struct grounds *e, const struct view *v, const struct forecast *f)
{
	e->foretold = view_for_each_byte(v, f->copied.bytes);
	e->foretold_early = view_for_each_byte(v, f->early.bytes);
	e->foretold_error = view_for_each_byte(v, f->error);
}

void grounds_unsay(struct grounds *e)
{
	e->foretold = 0;
	e->foretold_early = (double)NAN;
	e->copied_much = false;
}

static void say_worse(struct diag *d, const char *what, enum measure m)
{
	diag_set(d, 0, "%s: %s rose by more than chance", what, measure_text(m));
}

/* Where what was sent to the old generation may die there, more is sampled. */
static enum rot_verdict rots(struct grounds *e, const struct view *v, bool *more)
{
	struct rot_before before = {
		e->foretold, e->foretold_early, e->held, e->births, e->fit.value};
	enum rot_verdict verdict = rot_round(&e->rot, &v->s->early, v->r, &before);
	*more = verdict == ROT_MAYBE;
	return verdict;
}

/* What the program does beyond what it did: MEASURES: nothing. */
static enum measure departure(
	const struct grounds *e, const struct grounds_rule *rule, const struct round *r)
{
	enum measure m = measures_departed(&e->since, r, rule->changed, LOUD);
	if (m == MEASURES) /* levers never make it copy more */
		m = measures_departed(&e->before, r, rule->changed, 1 << MEASURE_COPIED);
	if (m == MEASURES && !e->before.rounds) /* nor is there another measure of what it costs */
		m = measures_departed(&e->since, r, ALONE * rule->changed, 1 << MEASURE_COST);
	return m;
}

/* In two rounds, one after the other. */
static enum measure change(
	struct grounds *e, const struct grounds_rule *rule, const struct round *r)
{
	enum measure m = departure(e, rule, r);
	bool again = e->doubtful;
	e->doubtful = m != MEASURES;
	if (again && !e->doubtful)
		measures_add(&e->since, &e->doubt);
	else if (!again && e->doubtful)
		e->doubt = *r;
	return again ? m : MEASURES;
}

/*
 * What the program does that was not so before: then only a probe can tell what the levers are
 * worth. What dies early is held to what was foretold; where nothing was (a file's decisions, until
 * a probe), the ages of before are not known to hold it to, nor how large eden was then; nor do
 * they tell where before had other thresholds than what is looked at has ages (ROT_LOOK).
 */
static bool say_change(struct grounds *e, const struct grounds_rule *rule, const struct round *r,
	enum rot_verdict rot, struct diag *why)
{
	enum measure m = change(e, rule, r);
	if (m != MEASURES)
		say_worse(why, "the program does something else", m);
	else if (rot == ROT_LOOK)
		diag_set(why, 0, "it may be that much dies early in the old generation");
	return why->text[0];
}

/* As a sentence; none: it costs no more. */
static void say_dearer(const struct grounds *e, const struct grounds_rule *rule, struct diag *why)
{
	enum measure worse = measures_worse(&e->before, &e->since, 1 << MEASURE_COST, rule->worse);
	if (worse != MEASURES)
		say_worse(why, "it did not pay", worse);
	else if (measures_dearer(&e->before, &e->since, e->foretold_early, rule->worse))
		diag_set(why, 0, "it did not pay: it makes the collector mark");
}

/*
 * Rounds with full collections are far more than they were: a heap that fills has them with the
 * levers or without, and they cost more than all else. Whose they are only a probe can tell, which
 * is the new measure.
 */
static bool has_filled(const struct grounds *e)
{
	const struct measures *was = &e->before, *is = &e->since;
	return was->rounds && is->full * was->rounds > MORE_FULL * was->full * is->rounds;
}

/*
 * Bytes copied are counted, and say sooner than the collector's CPU that a setting does not pay:
 * where what jumped dies in the old generation, and keeps alive what it refers to. But the program
 * may do something else than when it was measured. So that is done anew first, but for what a run
 * that learns was wrong to expect, which it may take again later; what is so then as well the
 * levers do.
 */
static enum verdict say_copied(struct grounds *e, const struct grounds_rule *rule, struct diag *why)
{
	bool again = e->copied_much;
	if (e->since.rounds < MEASURES_JUDGED)
		return VERDICT_STAY;
	bool nothing = e->foretold > 0 &&
		       measures_brought_nothing(&e->before, &e->since, e->foretold, rule->changed);
	bool more = measures_worse(&e->before, &e->since, 1 << MEASURE_COPIED, rule->changed) !=
		    MEASURES;
	const char *what = more ? "more is copied than before" : "as much is copied as before";
	e->copied_much = nothing || more;
	if (!e->copied_much)
		return VERDICT_STAY;
	bool sure = again || !rule->can_probe || (nothing && !rule->for_good);
	diag_set(why, 0, "%s%s", sure ? "it did not pay: " : "", what);
	return sure ? VERDICT_BACK : VERDICT_LOOK;
}

static enum verdict say_loss(
	struct grounds *e, const struct grounds_rule *rule, bool early, struct diag *why)
{
	if (early) {
		diag_set(why, 0, "more than was foretold dies early in the old generation");
		return VERDICT_BACK;
	}
	say_dearer(e, rule, why);
	if (why->text[0] && rule->can_probe && has_filled(e)) {
		diag_set(why, 0,
			"the heap has filled: there are more full collections, and what the "
			"collector costs rose by more than chance");
		return VERDICT_LOOK;
	}
	return why->text[0] ? VERDICT_BACK : say_copied(e, rule, why);
}

enum verdict grounds_judge(struct grounds *e, const struct view *v, const struct grounds_rule *rule,
	struct diag *why, bool *more)
{
	*why = (struct diag){""};
	enum rot_verdict rot = rots(e, v, more);
	bool early = rot == ROT_YES, changed = say_change(e, rule, v->r, rot, why);
	if (changed && rule->can_probe && !early)
		return VERDICT_LOOK;
	if (!e->doubtful)
		measures_add(&e->since, v->r);
	if (changed && !rule->can_probe)
		return VERDICT_BACK;
	return say_loss(e, rule, early, why);
}
