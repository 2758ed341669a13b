/*
 * How much runs of one program differ beyond what is known to be chance: as all rows of a diff tell
 * together, since a few runs of one row hardly can. doc/metrics.md, "change".
 */
#ifndef STAT_SPREAD_H
#define STAT_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

enum { SPREAD_MOST = 40 };

/* The runs of one side of a row. Variances are relative: of amounts over their mean. */
struct spread_side {
	double seen;  /* variance between the runs; of amounts at most df + 1 */
	double known; /* variance of a run by sampling and births; over 0 */
	double df;    /* runs - 1; 0: there is no telling, and the others don't matter */
};

struct spread_row {
	struct spread_side sides[2];
};

/* What the variance of a run may have beyond the known, and how likely that is. */
struct spread {
	size_t count; /* 0: nothing tells */
	double excess[SPREAD_MOST];
	double chance[SPREAD_MOST]; /* 1 in all */
};

/* Whether anything is known of how the runs of this row differ. */
bool spread_tells(const struct spread_row *row);

/* Of rows at large; those that tell nothing, or of which little was sampled, are left out. 0 or
 * ERR_NOMEM. */
int spread_estimate(struct spread *out, const struct spread_row *rows, size_t count);

/* Of a row that tells: by what rows at large are like, and by its own runs. */
struct spread spread_of_row(const struct spread *all, const struct spread_row *row);

/* The variance of what is compared: known + share x excess. */
struct spread_error {
	const struct spread *spread; /* of the row; not empty */
	double known, share;         /* known: over 0 */
};

/* P(|X| > |x|) of a normal X that has this error; and the x of 5 %. */
double spread_tails(double x, const struct spread_error *e);
double spread_limit(const struct spread_error *e);

#endif
