/*
 * What the exact engine counted of the lives of a place, for a tally (tally.h): by collections of
 * the young clock. Zero is a valid empty one. doc/metrics.md, "Exact counts".
 */
#ifndef ANALYZE_COUNTED_H
#define ANALYZE_COUNTED_H

#include <stdbool.h>
#include <stdint.h>

#include "model/counts.h"
#include "stat/ages.h"
#include "stat/curve.h"

/* What lives are counted in: each object once, or once for each of its bytes (1 where it has
 * none). */
enum measure { MEASURE_OBJECTS, MEASURE_BYTES, MEASURES };

struct counted {
	bool any;
	/* The counts are of whole leaves, the samples of parts of them. Each part brings a number,
	 * and one of each leaf what takes all of them to 0. So 0: the parts are whole leaves. */
	uint64_t open;
	struct ages lives[MEASURES]; /* owned */
};

void counted_release(struct counted *c);
/* Adds the lives of a site. 0 or ERR_NOMEM. */
int counted_add(struct counted *c, const struct site_counts *s);
int counted_merge(struct counted *c, const struct counted *more);

/* Whether it tells of all that it stands beside. */
static inline bool counted_whole(const struct counted *c)
{
	return c->any && !c->open;
}

/*
 * The survival curve of what was counted; from the age on at which less than half of it is still in
 * sight, the samples go on from there, where they know. *out is overwritten. 0 or ERR_NOMEM.
 */
int counted_curve(const struct ages *counted, const struct ages *sampled, struct curve *out);

#endif
