/*
 * Stretches of a series in which more happens, for their length, than in the whole: a scan
 * statistic with a permutation test. Definition and sources: doc/metrics.md, "Churn windows".
 */
#ifndef STAT_SCAN_H
#define STAT_SCAN_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

enum { SCAN_STEPS = 8192, SCAN_SHUFFLES = 499, SCAN_BLOCK = 5, SCAN_BLOCKS = 40 };
#define SCAN_ALPHA  0.01
#define SCAN_FACTOR 1.25 /* the least rate of a window, in the series' */

struct scan_step {
	double length, amount; /* of any units; finite, length above 0 */
};

struct scan_rule {
	size_t least, most; /* steps of a window before it is widened; at most half of all */
	size_t widen;       /* steps that a window takes in at a time */
	size_t limit;       /* windows at most */
	uint64_t seed;      /* of the shuffles */
};

struct scan_window {
	size_t first, count; /* steps */
	double rate;         /* amount / length */
	double p;            /* P(a score this high | the steps come in any order) */
};

struct scan {
	VEC(struct scan_window) windows; /* owned; those that stand out, the strongest first */
	double rate;                     /* of the whole */
	double p;                        /* of the last window looked at; 1 where there was none */
};

/* *out is overwritten, to be given to scan_release. 0 or ERR_NOMEM. */
int scan_windows(const struct scan_step *steps, size_t count, const struct scan_rule *rule,
	struct scan *out);
void scan_release(struct scan *s);

#endif
