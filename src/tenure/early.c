#include "tenure/early.h"

#include <math.h>

/* What dies after as many copies is better sent away at the first, although that is one more death
 * in the old generation (doc/tenure.md, "Cost"). */
enum { COPIES_MOST = 10 };

void early_look(struct early *e, uint64_t oldest)
{
	for (uint32_t age = EARLY_LEAST; age < TENURE_AGES && age <= oldest; age++)
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
		e->squares[age] *= factor * factor;
		e->cohorts[age] *= factor;
	}
}

struct held held_until(const struct held *h, uint32_t most)
{
	struct held until = {.share = {0}};
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++) {
		uint32_t full = t < THRESHOLD_MOST ? t + 1 : t;
		until.share[t < most ? t : most] += h->share[t] - h->full[t];
		until.share[full < most ? full : most] += h->full[t];
	}
	return until;
}

/* Whether a threshold would have left what is of that age young, and rightly. */
static bool is_young(uint32_t age, double stretch, uint32_t threshold)
{
	double copies = age * stretch;
	return copies <= threshold && copies <= COPIES_MOST;
}

static double cohorts_of(const struct early *e, double stretch, uint32_t threshold)
{
	double cohorts = 0;
	for (uint32_t age = EARLY_LEAST; age < TENURE_AGES; age++)
		cohorts += is_young(age, stretch, threshold) ? e->cohorts[age] : 0;
	return cohorts;
}

/* What stands for a threshold that few collections had counts for as little: those that died by
 * then, of the births that were looked at by then, times its share. */
static void weigh(const struct early *e, double stretch, uint32_t threshold, double share,
	double weights[TENURE_AGES])
{
	double cohorts = cohorts_of(e, stretch, threshold);
	for (uint32_t age = EARLY_LEAST; age < TENURE_AGES && cohorts > 0; age++)
		weights[age] += is_young(age, stretch, threshold) ? share / cohorts : 0;
}

static double all_of(const struct held *held)
{
	double all = 0;
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++)
		all += held->share[t];
	return all;
}

double early_known(const struct early *e, const struct held *held, double stretch)
{
	const struct held until = held_until(held, THRESHOLD_MOST);
	double all = all_of(held), known = 0;
	for (uint32_t t = 0; t <= THRESHOLD_MOST; t++)
		known += cohorts_of(e, stretch, t) > 0 ? until.share[t] : 0;
	return all > 0 ? known / all : 1;
}

double early_rate(const struct early *e, const struct held *held, double stretch, double *error)
{
	const struct held until = held_until(held, THRESHOLD_MOST);
	double weights[TENURE_AGES] = {0}, all = all_of(held), bytes = 0, squares = 0, known = 0;
	for (uint32_t t = 0; t <= THRESHOLD_MOST && all > 0; t++)
		weigh(e, stretch, t, until.share[t] / all, weights);
	if (!(all > 0))
		weigh(e, stretch, THRESHOLD_MOST, 1, weights);
	for (uint32_t age = EARLY_LEAST; age < TENURE_AGES; age++) {
		known += weights[age];
		bytes += weights[age] * e->bytes[age];
		squares += weights[age] * weights[age] * e->squares[age];
	}
	*error = known > 0 ? sqrt(squares) : (double)NAN;
	return known > 0 ? bytes : (double)NAN;
}
