/*
 * The Kaplan–Meier curve over ages, weighted, with intervals from the beta product: doc/metrics.md,
 * "survival".
 */
#ifndef STAT_SURVIVAL_H
#define STAT_SURVIVAL_H

#include "stat/ages.h"
#include "stat/curve.h"

/* *c is overwritten, to be given to curve_release. 0 or ERR_NOMEM (then *c is empty). An empty
 * accumulator gives an empty curve with known = 0. */
int survival_curve(const struct ages *a, struct curve *c);
/* The same, but a census too is taken as a sample of the objects there might have been: what one
 * object tells of the next is as uncertain then as it ever is. */
int survival_sample_curve(const struct ages *a, struct curve *c);

#endif
