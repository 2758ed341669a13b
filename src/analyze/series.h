/*
 * How much garbage a run made, step by step, from one collection to the next or second by second.
 * Definition: doc/metrics.md, "Garbage series".
 */
#ifndef ANALYZE_SERIES_H
#define ANALYZE_SERIES_H

#include "model/replay.h"

/* Where the allocation clock stood at times along the trace. */
struct mark {
	uint64_t time, alloc;
};
struct marks {
	VEC(struct mark) list; /* both rise */
};

/* What the exact engine tells of the collections of the young clock, in their order. */
struct account_mark {
	uint64_t young; /* the clock after it */
	uint64_t bytes; /* born since the one before */
	bool tells;     /* who died */
};
struct account_marks {
	VEC(struct account_mark) list; /* owned */
};
/* NULL: nothing is told of it. */
const struct account_mark *account_marks_at(const struct account_marks *a, uint64_t young);

void marks_release(struct marks *m);
/* Adds one; what steps back is held. 0 or ERR_NOMEM. */
int marks_add(struct marks *m, uint64_t time, uint64_t alloc);
/* The clock at any time, on straight lines between marks; the nearest mark's outside of them. */
double marks_at(const struct marks *m, uint64_t time);

enum series_basis {
	SERIES_NONE,        /* too short */
	SERIES_COLLECTIONS, /* a step ends with each collection of the young generation */
	SERIES_SECONDS,     /* of one each, or of several where there would be too many */
};
enum { SERIES_LEAST = 10, SERIES_MOST = 1 << 20 }; /* steps; the most by seconds */

struct series_step {
	uint64_t from, to; /* ns */
	double bytes;      /* of garbage */
};
struct series {
	enum series_basis basis;
	VEC(struct series_step) steps;
	bool heap_unknown; /* for some steps what was allocated stands in */
};

void series_release(struct series *s);
/* *out is overwritten. What was allocated between collections that `accounts` (NULL: none) tell of
 * is what was counted. 0 or ERR_NOMEM. */
int series_of(struct series *out, const struct model *m, const struct marks *marks,
	const struct account_marks *accounts);
/* Garbage of the steps that overlap from … to, by the part that does. */
double series_bytes(const struct series *s, uint64_t from, uint64_t to);

#endif
