/*
 * A rate that collections show, and how far it sways: for telling whether it got worse. Made of
 * groups of collections (a ratio of sums each), of which the median counts, so that one outlier
 * says nothing: doc/metrics.md, "Tenure".
 */
#ifndef TENURE_GAUGE_H
#define TENURE_GAUGE_H

#include <stdbool.h>
#include <stdint.h>

enum { GAUGE_GROUPS = 32 };

struct gauge {
	double value[GAUGE_GROUPS]; /* a ring */
	uint32_t count, next;
};

void gauge_clear(struct gauge *g);
void gauge_add(struct gauge *g, double value);
/* NaN of nothing. */
double gauge_median(const struct gauge *g);
/* Standard error of the median, from the median absolute deviation; 0 of less than two. */
double gauge_error(const struct gauge *g);
double gauge_mean(const struct gauge *g);
/* Standard error of the mean; 0 of less than two. */
double gauge_mean_error(const struct gauge *g);
/* Whether `now` is above `before` by more than the share `least` and more than three standard
 * errors of their difference. False where either has fewer than three groups. */
bool gauge_worse(const struct gauge *before, const struct gauge *now, double least);
/*
 * Whether `now`'s median is above what was seen before, not only above its middle: above nine of
 * ten groups, by more than the share `least`. For rates that sway by themselves, longer than a
 * round lasts: within one round their groups agree. False where before has fewer than eight groups,
 * or now fewer than three.
 */
bool gauge_departed(const struct gauge *before, const struct gauge *now, double least);

#endif
