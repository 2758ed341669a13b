/*
 * A straight line through points of which some lie far off: the median of the slopes of all pairs
 * (Theil 1950), with the interval that Kendall's rank test gives (Sen 1968).
 */
#ifndef STAT_TREND_H
#define STAT_TREND_H

#include <stddef.h>

enum {
	TREND_LEAST = 10, /* points: below it there is no slope */
	TREND_MOST = 1000 /* of more, so many spread evenly are taken: their pairs are sorted */
};

struct trend_point {
	double x, y;
};

/* All NaN where there are too few points, or none of different x. */
struct trend {
	double value, lo, hi; /* 95 % */
	double at_zero;       /* the median of y - value x */
};

/* *out is overwritten. 0 or ERR_NOMEM. */
int trend_find(struct trend *out, const struct trend_point *points, size_t count);

#endif
