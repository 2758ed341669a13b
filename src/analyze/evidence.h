/*
 * Listens to a replay for what advice (advise.h) is made from: the ledger, and beside it, for each
 * site, when it allocates, in which sizes, how much of it is large, and which collections the
 * objects were born between that are alive at the end. Bounded: a fixed number of bins a site.
 */
#ifndef ANALYZE_EVIDENCE_H
#define ANALYZE_EVIDENCE_H

#include "analyze/advise_copies.h"
#include "analyze/ledger.h"

enum {
	EVIDENCE_TIMES = 64,  /* bins of time, half of them or more in use */
	EVIDENCE_SIZES = 32,  /* bins of size: powers of two */
	EVIDENCE_BIRTHS = 64, /* parts that the run's collections are divided into */
	EVIDENCE_PARTS = 4,   /* of the run's time, for what is alive */
};

/* Sums of one site, or of several. Zero is valid and empty. */
struct evidence_site {
	double times[EVIDENCE_TIMES];   /* bytes allocated, by time in bins of `width` */
	uint64_t width;                 /* ns; 0: none yet */
	double objects[EVIDENCE_SIZES]; /* by size: bin b from 2^b bytes on */
	struct total large;             /* objects too large to be followed */
	uint64_t births;                /* set of parts in which what is alive was born */
	double alive[EVIDENCE_PARTS];   /* bytes alive at the end, by the time of birth */
	double proven; /* of these, bytes that a collection of the old generation found alive */
	/* Bytes copied in the run, each time counted, and promoted, by the thresholds that held,
	 * cut to a bound (the index): doc/metrics.md, "Copies". */
	double copied[TENURING_MOST + 1], promoted[TENURING_MOST + 1];
	/* Of these promoted, bytes that truly died young. */
	double early[TENURING_MOST + 1];
};

struct evidence_log {
	struct ledger ledger;
	VEC(struct evidence_site) sites; /* by index of site; owned */
	VEC(struct total) threads;       /* allocated, by index of thread; owned */
	VEC(uint8_t) thresholds;         /* that held, by how far the young clock had gone; owned */
	uint64_t large; /* bytes: larger objects are not followed; 0 not asked yet */
};

/* Sets what the ledger keeps. */
void evidence_init(struct evidence_log *e, bool by_thread);
void evidence_release(struct evidence_log *e);
struct listener evidence_listener(struct evidence_log *e);
/* To be called once, after the replay. What the exact engine counted then stands in place of the
 * estimates (evidence_counts.h). 0 or ERR_NOMEM. */
int evidence_settle(struct evidence_log *e, const struct model *m);

/* The age at which what is born with the young clock `young` after the begin is promoted: the first
 * that is not under the threshold of the collection that it meets at it. As far as collections have
 * come. */
unsigned evidence_promotion(const struct evidence_log *e, uint64_t young);
void evidence_merge(struct evidence_site *s, const struct evidence_site *more);
/* Bytes allocated up to a time; linear within a bin. */
double evidence_until(const struct evidence_site *s, uint64_t time);

#endif
