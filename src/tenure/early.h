/*
 * What was found dead in the old generation at an age at which it could have been young: by the
 * samples that marking, a mixed or a full collection found. It tells what copies don't: that what
 * was sent there at once does not get old any more (doc/metrics.md, "Tenure").
 */
#ifndef TENURE_EARLY_H
#define TENURE_EARLY_H

#include <stdint.h>

#include "tenure/thresholds.h"

/* How often each threshold was in force: shares of the collections. All 0: there was none. */
struct held {
	double share[THRESHOLD_MOST + 1];
	double full[THRESHOLD_MOST + 1]; /* of it, what came to a full collection young, and is old
					    since: one age later than what a threshold promotes */
};

/* By the age up to which what dies has died young, where thresholds have the bound `most`. */
struct held held_until(const struct held *h, uint32_t most);

/*
 * By young collections survived, from EARLY_LEAST on: what survived none is not old, and what one
 * has just promoted is alive to the marking that follows it at once. Since deaths may be told of a
 * little late, what that collection found dead would seem to have survived it.
 */
enum { EARLY_LEAST = 2 };
struct early {
	double bytes[TENURE_AGES];   /* found dead: estimates */
	double squares[TENURE_AGES]; /* of the bytes that one sample stands for */
	double cohorts[TENURE_AGES]; /* collections whose births were looked at with that age for
					the first time */
};

/* All of the old generation was looked through. oldest: age of the oldest births that were not
 * before; those younger than EARLY_LEAST are not now either. */
void early_look(struct early *e, uint64_t oldest);
/* A sample that stands for so many bytes was found dead there; ages that are not young are passed
 * over. */
void early_death(struct early *e, uint64_t age, double bytes);
void early_add(struct early *e, const struct early *more);
void early_decay(struct early *e, double factor);
/*
 * Bytes for each collection's births that died there, and would have died young under the
 * thresholds that `held` has, each for its share of the collections, after few copies: at least
 * that, since what dies after it was looked at is not seen. stretch: bytes allocated from one
 * collection to the next, over what they were while these thresholds held: with fewer survivors the
 * collector may make eden larger, and ages count for more. *error: its standard error, by sampling.
 * NaN where nothing was looked at.
 */
double early_rate(const struct early *e, const struct held *held, double stretch, double *error);
/* Of the collections in `held` the share whose thresholds would have left young what was looked at:
 * of no other early_rate tells anything. 1 where `held` has none. */
double early_known(const struct early *e, const struct held *held, double stretch);

#endif
