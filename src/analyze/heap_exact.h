/*
 * The heap at a moment by the exact engine's events: every object that was followed, in place of an
 * estimate. Definition: doc/metrics.md, "Heap by events".
 */
#ifndef ANALYZE_HEAP_EXACT_H
#define ANALYZE_HEAP_EXACT_H

#include "analyze/heap.h"
#include "analyze/notes.h"
#include "model/followed.h"

struct heap_exact {
	ptrdiff_t gc; /* that it is the heap after, in the list; GCS_NONE: before the first */
	bool end;     /* it is the heap at the end of the trace, and the births since */
	uint64_t objects;
	double bytes[SIZE_BASES]; /* by where the sizes are from */
	double given;             /* of SIZE_MEAN, what a checkpoint told of */
	uint64_t unsized;         /* objects of no known size */
	bool vague; /* of some object, at any moment, the size is a mean, or not known */
	uint64_t
		absent; /* births that were lost, and objects that were let go: that were read of */
	bool partly; /* the reading began with a checkpoint, which does not tell of those before */
	bool whole_tells; /* and from the first interval on they could be read of */
};

/* What stands, as the only moment of h, whose time is set; then h is settled. 0 or ERR_NOMEM. */
int heap_exact_take(
	struct heap_exact *e, struct heap *h, const struct model *m, struct followed *f);
/*
 * The same of all moments of h, which rise and the last of which is the end, in one reading of the
 * events: `live` of each, or `untold`; e, and h's ledger, are of the last. f is to be released in
 * any case. 0 or an error of followed_walk.
 */
int heap_exact_each(struct heap_exact *e, struct heap *h, const struct model *m, struct followed *f,
	struct reader *r, struct diag *d);
/* What a reader must know of it. 0 or ERR_NOMEM. */
int heap_exact_notes(const struct heap_exact *e, const struct followed *f, struct notes *n);
/* Of a trace without an end, that events do not go as far as a moment with that young clock. 0 or
 * ERR_NOMEM. */
int heap_exact_note_until(
	const struct followed *f, const struct model *m, uint64_t young, struct notes *n);

#endif
