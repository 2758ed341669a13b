/*
 * What a collector with survivor spaces copies, from how many collections the bytes outlive:
 * doc/metrics.md, "Copies" and "Counterfactuals". All are shares: for each byte allocated.
 */
#ifndef ANALYZE_ADVISE_COPIES_H
#define ANALYZE_ADVISE_COPIES_H

#include "stat/curve.h"

enum {
	TENURING_MOST = 15, /* of HotSpot: ages have four bits */
	COPIES_TIMES = 4,   /* the largest young generation that is asked about, in today's */
	COPIES_AGES = COPIES_TIMES * (TENURING_MOST + 1)
};

/* p[a]: the share of the bytes that outlives a collections of the young generation; p[0] is 1. */
struct copies_life {
	double p[COPIES_AGES + 1];
};
enum copies_limit { COPIES_VALUE, COPIES_LO, COPIES_HI };

/* By bytes, on the young clock. Where p is not known it stays as it last was, its lower limit is 0.
 */
struct copies_life copies_life_of(const struct curve *c, enum copies_limit limit);

/* Bytes copied, each time counted, where objects are copied at most `threshold` times before they
 * are promoted (which is a copy too), with a young generation `times` (1 … COPIES_TIMES) as large.
 */
double copies_copied(const struct copies_life *l, unsigned threshold, unsigned times);
/* Bytes that reach the old generation. */
double copies_promoted(const struct copies_life *l, unsigned threshold, unsigned times);

/* How often each threshold held: shares of what was born. */
struct copies_held {
	double share[TENURING_MOST + 1];
};
typedef double copies_of(const struct copies_life *l, unsigned threshold, unsigned times);
/* The mean over the thresholds that held, each cut to `most`. */
double copies_mean(copies_of *of, const struct copies_life *l, const struct copies_held *held,
	unsigned most, unsigned times);

#endif
