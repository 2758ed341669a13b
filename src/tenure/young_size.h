/*
 * The young generation's size, which can be set only as the VM starts: how large a larger one may
 * be in this heap, and what it would leave of the copying (doc/metrics.md, "Tenure"). Nothing can
 * be foretold of a smaller one.
 */
#ifndef TENURE_YOUNG_SIZE_H
#define TENURE_YOUNG_SIZE_H

#include <stdbool.h>
#include <stdint.h>

#include "tenure/cost.h"
#include "tenure/snapshot.h"
#include "tenure/young_room.h"

/* A full collection, in copies of what it keeps: that is marked, told its place, and moved. */
#define YOUNG_FULL_COST 3

struct young_offer {
	uint64_t bytes;          /* for the young generation, whole MiB; 0: none is better */
	struct amount now, then; /* copied in the snapshot's window */
	double saved;            /* ns of it: copying, and full collections */
	double left;             /* of the cost of both: 0 … 1 */
};

/*
 * The one that costs least, of some up to twice as large. bound: of the threshold, in force now and
 * then (THRESHOLD_MOST: none); held: the thresholds while no lever was moved. Objects of places
 * whose jump is on are promoted at their first copy. Where the heap is not known nothing is
 * offered.
 */
struct young_offer young_size_offer(const struct snapshot *s, const struct held *held,
	uint32_t bound, const struct young_room *room, const struct cost *cost);
/* Whether the old generation would have what it needs beside it. */
bool young_size_fits(uint64_t bytes, const struct young_room *room);

#endif
