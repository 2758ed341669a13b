/*
 * The made-up program of sim.h as the exact engine would have recorded it, sampled records beside
 * the counts; and all its objects, so that a test can count them for itself. In `sim` each step is
 * one object here, its `interval` the mean of bytes between two, and nothing is thinned or let go.
 */
#ifndef SUPPORT_EXACT_SIM_H
#define SUPPORT_EXACT_SIM_H

#include "base/vec.h"
#include "support/sim.h"

struct exact_sim {
	struct sim sim;
	uint64_t interval; /* of the sampler */
	unsigned inlined;  /* frames that the compiler's inlining gives; 0: 1 */
	unsigned alone;    /* per cent of the objects whose callers it does not give all the same */
	unsigned every;    /* one birth in so many is told by its whole path; 0: none */
	unsigned dark;     /* per cent of the objects whose line is not known */
	uint64_t miss_every; /* every so many collections one is not accounted for; 0: none */
	bool sampled_only;   /* the same run without the exact engine */
	bool exact_only;     /* nothing is sampled */
	bool disowned;       /* before the end the counts are given up */
};

/* An object: the collection numbers are those of the young clock. */
struct exact_object {
	uint64_t site, size; /* site: id of the exact engine's; 0: not seen by it */
	uint64_t sampled;    /* id of the site that its samples have */
	uint64_t born;       /* collections before */
	uint64_t age;        /* collections that it survives in all */
};

struct exact_truth {
	VEC(struct exact_object) objects;
	VEC(uint8_t) gcs; /* element i: collection i + 1 was 1 accounted for, 2 full, 0 missed */
	uint64_t promote; /* one that survived more than so many stands in the old generation */
};

void exact_truth_release(struct exact_truth *t);
/* Makes the trace's records, in order. `truth` is overwritten. 0, ERR_NOMEM or what `put` returned.
 */
int exact_sim_run(const struct exact_sim *x, sim_put *put, void *arg, struct exact_truth *truth);

/* The same as the bytes of a trace, appended to `out`. */
int exact_sim_write(const struct exact_sim *x, struct buf *out, struct exact_truth *truth);

#endif
