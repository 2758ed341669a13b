/*
 * How the objects of a place passed the young collections: of those that came to a collection
 * with age a (they had survived a before), what it found dead, and what it found alive and
 * copied. Both decay together, so that their ratio, which is what a forecast asks for, stays known
 * when nothing of that age is seen any more: doc/metrics.md, "Tenure".
 */
#ifndef TENURE_PASSAGE_H
#define TENURE_PASSAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "tenure/amount.h"
#include "tenure/thresholds.h"

struct passage_side {
	float died[TENURE_AGES], stood[TENURE_AGES];
};

struct passage {
	struct passage_side bytes, objects; /* estimates, weights included */
	float samples;                      /* that came to their first collection */
	float survivors;                    /* that survived it */
	float squares;                      /* of the objects that one of `samples` stood for */
};

/* One sample comes to a collection with this age. */
void passage_add(struct passage *p, uint32_t age, bool stood, struct amount weight);
/* All times `factor`; but of the ages above 0 what about one sample has left stays, as the best
 * that is known: who is promoted at its first copy is not seen there any more. */
void passage_decay(struct passage *p, double factor);
/* Objects that one sample stands for, in effect; 0 of none. */
double passage_weight(const struct passage *p);

/*
 * The same as a curve, for as much as was born: reach[a] is what outlives a collections (reach[0]
 * is what was born), as a product of the ratios of each age. Where nothing of an age was seen the
 * curve ends: reach is 0 from there on, and `known` is the last age it is known at.
 */
struct passage_curve {
	struct amount reach[TENURE_AGES + 1];
	uint32_t known;
};
struct passage_curve passage_curve_of(const struct passage *p);
/* Copied, each copy counted, where objects of this age and more are promoted: as far as known. */
struct amount passage_copied(const struct passage_curve *c, uint32_t threshold);
/* Promoted there: beyond what is known, as many as were last known to live. */
struct amount passage_promoted(const struct passage_curve *c, uint32_t threshold);

#endif
