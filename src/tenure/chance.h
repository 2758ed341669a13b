/*
 * What chance does to the share of a place's objects that outlives a collection, by the samples
 * that came to it: doc/metrics.md, "Tenure".
 */
#ifndef TENURE_CHANCE_H
#define TENURE_CHANCE_H

#include "tenure/snapshot.h"

/* Of all samples of an age, how many stood: a place alone has few. Over 0, and less than 1. */
struct chance {
	double ratio[TENURE_AGES];
};

struct chance chance_of(const struct snapshot *s);
/* Relative variance of a place's ratio of one age, were it that; 0 where nothing of it came there.
 */
double chance_of_all(const struct chance *c, const struct passage *p, uint32_t age);
/* The same with the ratio that the place has itself. */
double chance_at_age(const struct passage *p, uint32_t age);
/* Relative variance of how much was born there; 0: nothing was. */
double chance_at_birth(const struct passage *p);

#endif
