/*
 * What became of the objects that are followed: counted by each worker for one step, and summed up
 * once it is told (follow.h).
 */
#ifndef EXACT_FOLLOW_TOTALS_H
#define EXACT_FOLLOW_TOTALS_H

#include <stdint.h>

/* Objects. births = deaths + forgotten + those that are followed. */
struct follow_totals {
	uint64_t births, deaths, forgotten;
	uint64_t moves, stays;   /* survivals, told */
	uint64_t lost;           /* births in intervals that were lost: not in `births` */
	uint64_t lost_intervals; /* for the trace's `lost` record */
	/* Of those forgotten: born where no object can be, beyond the bounds, locked or not to be
	 * read as a full collection came, in memory that was given back, not to be told apart, in a
	 * step that could not be told. */
	uint64_t strays, refused, nameless, unreadable, unsure, untold;
	uint64_t doubtful; /* left in old regions that may have failed to be evacuated */
};

void follow_totals_add(struct follow_totals *to, const struct follow_totals *more);

#endif
