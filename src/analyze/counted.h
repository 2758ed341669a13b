/*
 * What the exact engine counted of the lives of a place, for a tally (tally.h): by collections of
 * the young clock. Zero is a valid empty one. doc/metrics.md, "Exact counts".
 */
#ifndef ANALYZE_COUNTED_H
#define ANALYZE_COUNTED_H

#include <stdbool.h>
#include <stdint.h>

#include "model/counts.h"
#include "model/endings.h"
#include "stat/ages.h"
#include "stat/curve.h"

/* What lives are counted in: each object once, or once for each of its bytes (1 where it has
 * none). */
enum measure { MEASURE_OBJECTS, MEASURE_BYTES, MEASURES };

struct counted {
	bool any;
	/* Some are lost from sight where samples may be in sight still: as where counts end with
	 * the young generation. Else they are known to the end of the recording. */
	bool partial;
	/* The counts are of whole leaves, the samples of parts of them. Each part brings a number,
	 * and one of each leaf what takes all of them to 0. So 0: the parts are whole leaves. */
	uint64_t open;
	struct ages lives[MEASURES]; /* owned */
	/* Of those lost at age 0: neither counts nor samples follow them, ever. */
	double unfollowed[MEASURES];
};

void counted_release(struct counted *c);
/* Adds the lives of a site. 0 or ERR_NOMEM. */
int counted_add(struct counted *c, const struct site_counts *s);
/* No sample follows what it made outside of the young generation (G1's large objects). */
void counted_close_outside(struct counted *c, const struct site_counts *s);
/* The same of a site of which events tell all. */
int counted_add_endings(struct counted *c, const struct site_endings *e);
int counted_merge(struct counted *c, const struct counted *more);

/* Whether it tells of all that it stands beside. */
static inline bool counted_whole(const struct counted *c)
{
	return c->any && !c->open;
}

/* And of each object until it died, or the recording ended. */
static inline bool counted_known(const struct counted *c)
{
	return counted_whole(c) && !c->partial;
}

/*
 * The survival curve of what was counted; where that is partial, from the age on at which less than
 * half of it is still in sight, the samples go on from there, where they know. *out is overwritten.
 * 0 or ERR_NOMEM.
 */
int counted_curve(const struct counted *c, enum measure measure, const struct ages *sampled,
	struct curve *out);

#endif
