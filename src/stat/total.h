/*
 * Estimated totals of objects and bytes from weighted samples: the Horvitz–Thompson estimator
 * under Poisson sampling, with its variance and an interval that holds for few samples too.
 * Zero is a valid empty total.
 */
#ifndef STAT_TOTAL_H
#define STAT_TOTAL_H

#include <stdint.h>

/* Sums over samples of what x each stands for: x = 1 for objects, x = size for bytes. */
struct total_sum {
	double sum;      /* of x w */
	double variance; /* of (1 - 1/w) (x w)^2: the Horvitz–Thompson variance, estimated */
	double split;    /* of the variance: by how a sum that is known divides, so none of that
			    sum's */
	double largest;  /* term of the variance */
	double seen;     /* of x: less than that there can't be */
};

/* How coarse samples were at some time of the run, where others were finer: what they may have
 * missed. Floats, for there is one of it in each total. */
struct total_coarse {
	float odds;     /* samples taken, of each that is kept: 1 at least; 0: all were as fine */
	float interval; /* bytes from one to the next */
};

struct total {
	uint64_t n; /* samples */
	struct total_sum objects, bytes;
	struct total_coarse coarse;
	double squares; /* of sizes, over all objects, estimated: how far bytes go by chance of
			   which are born */
};

/* An estimate and its 95 % interval, in the unit of the estimate. */
struct estimate {
	double value, lo, hi;
};

/* One sample: its own size in bytes and the objects it stands for (weight.h). An invalid weight is
 * not added: ERR_USAGE. */
int total_add(struct total *t, uint64_t size, double weight);
void total_merge(struct total *t, const struct total *more);
/* Takes out a part that was merged before; what rounding leaves of nothing is nothing. */
void total_take(struct total *t, const struct total *part);
/* Multiplies the estimates, their errors with them. Factors are finite and not negative. */
void total_scale(struct total *t, double objects, double bytes);
/* Adds what was counted, not sampled: no samples and no error; of objects all of one size, as far
 * as is known. */
void total_count(struct total *t, double objects, double bytes);
/* Others of the run were as coarse as that: the limit above allows for one of them. */
void total_coarsen(struct total *t, struct total_coarse coarse);
/* Of some of it the size is not known: the bytes have no interval (NaN), nor has what it is merged
 * into. */
void total_vague(struct total *t);
/* From now on the estimates are taken as counted: no error. */
void total_certain(struct total *t);
/* An error more, by how what was counted divides: others have as much less. */
void total_split(struct total_sum *s, double variance);

/*
 * The mid-p gamma interval of a weighted sum of Poisson counts (Fay and Kim 2017). It speaks of
 * what is sampled at least as readily as the samples were: of objects no smaller than the smallest
 * seen. Where others of the run were coarser (total_coarsen), hi allows for one of these. 0 with hi
 * = infinity where there is no sample and nothing counted: nothing bounds what was not seen.
 */
struct estimate total_objects(const struct total *t);
struct estimate total_bytes(const struct total *t);
/* The interval as ratios to the estimate (`ci95`): {1, lo / value, hi / value}; {1, 0, infinity} of
 * no samples. */
struct estimate estimate_ratio(struct estimate e);

#endif
