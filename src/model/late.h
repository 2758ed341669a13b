/*
 * Deaths that are told a collection late (doc/metrics.md, "Late deaths"). From JDK 16 on a thread
 * of the VM tells them after the collection that found them; where the machine is so busy that it
 * gets no processor before the next one, the deaths of both come together. The sign: collections
 * tell many deaths each, and then one tells none at all before the next, or before a cycle of the
 * old generation has ended.
 */
#ifndef MODEL_LATE_H
#define MODEL_LATE_H

#include <stdbool.h>
#include <stdint.h>

struct late {
	uint64_t told;        /* deaths since the last collection of the young generation */
	double usual;         /* of such a collection, a running mean */
	uint64_t young, full; /* the clocks after the last one */
	bool behind;          /* it had told none when an old cycle's were told */
	bool open;            /* the one before the last had told none when the last began … */
	uint64_t open_young, open_full; /* … and stood at these clocks */
	uint64_t collections, deaths;   /* so far: silent ones, and deaths given back to them */
};

/* A collection that included the young generation brought the clocks to these. */
void late_collection(struct late *l, uint64_t young, uint64_t full);
/*
 * A death is told at these clocks, of an object born at `birth` (its young clock): sets them to
 * those of the collection that found it, where that was the silent one. Of what is told after an
 * old cycle that is sure only of what was born right before the silent one: a cycle does not find
 * what is so young, but for the largest objects.
 */
void late_death(struct late *l, uint64_t birth, uint64_t *young, uint64_t *full);

#endif
