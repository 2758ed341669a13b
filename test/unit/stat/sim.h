/*
 * A population with a known truth, seen as the profiler would see it: sampled by bytes, thinned,
 * lost at random. For tests of coverage.
 */
#ifndef UNIT_STAT_SIM_H
#define UNIT_STAT_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/rng.h"

enum { SIM_AGES = 40 };

struct sim_life {
	const char *name;
	double (*hazard)(uint32_t age); /* of dying in the collection after this age */
};

extern const struct sim_life sim_lives[];
extern const size_t sim_life_count;

struct sim_plan {
	uint64_t interval;    /* 0: every object */
	uint64_t least, most; /* sizes, log-uniform between */
	uint32_t track;       /* one in so many is followed */
	double lost;          /* chance a collection of being evicted */
	/* Births are uniform over so many collections before the end; 0: all is seen. */
	uint32_t end;
	double large; /* objects of 256 B and more have this part of the hazard; 0: all of it */
};

struct sim_object {
	uint64_t size;
	uint32_t age; /* true age at death, at most SIM_AGES */
	bool sampled, died;
	uint32_t seen; /* age at death or when lost */
	double weight;
};

/* S(t) of a life. */
double sim_truth(const struct sim_life *life, uint32_t t);
struct sim_object sim_draw(struct rng *r, const struct sim_plan *plan, const struct sim_life *life);
uint64_t sim_size(struct rng *r, uint64_t least, uint64_t most);

#endif
