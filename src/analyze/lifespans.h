/*
 * How long objects lived, in collections, with one weight each: of a tally (tally.h), which keeps
 * them once by objects and once by bytes. Zero is a valid empty one.
 */
#ifndef ANALYZE_LIFESPANS_H
#define ANALYZE_LIFESPANS_H

#include "model/life.h"
#include "stat/ages.h"

/* The clocks that lifetimes are known in; as a set, bits of 1 << clock. Those before CLOCKS_GC
 * count collections. */
enum clock { CLOCK_YOUNG, CLOCK_FULL, CLOCK_BYTES, CLOCK_NS, CLOCKS };
enum { CLOCKS_ALL = (1 << CLOCKS) - 1, CLOCKS_GC = CLOCK_BYTES };

struct lifespans {
	struct ages young, full;
	/*
	 * Deaths found by other collections since the full clock stood at open_clock. The next full
	 * collection makes them deaths of their full age; without one, it is not known whether
	 * those who live on would have outlived it, and so these prove nothing either
	 * (lifespans_settle).
	 */
	struct ages open;
	uint64_t open_clock;
};

void lifespans_release(struct lifespans *l);
/* One life, counted once for each of `size` bytes (1: once), in those clocks of the set that count
 * collections. 0, ERR_NOMEM or ERR_USAGE (a weight that ages_add refuses). */
int lifespans_add(struct lifespans *l, const struct life *life, uint64_t size, double weight,
	unsigned clocks);
/* Settles `open` at the end of a trace that left the full clock at `now`. 0 or ERR_NOMEM. */
int lifespans_settle(struct lifespans *l, uint64_t now);
/* Of settled lives. 0 or ERR_NOMEM (then *l is valid but incomplete). */
int lifespans_merge(struct lifespans *l, const struct lifespans *more);
/* The ages on a clock that counts collections. */
const struct ages *lifespans_ages(const struct lifespans *l, enum clock clock);

#endif
