/*
 * Who outlives a young collection by the VM's own age table (Serial, G1), of all objects and not of
 * samples: of the bytes that came to collections with each age, what these copied. Both decay, as a
 * passage does. doc/metrics.md, "Ages of all".
 */
#ifndef TENURE_AGE_TABLES_H
#define TENURE_AGE_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "tenure/thresholds.h"

/* What stands in survivor spaces behind a collection. */
struct age_table {
	bool known;
	uint64_t bytes[TENURE_AGES]; /* by collections survived; [0]: none are there */
};

struct age_tables {
	double came[TENURE_AGES], stood[TENURE_AGES]; /* bytes; [0]: not asked for */
};

/* A young collection, what stood before it and behind it, and what it promoted. */
struct age_tables_turn {
	const struct age_table *before, *after;
	uint32_t threshold;
	uint32_t whole;    /* only what is younger than that is all there: jumps took the rest */
	uint64_t promoted; /* bytes */
};

/* Whether it can be counted: both tables are known, and no more was promoted than had come of age,
 * but for a sixteenth of what it copied (ends of buffers). More is what found no room. */
bool age_tables_tells(const struct age_tables_turn *c);
void age_tables_add(struct age_tables *a, const struct age_tables_turn *c);
/* All times `factor`; but what is left of an age stays, as the best that is known: while a bound
 * holds nothing of what it promotes is seen. */
void age_tables_decay(struct age_tables *a, double factor);
/* Ages 1 … n - 1 are known; 0: none. */
uint32_t age_tables_known(const struct age_tables *a);
/* Of an age that is known: the share that outlives a collection. */
double age_tables_passed(const struct age_tables *a, uint32_t age);

#endif
