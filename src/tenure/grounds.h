/*
 * What the levers are judged by: what rounds showed before any was moved, what was foretold, and
 * what came since. doc/tenure.md, "The controller".
 */
#ifndef TENURE_GROUNDS_H
#define TENURE_GROUNDS_H

#include "base/diag.h"
#include "tenure/forecast.h"
#include "tenure/measures.h"
#include "tenure/rot.h"
#include "tenure/view.h"

struct grounds {
	/* With no lever moved: measured last, and the ages' thresholds and fit then. */
	struct measures before;
	struct held held; /* snapshot_held */
	struct fit fit;
	double births; /* bytes allocated from one collection to the next, then; 0: not known */
	struct measures since;           /* with the levers as they are, once settled */
	double foretold, foretold_early; /* bytes for each byte allocated; 0, NaN: none was */
	double foretold_error;           /* standard error of foretold, by its samples */
	struct rot rot;                  /* since all had settled */
	/* A round of another kind than those since: once it may be a burst (mixed collections, who
	 * shares the machine), and is one of theirs if the next is not like it. */
	bool doubtful;
	struct round doubt;
	/* As much is copied as before, or more; a probe was asked for, to measure that anew. */
	bool copied_much;
};

/* Shares that count as a change; of controller_rule. */
struct grounds_rule {
	double worse, changed;
	bool can_probe;
	bool for_good; /* what is taken back nobody takes again: a file is only applied */
};

enum verdict {
	VERDICT_STAY,
	VERDICT_LOOK, /* the program does something else: only a probe can tell */
	VERDICT_BACK
};

void grounds_init(struct grounds *e);
/* A round with no lever moved: it is what a lever will be measured by. */
void grounds_before(struct grounds *e, const struct view *v);
/* What the ages say against the end of a whole round without levers, in which all is about as old
 * as it gets: for it and from now on. */
void grounds_refit(struct grounds *e, const struct view *v);
/* That is what another setting will be held to, in place of what was before. */
void grounds_renew(struct grounds *e, const struct round *r);
/* Levers were moved, or a probe is over: what is seen from the next settled round on counts. */
void grounds_settle(struct grounds *e);
/* What is measured is no measure any more. */
void grounds_forget(struct grounds *e);
void grounds_foretell(struct grounds *e, const struct view *v, const struct forecast *f);
/* No lever is moved: nothing is foretold. */
void grounds_unsay(struct grounds *e);
/* A settled round with the levers as they are. *why: a sentence, but for VERDICT_STAY. *more: more
 * samples would tell more. */
enum verdict grounds_judge(struct grounds *e, const struct view *v, const struct grounds_rule *rule,
	struct diag *why, bool *more);

#endif
