#include "tenure/early.h"

#include <math.h>

/* What dies after as many copies is better sent away at the first, although that is one more death
 * in the old generation (doc/tenure.md, "Cost"). */
enum { COPIES_MOST = 10 };

void early_look(struct early *e, uint64_t gap)
{
	for (uint32_t age = EARLY_LEAST; age < TENURE_AGES && age <= gap; age++)
		e->cohorts[age] += 1;
}

void early_death(struct early *e, uint64_t age, double bytes)
{
	if (age < EARLY_LEAST || age >= TENURE_AGES)
		return;
	e->bytes[age] += bytes;
	e->squares[age] += bytes * bytes;
}

void early_add(struct early *e, const struct early *more)
{
	for (uint32_t age = EARLY_LEAST; age < TENURE_AGES; age++) {
		e->bytes[age] += more->bytes[age];
		e->squares[age] += more->squares[age];
		e->cohorts[age] += more->cohorts[age];
	}
}

void early_decay(struct early *e, double factor)
{
	for (uint32_t age = EARLY_LEAST; age < TENURE_AGES; age++) {
		e->bytes[age] *= factor;
		e->squares[age] *= factor;
		e->cohorts[age] *= factor;
	}
}

/* Share of the collections that would have left objects of that age young, and rightly. */
static double should_be_young(const struct held *held, double age)
{
	double all = 0, young = 0;
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++) {
		all += held->share[t];
		young += t >= age ? held->share[t] : 0;
	}
	if (age > COPIES_MOST)
		return 0;
	return all > 0 ? young / all : 1;
}

double early_rate(const struct early *e, const struct held *held, double stretch, double *error)
{
	double bytes = 0, squares = 0, cohorts = 0;
	for (uint32_t age = EARLY_LEAST; age < TENURE_AGES; age++) {
		double share = should_be_young(held, age * stretch);
		bytes += share * e->bytes[age];
		squares += share * share * e->squares[age];
		cohorts += share * e->cohorts[age];
	}
	*error = cohorts > 0 ? sqrt(squares) / cohorts : (double)NAN;
	return cohorts > 0 ? bytes / cohorts : (double)NAN;
}
