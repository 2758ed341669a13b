/*
 * A survival curve: p(t), the probability that an object outlives t, with its 95 % interval.
 * Steps at the points, which rise in t and fall in p; p(0) = 1. The same for clocks that count
 * (collections) and clocks that flow (bytes, time).
 */
#ifndef STAT_CURVE_H
#define STAT_CURVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct curve_point {
	uint64_t t;
	double p, lo, hi;
	double risk; /* effective number of samples known to have outlived t */
};

struct curve {
	VEC(struct curve_point) points; /* owned */
	uint64_t known; /* the largest t with p known; UINT64_MAX where p reached 0 */
	double n_eff;   /* effective sample size of the whole (Kish) */
	double died;    /* of it, the share by weight whose death was seen */
	bool counts;    /* t counts collections: a death at age a drops p at t = a + 1 */
	bool converged; /* false where the fit of a flowing clock stopped at its cap of iterations
			 */
};

/* The point of any t. Where p is unknown (past `known`) it is NaN, with lo 0 and hi the last bound.
 */
struct curve_point curve_at(const struct curve *c, uint64_t t);
void curve_release(struct curve *c);

#endif
