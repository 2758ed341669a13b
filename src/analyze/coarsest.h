/*
 * How coarsely a recording sampled, by its configurations: doc/metrics.md, "Thinning", "total" and
 * "change".
 */
#ifndef ANALYZE_COARSEST_H
#define ANALYZE_COARSEST_H

#include "model/model.h"
#include "stat/coarse.h"
#include "stat/total.h"

struct coarse_kind {
	uint64_t size;   /* of an object */
	bool lives;      /* of those that are followed: else of all that are sampled */
	double exposure; /* what amounts are divided by */
};

/* Nothing where all was sampled as closely. */
struct coarse coarse_of(const struct model *m, const struct coarse_kind *k);
/* The coarsest that three samples or more were as coarse as; zero where all were alike, or objects
 * were counted. */
struct total_coarse coarsest_of(const struct model *m);

#endif
