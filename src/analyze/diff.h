/*
 * What changed between two runs, or two groups of runs: doc/metrics.md, "Matching of places" and
 * "change".
 */
#ifndef ANALYZE_DIFF_H
#define ANALYZE_DIFF_H

#include "analyze/lifetime.h"
#include "stat/change.h"

#define DIFF_ALPHA 0.05 /* the largest p, after Holm, that is called a change */

struct diff_run {
	const struct model *model;   /* borrowed */
	const struct ledger *ledger; /* borrowed; settled */
};
struct diff_group {
	const struct diff_run *runs;
	size_t count; /* 1 at least */
};

/* What amounts are of. */
enum diff_per { PER_AUTO, PER_RUN, PER_SECOND };

enum unit { UNIT_BYTES, UNIT_COUNT, UNIT_NS };
enum figure {
#define FIGURE(name, word, unit, rate, what) FIGURE_##name,
#include "analyze/figure.def"
#undef FIGURE
	FIGURES
};
struct figure_row {
	const char *word, *what;
	enum unit unit;
	bool rate;
};
const struct figure_row *figure_row(enum figure f);

struct diff_row {
	char *class;                   /* owned; of rows by site and class, else NULL */
	char *place;                   /* owned; the method of rows by site, else the row's label */
	uint32_t line_a, line_b;       /* 0: not by line, or not there */
	struct change alloc, survived; /* bytes; survived: that outlived a collection */
	double p, survived_p;          /* of these, after Holm */
	double one_a, one_b; /* share of the bytes that outlive a collection; NaN: not known */
	double life_p;       /* lives are the same, after Holm; 1 where too few are known */
	bool changed, lives_changed;
};

struct diff {
	enum by by;
	enum diff_per per; /* PER_RUN or PER_SECOND */
	bool lives_known; /* of a run on each side, by collections of one kind: else not compared */
	struct change figures[FIGURES];
	VEC(struct diff_row) rows; /* owned; those that changed first, then by how much in bytes */
	size_t changed;            /* of them */
};

struct diff_query {
	enum by by;
	enum diff_per per;
	struct where where;
};

/* Whether a collection was seen that tells of deaths: else nobody knows what outlives one. */
bool diff_tells_lives(const struct model *m);
/* *out is overwritten, to be given to diff_release. 0 or ERR_NOMEM. */
int diff_find(struct diff *out, const struct diff_group *a, const struct diff_group *b,
	const struct diff_query *q);
void diff_release(struct diff *d);

#endif
