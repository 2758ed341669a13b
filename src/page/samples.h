/*
 * The samples that a page has, each with its life, in the order of the trace. However many come,
 * memory is bounded: over `max` they are thinned (sieve.h), a sample and its life together.
 */
#ifndef PAGE_SAMPLES_H
#define PAGE_SAMPLES_H

#include "base/map.h"
#include "base/vec.h"
#include "model/replay.h"
#include "page/sieve.h"

/* doc/page-data.md, sample.fate. */
enum kept_fate { KEPT_NOT_FOLLOWED, KEPT_DIED, KEPT_ALIVE, KEPT_LET_GO };

struct kept {
	uint64_t number; /* of the sample in the trace */
	uint64_t time, alloc, size;
	double weight, lives;           /* as in the trace, not thinned; lives: 0 if not followed */
	uint64_t object;                /* id, where followed */
	uint64_t born_young, born_full; /* of those followed, as is the rest */
	uint64_t young, full;
	struct life_span bytes, ns; /* by: 0 where it did not die */
	uint32_t site, thread;
	uint8_t fate; /* enum kept_fate; KEPT_NOT_FOLLOWED of the followed until it is told */
	bool followed, full_found;
};

struct samples {
	size_t max; /* kept at once; at least 1; set before the first comes */
	struct sieve sieve;
	VEC(struct kept) list;
	size_t counts[STRATA]; /* in the list */
	uint64_t seen[STRATA]; /* in the trace */
	struct map open;       /* object id → place in the list, of lives not told yet */
	bool pending;          /* the last of the list waits for samples_follow */
};

void samples_release(struct samples *s);
/* A sample; where it is tracked and a birth follows, samples_follow is next. 0 or ERR_NOMEM. */
int samples_add(struct samples *s, const struct sample *sample);
int samples_follow(struct samples *s, const struct object *o);
/* What became of an object. */
void samples_end(
	struct samples *s, const struct object *o, const struct life *l, enum kept_fate fate);

static inline enum stratum kept_stratum(const struct kept *k)
{
	return k->followed ? STRATUM_FOLLOWED : STRATUM_PLAIN;
}
/* Samples of the trace for each that is kept; 1 of none. */
double samples_thinned(const struct samples *s);

#endif
