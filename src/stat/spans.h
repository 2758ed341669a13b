/*
 * What became of the tracked objects of one site on a clock that flows (bytes allocated, ns): a
 * death is only seen at a collection, so it lies in (after, by]: after = the clock at the last
 * collection the object survived (0: none), by = the clock at the collection that found it dead,
 * both since its birth. An object lost from sight was alive at `after`, nothing more is known.
 *
 * Sparse and bounded: a row per pair of bin edges (base/hist.h, 12.5 %), after rounded down and
 * by rounded up, so that the span never claims more than was seen. At SPANS_MAX rows the bins
 * double in width. Zero is a valid empty accumulator. Mergeable. Not thread-safe.
 */
#ifndef STAT_SPANS_H
#define STAT_SPANS_H

#include <stdint.h>

#include "base/vec.h"
#include "stat/ages.h"
#include "stat/mass.h"

enum { SPANS_MAX = 4096, SPAN_OPEN = UINT16_MAX };

/* Edges are bins of base/hist.h, standing for hist_low of the bin. */
struct spans_row {
	uint16_t entry; /* in sight from this edge on */
	uint16_t after; /* alive at this edge */
	uint16_t by;    /* dead at this edge, or SPAN_OPEN */
	struct mass mass;
};

struct spans {
	VEC(struct spans_row) rows; /* owned; by rising (entry, after, by), each triple once */
	struct mass all;
	double heaviest; /* see ages.h */
	uint32_t coarse; /* edges are multiples of 2^coarse bins */
};

/*
 * One object; `by` is ignored unless it died. 0, ERR_NOMEM, or ERR_USAGE (entry > after, after >
 * by, an invalid weight); on error unchanged.
 */
int spans_add(struct spans *s, enum fate fate, uint64_t entry, uint64_t after, uint64_t by,
	double weight);
/* 0 or ERR_NOMEM (then still valid, and either unchanged or coarser). */
int spans_merge(struct spans *s, const struct spans *more);
void spans_clear(struct spans *s);
void spans_release(struct spans *s);
/* What an edge stands for, in the unit of the clock. */
uint64_t spans_edge(uint16_t edge);

#endif
