/*
 * What a setting of the levers would make the collector copy: doc/metrics.md, "Tenure". All
 * amounts are of the snapshot's window, and of what the collector itself is known to copy (`fit`).
 */
#ifndef TENURE_FORECAST_H
#define TENURE_FORECAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tenure/choose.h"
#include "tenure/cost.h"
#include "tenure/snapshot.h"

/* What the ages say against what the collector did, in the last round that no lever changed. */
struct fit {
	double value;  /* copied by the collector, over copied by the ages: as far as it may be
			  chance that the samples say less */
	double all;    /* the same, however much that is */
	double others; /* as much again is copied of objects that were not followed, which get as
			  old as the age table says */
	double taken;  /* bytes that survivor spaces take in the snapshot's window, where that is
			  less than by the ages; 0: it is not */
	bool known;    /* by the collector; else the value is 1 */
};

/* copied: bytes that the collector copied; survivors: what it found in survivor spaces;
 * both in the snapshot's last round, of so many collections. copied 0: unknown, and the fit is 1.
 */
struct fit fit_of(
	const struct snapshot *s, const struct held *held, double copied, double survivors);

/* seen: copied by the collector, over copied of what was followed, in the same round: a start has
 * left what is copied on beyond what its births are worth, and more of that is nobody else's. */
void fit_add_others(struct fit *fit, const struct snapshot *s, double seen);

struct setting {
	uint32_t most;                 /* bound of the threshold; THRESHOLD_MOST: none */
	const struct choose_row *jump; /* by row of the snapshot; NULL: none jumps */
};

struct forecast {
	struct amount copied;   /* each copy counted */
	struct amount first;    /* of it, each object's first */
	struct amount promoted; /* that reaches the old generation */
	struct amount early;    /* of it, what would have died young as things are */
	double cost;            /* ns of CPU: copied, and early */
	double error;           /* as forecast_error, of the forecasts of a plan; else 0 */
};

/* held: the thresholds in force while no lever is moved. */
struct forecast forecast_of(const struct snapshot *s, const struct held *held,
	const struct setting *set, const struct fit *fit, const struct cost *cost);

/* Standard error of its copied.bytes, from sampling alone. As dear as the forecast twice. */
double forecast_error(const struct snapshot *s, const struct held *held, const struct setting *set,
	const struct fit *fit);

#endif
