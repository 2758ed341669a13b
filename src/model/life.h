/*
 * How long one object lived, on four clocks: doc/metrics.md, "Age at death" and "Interval of a
 * death".
 */
#ifndef MODEL_LIFE_H
#define MODEL_LIFE_H

#include <stdbool.h>
#include <stdint.h>

#include "model/facts.h"
#include "model/gcs.h"
#include "model/live.h"

/* A lifetime between two bounds: alive at `after`, dead at `by`; both since its birth. */
struct life_span {
	uint64_t after, by;
};

struct life {
	bool died;            /* else it is not known to have died, and `by` means nothing */
	uint64_t young, full; /* collections survived, by each GC clock */
	uint64_t full_clock;  /* the full clock when it was told */
	bool full_found;      /* a collection that counts in the full clock found it dead */
	/* Then: it stood in the young generation still, by the thresholds; and that pause had a
	 * collection of the young generation by itself, too. */
	bool was_young, young_too;
	struct life_span bytes, ns;
};

/* Where the clocks stood when something was told of an object. */
struct moment {
	uint64_t time, alloc, young, full;
};

/* The life of an object whose death was told at `at`; oddities are counted. */
struct life life_of_death(const struct facts *f, const struct gcs *g, const struct object *o,
	const struct moment *at, struct odds *odds);
/* The life, so far, of an object that was still followed at `at`. */
struct life life_so_far(const struct facts *f, const struct gcs *g, const struct object *o,
	const struct moment *at);

/* A collection of the young generation by itself found it dead, or would have: the thresholds tell
 * of those that it looked at. */
static inline bool life_ends_young(const struct life *l)
{
	return l->died && (!l->full_found || (l->was_young && l->young_too));
}

#endif
