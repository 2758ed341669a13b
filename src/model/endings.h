/*
 * What became of every single object, by site and age: from the exact engine's events, in a second
 * reading of a trace whose model is known. doc/metrics.md, "Exact deaths".
 *
 * Memory: the objects that are followed at once, and a row for each age that occurs at a site (ages
 * in bins, stat/ages.h); not the length of the trace.
 */
#ifndef MODEL_ENDINGS_H
#define MODEL_ENDINGS_H

#include "model/model.h"
#include "trace/heap_image.h"

enum ending_kind {
	ENDING_DIED,
	ENDING_ALIVE,     /* at the end */
	ENDING_FORGOTTEN, /* let go by the agent: it outlived so many collections, at least */
	ENDINGS
};

/* `age`: of the young clock, from the birth to the collection that found it dead, or to the last
 * one before the end, or before it was forgotten. */
struct ending_row {
	uint32_t age; /* ages_round */
	struct quantity of[ENDINGS];
	uint64_t unsized[ENDINGS]; /* of the objects: no event tells their size */
};

struct site_endings {
	bool told; /* all that was born there: the rows sum up to the births that were counted */
	VEC(struct ending_row) rows; /* owned; by rising age. All bytes only where it is told */
};

enum endings_from {
	ENDINGS_NONE,    /* the trace has no events */
	ENDINGS_UNREAD,  /* nobody asked for them */
	ENDINGS_STRETCH, /* their begin was forgotten */
	ENDINGS_UNSOUND, /* they contradict each other, or can't be read */
	ENDINGS_EVENTS,  /* read */
	ENDINGS_FROMS
};

/* Zero is valid: nothing is told. */
struct endings {
	enum endings_from from;
	VEC(struct site_endings) sites; /* owned; by index of a site */
	uint64_t young;                 /* the clock at their end */
	/* Births of sites that are told of, and of those that are not; of the first those that were
	 * let go, and those that count with a mean size. */
	struct quantity told, untold, forgotten, mean;
	uint64_t veiled; /* of those let go: that no event has, so they may have died at once */
	bool survivors;  /* events tell of those alone that outlived a collection */
	bool failed;     /* out of memory */
};

/*
 * Reads on from where the reader is, which was just opened, or was put back there. 0 also where
 * nothing can be told, and where the trace is cut or damaged: then up to the last collection that
 * was accounted for. ERR_NOMEM or ERR_IO, with a sentence. To be released in any case.
 */
int endings_read(struct endings *e, struct reader *r, const struct model *m, struct diag *d);
void endings_release(struct endings *e);
/* NULL: what became of all that was born at the site (index) is not told. */
const struct site_endings *endings_of(const struct endings *e, uint32_t site);

#endif
