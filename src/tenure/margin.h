/*
 * What chance does to a forecast, by the samples that it goes by: doc/metrics.md, "Tenure".
 */
#ifndef TENURE_MARGIN_H
#define TENURE_MARGIN_H

#include "tenure/forecast.h"

/* What copies count for: those of a setting, and those with no lever moved, which the fit holds to
 * what the collector copied. */
struct margin_of {
	const struct setting *set;
	struct amount copied, copied_now;
	double again, again_now; /* of what is copied again, what there is room for */
	bool fitted; /* else what is copied now says nothing of how much there is in all */
};

/* Relative standard error of m->copied, of the snapshot's window. held: all of the thresholds. */
double margin_error(const struct snapshot *s, const struct held *held, const struct margin_of *m);

#endif
