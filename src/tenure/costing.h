/*
 * What a copy costs on this machine, for each object and for each byte, from what the collector
 * itself takes: a regression of its CPU on what it copied, that holds on to a prior until the data
 * tell objects and bytes apart (doc/metrics.md, "Tenure", Cost).
 */
#ifndef TENURE_COSTING_H
#define TENURE_COSTING_H

#include <stdbool.h>

#include "tenure/cost.h"
#include "tenure/round.h"

enum { COSTING_FIGURES = 3 }; /* what takes CPU: a collection as such, its bytes, its objects */

/* Sums over rounds, the last ones count most. All zeros at first. */
struct costing {
	double count, cpu, squares;
	double by[COSTING_FIGURES], both[COSTING_FIGURES][COSTING_FIGURES];
};

/* A collection, or the mean of some, that copied so much and took so many ns of CPU. What is not
 * finite is passed over. */
void costing_add(struct costing *c, struct amount copied, double cpu);
/* The mean of the round's collections, with its objects for each byte: known of the whole alone. */
void costing_round(struct costing *c, const struct round *r, double objects_a_byte);
/*
 * The prior, or what was measured: a quarter of the prior to four times as much. *measured: which;
 * may be NULL.
 */
struct cost costing_of(const struct costing *c, const struct cost *prior, bool *measured);

#endif
