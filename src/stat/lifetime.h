/* Quantiles of the lifetime, read off a survival curve. NaN is "not known": the curve does not fall
 * that far. */
#ifndef STAT_LIFETIME_H
#define STAT_LIFETIME_H

#include "stat/curve.h"

struct lifetime {
	double value;
	double lo, hi; /* 95 %: read off the curve's interval; hi is NaN where nothing bounds it */
};

/*
 * The smallest lifetime that a share q (0 < q < 1) of the objects does not exceed: on a clock
 * that counts, the age at death (0: in the first collection); on one that flows, the edge by
 * which they were dead.
 */
struct lifetime lifetime_quantile(const struct curve *c, double q);

#endif
