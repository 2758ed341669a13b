/*
 * What a setting of the levers gives at the least and at the most, when objects have been looked at
 * up to some age only, whatever becomes of them then: for ending a round as soon as it is clear
 * (doc/metrics.md, "Tenure").
 */
#ifndef TENURE_BRACKET_H
#define TENURE_BRACKET_H

#include "tenure/cost.h"
#include "tenure/forecast.h"
#include "tenure/snapshot.h"

/* Collections of their lives in which objects were looked at. */
struct sight {
	uint32_t stay; /* those that don't jump */
	uint32_t jump; /* those that do, while jumps are without effect */
};

/* ns of CPU in the snapshot's window: what it saves beyond the part of the cost that it must, with
 * two standard errors of sampling. */
struct bracket {
	double least, most;
};

/* held: thresholds in force while no lever is moved; part: of the cost with none. */
struct bracket bracket_of(const struct snapshot *s, const struct held *held,
	const struct setting *set, const struct cost *cost, double part, const struct sight *seen);
/* Whether it certainly saves that much, or certainly not. */
bool bracket_is_clear(const struct bracket *b);

#endif
