/*
 * Deaths that are told a collection late, or some (doc/metrics.md, "Late deaths"). From JDK 16 on a
 * thread of the VM tells them after the collection that found them; where the machine is so busy
 * that it gets no processor before the next one, the deaths of both come together. The sign:
 * collections tell many deaths each, and then one tells none at all before the next, or before a
 * cycle of the old generation has ended. Where they follow each other closely there may be several
 * such in a row; or one tells what those before it have found, and nothing of its own.
 */
#ifndef STAT_LATE_H
#define STAT_LATE_H

#include <stdbool.h>
#include <stdint.h>

/* In a row; and all that within so long, ns: beyond, there was nothing to tell. */
enum { LATE_MOST = 8, LATE_WITHIN = 50000000 };

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
	struct late_clocks silent[LATE_MOST]; /* those right before it that had told none */
	uint32_t silent_count;
	uint64_t silent_since;        /* the end of the first of them */
	uint64_t collections, deaths; /* so far: silent ones, and deaths given back to them */
};

/* A collection that included the young generation brought the clocks to these; it ended at `time`,
 * ns of any clock. */
void late_collection(struct late *l, uint64_t young, uint64_t full, uint64_t time);
/*
 * A death is told at these clocks, of an object born at `birth` (its young clock): sets them to
 * those of the collection that found it, where that was a silent one: the first that it met. Of
 * what is told after an old cycle that is sure only of what was born right before the silent one: a
 * cycle does not find what is so young, but for the largest objects.
 */
void late_death(struct late *l, uint64_t birth, uint64_t *young, uint64_t *full);
/* What came before these clocks is not known: a gap in what is told. */
void late_gap(struct late *l, uint64_t young, uint64_t full);
/* The young clock after the last collection whose deaths have been told of, as far as one can say.
 */
uint64_t late_known(const struct late *l);

#endif
