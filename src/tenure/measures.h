/* What rounds showed while the levers stood as they stand: for judging against later rounds. */
#ifndef TENURE_MEASURES_H
#define TENURE_MEASURES_H

#include <stdbool.h>

#include "tenure/gauge.h"
#include "tenure/round.h"

enum measure {
	MEASURE_COST,     /* the collector's CPU for each byte allocated; pauses where not known */
	MEASURE_COPIED,   /* bytes, for each byte allocated */
	MEASURE_PROMOTED, /* the same */
	MEASURE_PAUSE,    /* ns, of a collection */
	MEASURES
};

struct measures {
	struct gauge of[MEASURES];
	struct gauge each[MEASURES]; /* the first three for a collection, not for a byte */
	struct gauge share;          /* MEASURE_COST, over the CPU that the program takes for it */
	struct gauge whole;          /* MEASURE_COST, of each whole round */
	double allocated, copied;    /* sums: for means */
	uint32_t rounds;
	uint32_t full; /* of them with full collections */
};

void measures_clear(struct measures *m);
void measures_add(struct measures *m, const struct round *r);
/* Bytes copied for each byte allocated; 0 of nothing. */
double measures_copied(const struct measures *m);
/*
 * Whether the collector costs more in the mean than it did, by more than the share `least` and more
 * than three standard errors: marking takes CPU in bursts, which medians pass over. What is
 * promoted brings it about; early: of that, bytes for each byte allocated that would have died
 * young, NaN: not known. Only their part of what came to it counts. False before four rounds.
 */
bool measures_dearer(
	const struct measures *before, const struct measures *now, double early, double least);
/* The first measure of `which` (bits, 1 << enum measure) that is worse now by more than `least` and
 * more than noise; MEASURES: none. */
enum measure measures_worse(
	const struct measures *before, const struct measures *now, unsigned which, double least);
/* Whether one round is above those before or below them by as much. */
bool measures_apart(
	const struct measures *before, const struct round *r, unsigned which, double least);
/* The same of one round against those before. */
enum measure measures_changed(
	const struct measures *before, const struct round *r, double least, unsigned which);
/*
 * The same, where rounds may sway: beyond what those before did (gauge_departed); what is promoted
 * also by more than the share `least` of all that is copied. It must be so for each collection,
 * too: where eden gets smaller, more is copied for a byte allocated, of the same objects; and what
 * the collector costs must rise beside the program's own CPU, which a busy machine makes dearer as
 * well.
 */
enum measure measures_departed(
	const struct measures *before, const struct round *r, double least, unsigned which);
enum { MEASURES_JUDGED = 2 }; /* rounds of holding, before it is said that nothing came of it */
/* Whether of the copying that was to go down to `foretold`, for each byte allocated, a quarter has
 * not gone; false before MEASURES_JUDGED rounds, and where less than the share `least` was to go.
 */
bool measures_brought_nothing(
	const struct measures *before, const struct measures *since, double foretold, double least);
/* What it measures, as the subject of a sentence; never NULL. */
const char *measure_text(enum measure m);

#endif
