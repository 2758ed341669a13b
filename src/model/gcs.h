/*
 * The collections of a trace in their order, and the clocks they set. Both GC clocks, time and
 * the allocation clock only rise along the list, so that lookups are binary searches.
 */
#ifndef MODEL_GCS_H
#define MODEL_GCS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "model/odd.h"
#include "trace/record.h"

enum { GCS_MAX = 1 << 20 }; /* kept; over that the earlier half is forgotten */

/* What a person calls it; doc/metrics.md, "Clocks". */
enum gc_kind { GC_KIND_YOUNG, GC_KIND_MIXED, GC_KIND_FULL, GC_KIND_CONCURRENT, GC_KINDS };

struct gc {
	uint64_t start, end;  /* ns */
	uint64_t alloc;       /* the allocation clock at its end */
	uint64_t young, full; /* the GC clocks after it */
	uint64_t pause, heap_before, heap_after, heap_committed, old_after;
	uint32_t collector, cause; /* index, text */
	uint8_t kind;              /* enum gc_kind */
	uint8_t flags, tenuring;
	uint8_t part; /* of its pause: 0 the first, which is the one that raised the clocks */
	bool raised_young, raised_full;
};

struct gcs {
	VEC(struct gc) list;
	uint64_t count[GC_KINDS];        /* of all, those forgotten included */
	uint64_t pause_total, pause_max; /* ns */
	uint64_t forced;                 /* asked for: System.gc(), heap dumps */
	uint64_t young, full;            /* the clocks before the first */
	bool chooses;       /* some told a threshold: young ones that an event told of do */
	bool chooses_first; /* what is told is the threshold that a collection had (G1), and not the
			       next one's */
	uint64_t untold; /* of count[GC_KIND_YOUNG]: pauses that the VM does not tell the kind of */
};

void gcs_release(struct gcs *g);
/* Adds a collection by a collector of this role; clocks that step back are held and counted. 0 or
 * ERR_NOMEM. */
int gcs_add(struct gcs *g, const struct record_gc *r, uint32_t collector, uint32_t role,
	uint32_t cause, struct odds *odds);

/* Whether its threshold, or the next one's, is told: 0 is one where others are, and none of which
 * nothing is known. */
bool gcs_chose(const struct gcs *g, const struct gc *gc);

enum { GCS_NONE = -1 };
/* Index of the last collection with neither GC clock over these: the one that had finished last at
 * that moment. GCS_NONE: none. */
ptrdiff_t gcs_last(const struct gcs *g, uint64_t young, uint64_t full);
/* Index of the first collection of the pause in which collection i was; mostly i itself. */
ptrdiff_t gcs_pause(const struct gcs *g, ptrdiff_t i);
/* Index of the last collection up to `to` that could find dead objects of the old generation.
 * GCS_NONE: none, or `to` is GCS_NONE. */
ptrdiff_t gcs_last_full(const struct gcs *g, ptrdiff_t to);
/*
 * The last of the collections from … to (indices, from >= 0) that saw an object born just before
 * `from` in the young generation: the one that promoted it by the thresholds that the VM chose
 * (threshold_max where it told none), or a full one. from - 1 where there is none.
 */
ptrdiff_t gcs_last_as_young(
	const struct gcs *g, ptrdiff_t from, ptrdiff_t to, uint32_t threshold_max);
/* Whether one of these collections took it out of the young generation, in the same way. */
bool gcs_leaves_young(const struct gcs *g, ptrdiff_t from, ptrdiff_t to, uint32_t threshold_max);

#endif
