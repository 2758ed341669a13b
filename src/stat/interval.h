/*
 * The survival curve on a clock that flows. p is the non-parametric maximum likelihood estimate
 * from interval-censored deaths (Turnbull 1976); lo is the lower limit of the curve that places
 * each death as early as it can have been, hi the upper limit of the one that places it as late:
 * what the collections could not resolve is inside the interval. doc/metrics.md, "survival on a
 * clock".
 */
#ifndef STAT_INTERVAL_H
#define STAT_INTERVAL_H

#include "stat/curve.h"
#include "stat/spans.h"

/* *c is overwritten, to be given to curve_release. 0 or ERR_NOMEM (then *c is empty). Points are at
 * bin edges. */
int interval_curve(const struct spans *s, struct curve *c);

#endif
