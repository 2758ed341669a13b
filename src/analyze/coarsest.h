/*
 * How coarsely a recording sampled, by its configurations: doc/metrics.md, "Thinning", "total" and
 * "change".
 */
#ifndef ANALYZE_COARSEST_H
#define ANALYZE_COARSEST_H

#include "model/model.h"
#include "stat/coarse.h"
#include "stat/total.h"

/* What compares one quantity of runs. */
struct coarse_kind {
	uint64_t size;   /* of an object */
	bool lives;      /* of those that are followed: else of all that are sampled */
	double exposure; /* what amounts are divided by */
};

/* Nothing where all was sampled as closely. */
struct coarse coarse_of(const struct model *m, const struct coarse_kind *k);
/*
 * How likely an object is to be seen: on average of what was allocated, by what the samples under
 * each configuration stand for. Those that no sample named count for next to nothing, but where
 * there are no others.
 */
double coarse_chance(const struct model *m, const struct coarse_kind *k);
/* The coarsest that three samples or more were as coarse as; zero where all were alike, or objects
 * were counted. */
struct total_coarse coarsest_of(const struct model *m);

#endif
