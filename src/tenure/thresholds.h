/*
 * The tenuring thresholds that were in force, by young collection: what says when an object was
 * promoted, from when on young collections do not look at it any more (doc/metrics.md, "Copies").
 */
#ifndef TENURE_THRESHOLDS_H
#define TENURE_THRESHOLDS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	THRESHOLD_MOST = 15,              /* of HotSpot: ages have four bits */
	TENURE_AGES = THRESHOLD_MOST + 1, /* an object is copied so often at most */
	/* Collections, a power of two: what stands is looked through once a round, and no round is
	 * longer than that. */
	THRESHOLDS_KEPT = 2048
};

struct thresholds {
	uint64_t young;                   /* the last collection told of */
	uint64_t first;                   /* of those told of without a gap */
	uint8_t at[THRESHOLDS_KEPT];      /* by the young clock after the collection */
	bool full_after[THRESHOLDS_KEPT]; /* a collection made all old while the clock stood there
					   */
};

/* The collection that moved the young clock to `young` had this threshold in force. */
void thresholds_add(struct thresholds *t, uint64_t young, uint32_t threshold);
/* Collection `young` left nothing young behind, whatever threshold was in force. */
void thresholds_all(struct thresholds *t, uint64_t young);
/* A collection that leaves nothing young behind. */
void thresholds_full(struct thresholds *t, uint64_t young);
/* Whether collection `young` promotes what had survived `age` collections before. */
bool thresholds_promotes(const struct thresholds *t, uint64_t young, uint32_t age);
/* Whether all that lived at that clock is old since. */
bool thresholds_emptied(const struct thresholds *t, uint64_t young);
/* Whether collection `young` is still known of. */
bool thresholds_knows(const struct thresholds *t, uint64_t young);

#endif
