/*
 * What a run as a whole did, and what its collections cost: by the VM's own numbers, and by the
 * ages of the sampled objects. doc/metrics.md, "Copy cost" and "Copies".
 */
#ifndef ANALYZE_ADVISE_RUN_H
#define ANALYZE_ADVISE_RUN_H

#include "analyze/advise_copies.h"
#include "analyze/advise_flags.h"
#include "analyze/evidence.h"
#include "stat/trend.h"

struct advise_run {
	enum collector collector;
	unsigned jdk;
	double seconds, born_seconds; /* recorded; those in which births are told */
	double heap_max;              /* bytes; 0 unknown */
	struct total alloc, large;    /* of all samples; of those too large to be followed */
	/* Of the young collections, mixed ones included. */
	uint64_t young;
	double step;        /* bytes allocated from one to the next; 0 unknown */
	double young_pause; /* ns, all together; */
	double pause;       /* with all other collections */
	/* Of the young ones, those that a full eden brought about; of the others, those that a
	 * large object asked for. */
	uint64_t filled, for_large;
	double filled_pause, for_large_pause; /* ns */
	/* Of full ones for want of room in the heap: collections, ns, and bytes in use after them,
	 * all together. */
	uint64_t full_count;
	double full_pause, full_left;
	/* Of explicit System.gc(): collections and ns. */
	uint64_t explicit_count;
	double explicit_pause;
	/* The age at promotion, as the thresholds of the collections that an object meets make it.
	 */
	struct copies_held held;
	unsigned held_most; /* the largest */
	unsigned
		held_known; /* the least, but for seldom ones: up to one more, ages are known
			       from all collections, beyond from those of the old generation only */
	double held_mean;
	unsigned held_max; /* the VM's bound, or a lower one that tenure set */
	double held_low;   /* share of the births that were promoted below the bound */
	/* By the VM's heap sizes. */
	bool vm_known;
	double survivors, promoted; /* bytes, over all young collections */
	/* ns of pause for each byte copied, and of a young collection that copies nothing. */
	bool cost_known;
	struct trend cost;
	double fixed;
	/* By ages: of all bytes that were allocated young. */
	bool ages_known; /* there are ages to go by: the collector copies, and enough was seen */
	double young_bytes;
	struct copies_life life, life_lo, life_hi;
	struct evidence_site all; /* of all sites: what was copied and promoted */
	bool counted;             /* by the exact engine, not estimated from samples */
	double fit; /* what the VM copied, as a share of what ages say; at most 1; 1 where it was
		       counted */
};

/* `outlived`: all lives of the trace by bytes on its GC clock. 0 or ERR_NOMEM. */
int advise_run_find(struct advise_run *r, const struct model *m, const struct evidence_log *e,
	const struct curve *outlived);
/* Bytes copied by the run, as far as is known. */
double advise_run_copied(const struct advise_run *r);
/* Of what is copied of these lives, the part that would be with a young generation `times` as
 * large. */
double advise_run_larger(const struct advise_run *r, const struct copies_life *l, unsigned times);

/* What would be at another threshold or young generation: of the run, bytes. */
struct whatif {
	double copied, promoted;
	bool at_most; /* ages that far are known from collections of the old generation only */
};
/* threshold: the VM's bound; TENURING_MOST and times 1: as it was. Of a run whose ages are known.
 */
struct whatif advise_whatif(const struct advise_run *r, unsigned threshold, unsigned times);

#endif
