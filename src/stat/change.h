/* How much a quantity changed between two groups of runs: doc/metrics.md, "change". */
#ifndef STAT_CHANGE_H
#define STAT_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/coarse.h"
#include "stat/spread.h"

/* One run: an estimate and its sampling variance, in the unit that is compared. */
struct change_run {
	double value, variance; /* value: NaN where it is not known, in a group of its own */
	double samples;         /* that it rests on, */
	double exposure; /* how much was looked at, and how closely: for what is missing on a side
			  */
	double objects;
	bool counted;  /* each object was: where there is no variance there is no error */
	double births; /* variance by which objects are born; at least that of objects of one size
			*/
	const struct coarse *coarse; /* borrowed; NULL: all was sampled as closely, or counted */
};

struct change {
	double a, b;   /* means; NaN: not known */
	double ratio;  /* b / a; 0: gone, infinity: new, NaN: neither is there, or one not known */
	double lo, hi; /* of the ratio, 95 %; NaN where it has none */
	double p;      /* of no change; NaN where it can't be told */
};

/* How the runs of it differ, for spread_estimate. Both groups have a run at least, here and below.
 */
struct spread_row change_spread(
	const struct change_run *a, size_t count_a, const struct change_run *b, size_t count_b);

/* `spread`: of all that is compared beside it; NULL, or if it tells nothing: how runs differ is
 * told by these runs alone. */
struct change change_of(const struct change_run *a, size_t count_a, const struct change_run *b,
	size_t count_b, const struct spread *spread);

#endif
