/*
 * What the learner knew at one moment, in memory of its own: to be thought about without the
 * learner's lock. All amounts are of the same window, which decays: `collections` says how long it
 * is in effect.
 */
#ifndef TENURE_SNAPSHOT_H
#define TENURE_SNAPSHOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenure/curve_fit.h"
#include "tenure/early.h"
#include "tenure/passage.h"
#include "tenure/place.h"

enum snapshot_flags {
	SNAPSHOT_LEAF = 1 << 0, /* its objects refer to nothing: arrays of primitives, boxes, … */
	SNAPSHOT_REFUSE = 1 << 1, /* can't be acted on: no bytecode that can be changed */
	SNAPSHOT_JUMPS = 1 << 2,  /* the age jump is on for it */
	SNAPSHOT_SPLIT = 1 << 3,  /* its callers are looked at: it has rows of its own for them */
	SNAPSHOT_LOOKED = 1 << 4, /* what its objects refer to is known, from some of them */
};

struct snapshot_row {
	struct place_context at; /* depth 0: the place, all callers together */
	uint32_t flags;          /* enum snapshot_flags */
	struct passage passage;
};

struct snapshot {
	struct snapshot_row *rows; /* owned; places first, then those with callers */
	size_t count, room;
	size_t places;        /* rows with depth 0: rows[0 … places - 1] */
	double collections;   /* of the window, that moved the young clock */
	double alone;         /* of them full ones, which are no young one's second part */
	struct amount copied; /* in the last round alone, by the ages of the samples */
	struct early early;   /* of the last round */
	double copied_error;  /* bytes copied in the window, by sampling: standard error, as a share
			       */
	struct held held;     /* of the last round */
	struct held stayed;   /* the same by births: the age at which they were promoted then, for
				 a threshold that one collection has alone lets nobody get that old;
				 all 0: none was */
	double left; /* of `stayed`: collections whose births were promoted in the last round, for
			each that it had of which it is known what they copied */
	uint32_t threshold; /* in force in the last collection */
	uint64_t young;
	struct curve_fit fit; /* of the window */
};

/* Of one size for its life. 0 or ERR_NOMEM. */
int snapshot_init(struct snapshot *s, size_t room);
void snapshot_release(struct snapshot *s);
/* The row of a place (depth 0), or NULL. Linear. */
const struct snapshot_row *snapshot_find(const struct snapshot *s, const struct place_context *at);
/* Of one of its rows. */
struct passage_curve snapshot_curve(const struct snapshot *s, const struct snapshot_row *row);
/* What its places' curves are held to from now on. */
void snapshot_fit(struct snapshot *s, const struct age_tables *a);
/* The mean threshold; THRESHOLD_MOST where none was in force. */
double held_mean(const struct held *h);
/*
 * The thresholds that objects had, as shares of those born: of the last round. By births, where
 * most collections' births have come to an end in it; else by collections, as those that are young
 * at a start or in a probe are too many to leave out.
 */
const struct held *snapshot_held(const struct snapshot *s);
/* The same, and always THRESHOLD_MOST where none was in force. */
struct held held_known(const struct held *h);

#endif
