/*
 * The windows of a run in which memory churn hurts most, and what made it there: Weninger, Gander
 * and Mössenböck 2020. Definitions: doc/metrics.md, "Garbage series" to "Garbage of a window".
 * In two passes over the trace: the first finds the windows, the second looks into them.
 */
#ifndef ANALYZE_CHURN_H
#define ANALYZE_CHURN_H

#include "analyze/series.h"
#include "analyze/window.h"
#include "base/diag.h"
#include "stat/scan.h"

struct churn_window {
	uint64_t from, to;           /* ns */
	double bytes;                /* garbage, by the series */
	double rate;                 /* of it, bytes a second */
	double p;                    /* NaN: chosen by hand */
	uint64_t collections, pause; /* that ended in it; ns of pauses that lie in it */
	uint64_t first_gc;           /* number of the first of these, from 1; 0 none */
};

struct churn {
	struct series series;
	double rate; /* of the run, bytes a second */
	double p;    /* of the window that came nearest, where none stands out */
	bool by_hand;
	VEC(struct churn_window) windows; /* owned; the strongest first */
	struct windows looks;             /* owned; into each of these, filled by a second replay */
};

struct churn_range {
	uint64_t from, to; /* ns */
};

/* The first pass: listen with this, then call churn_find. */
struct churn_survey {
	struct marks marks;
	struct account_marks accounts;
};
struct listener churn_survey_listener(struct churn_survey *s);
void churn_survey_release(struct churn_survey *s);

struct churn_query {
	size_t limit;            /* windows to look for */
	struct churn_range hand; /* to > from: that window and no other */
	bool by_thread;
};

/* *out is overwritten, to be given to churn_release. 0, ERR_USAGE (the window chosen is outside of
 * the run, with a sentence) or ERR_NOMEM. */
int churn_find(struct churn *out, const struct model *m, const struct churn_survey *s,
	const struct churn_query *q, struct diag *d);
void churn_release(struct churn *c);

/*
 * The second pass: listen with windows_listener(&c->looks) to the same trace from its beginning,
 * then windows_settle.
 */

#endif
