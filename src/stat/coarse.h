/*
 * How coarsely a run was sampled in its course: what a sample stands for changes with the stacks
 * that are walked and with the interval. A place that has samples of the fine kind only may have
 * been missed by the coarse ones. Zero is valid: nothing is known of it. doc/metrics.md, "change".
 */
#ifndef STAT_COARSE_H
#define STAT_COARSE_H

#include <stddef.h>

enum { COARSE_MOST = 32 };

/* The unit is that of what is compared, bytes or bytes a second. */
struct coarse_level {
	double unit;  /* what a sample stands for */
	double spare; /* variance of each unit that is allocated: less than `unit` by what is seen
		       */
	double room;  /* what was allocated of all places meanwhile, estimated */
};

struct coarse {
	struct coarse_level at[COARSE_MOST]; /* the coarsest first; in powers of 2 */
	size_t count;
};

/* Those of the same power of 2 are one, as coarse as the coarser; beyond COARSE_MOST of them one
 * joins the next. */
void coarse_add(struct coarse *c, const struct coarse_level *level);

/* The largest variance that `amount` can have of which `own` is each unit's where nothing coarser
 * was in force: as much as there is room for at the coarsest, then at the next. */
double coarse_variance(const struct coarse *c, double amount, double own);
/* The fewest samples that may be expected of it; infinity where nothing is known. */
double coarse_samples(const struct coarse *c, double amount);

#endif
