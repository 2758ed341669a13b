/*
 * Deaths that are told a collection late, or some (doc/metrics.md, "Late deaths"). From JDK 16 on a
 * thread of the VM tells them after the collection that found them; where the machine is so busy
 * that it gets no processor before the next one, the deaths of both come together. The recording
 * says so where it could see that (GC_WAITED, GC_NOTHING). Else the sign:
 * collections tell many deaths each, and then one tells none at all before the next, or before a
 * cycle of the old generation has ended. Where they follow each other closely there may be several
 * such in a row; or one tells what those before it have found, and nothing of its own.
 */
#ifndef STAT_LATE_H
#define STAT_LATE_H

#include <stdbool.h>
#include <stdint.h>

#include "stat/late_ages.h"

/* In a row, by the sign, and all that within so long, ns: beyond, there was nothing to tell. */
enum { LATE_MOST = 8, LATE_WITHIN = 50000000 };
/* In a row, as seen. */
enum { LATE_ROOM = 64 };

/* Of what the collection before has found, as the next one begins. */
enum late_seen {
	LATE_UNSEEN,  /* nothing was seen: the sign decides */
	LATE_WAITED,  /* none of it has been told, and some will be */
	LATE_NOTHING, /* there was nothing to tell */
};

struct late_clocks {
	uint64_t young, full;
};

struct late {
	/* Deaths since the last collection of the young generation, and of them those of what was
	 * born right before it; and how many there are of such a collection, running means. */
	uint64_t told, newborn;
	double usual, usual_newborn;
	struct late_clocks last;              /* after the last one */
	uint64_t ended;                       /* when it did, ns */
	bool behind;                          /* it had told none when an old cycle's were told */
	struct late_clocks silent[LATE_ROOM]; /* those right before it that had told none */
	uint32_t silent_count;
	uint64_t silent_since; /* the end of the first of them */
	struct late_ages ages;
	uint64_t collections, deaths; /* so far: silent ones, and deaths given back to them */
};

/* A collection that included the young generation brought the clocks to these; it ended at `time`,
 * ns of any clock. seen: as it began. */
void late_collection(
	struct late *l, uint64_t young, uint64_t full, uint64_t time, enum late_seen seen);
/*
 * A death is told at these clocks, of an object born at `birth` (its young clock): sets them to
 * those of the collection that found it, where that was a silent one: any that it met, by what is
 * known of its place (any number that stands for it; stat/late_ages.h). Of what is told after an
 * old cycle that is sure only of what was born right before the silent one: a cycle does not find
 * what is so young, but for the largest objects.
 */
void late_death(struct late *l, uint64_t birth, uint64_t place, uint64_t *young, uint64_t *full);
/* What came before these clocks is not known: a gap in what is told. */
void late_gap(struct late *l, uint64_t young, uint64_t full);
/* The young clock after the last collection whose deaths have been told of, as far as one can say.
 */
uint64_t late_known(const struct late *l);

#endif
