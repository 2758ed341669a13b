/*
 * The product limit with an interval that holds for few samples and at 0 and 1: the beta product
 * confidence procedure (Fay, Brittain and Proschan 2013) in its mid-p form (Fay and Brittain 2016),
 * moments matched, on weighted instead of plain counts: what may have been missed can be heavier
 * than the mean (after Fay and Feuer 1997). Private to this room.
 */
#ifndef STAT_PRODUCT_H
#define STAT_PRODUCT_H

#include <stdbool.h>

#include "stat/ages.h"
#include "stat/curve.h"
#include "stat/mass.h"

struct product {
	double p;     /* the product of 1 - hazard */
	double mean;  /* of the product of betas, if the next death is far off … */
	double cv;    /* … log(1 + its squared coefficient of variation) */
	double share; /* of those who outlived all before, how many are still followed; 0: treat the
			 population as endless */
	double heaviest; /* of what may have been missed */
	double kept, kept2,
		next;  /* after the last step: the living, sum w and w^2; the next death */
	double lo, hi; /* limits of the last point: the curve falls, so may they */
};

/*
 * How many equal, independent samples would know the hazard died / risk as well: Kish's count, or
 * fewer where the heavy objects are those that die (or live).
 */
double product_effective(struct mass risk, struct mass died);

/* finite: no object came late into sight, so the samples are a known share of a finite population.
 * heaviest: see ages.h. */
struct product product_init(bool finite, double heaviest);
/* One step: `died` of `risk`, after `lost` went out of sight since the last step (not in risk). */
void product_step(struct product *p, struct mass risk, struct mass died, struct mass lost);
/* Which limits of the interval are wanted: they are what costs time. One not wanted is 0 or 1. */
enum product_limits { LIMIT_LO = 1, LIMIT_HI = 2, LIMIT_BOTH = 3 };

/* The curve after the last step; risk is left to the caller. */
struct curve_point product_point(struct product *p, uint64_t t, enum product_limits limits);

/*
 * The curve over rows of rising age. `all` is every object of them, those that came late included.
 * census: these are all objects there were, and the curve is asked what they did; where some came
 * late it is taken as a sample all the same. heaviest: see ages.h. Fills points, known, n_eff and
 * died. 0 or ERR_NOMEM (then *c is empty).
 */
int product_curve(const struct ages_row *rows, size_t count, struct mass all, bool census,
	double heaviest, enum product_limits limits, struct curve *c);

#endif
