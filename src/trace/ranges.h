/* Ranges of addresses, in any order and overlapping; settled, they are sorted and apart, and asked
 * by binary search. Zero is a valid, empty set. */
#ifndef TRACE_RANGES_H
#define TRACE_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct range {
	uint64_t from, to; /* from ≤ address < to */
};

struct ranges {
	VEC(struct range) list; /* owned */
};

enum ranges_part { RANGES_NONE, RANGES_PART, RANGES_WHOLE };

void ranges_release(struct ranges *r);
/* from < to. 0 or ERR_NOMEM. */
int ranges_add(struct ranges *r, uint64_t from, uint64_t to);
/* To be called before the questions below. */
void ranges_settle(struct ranges *r);
bool ranges_has(const struct ranges *r, uint64_t address);
/* How much of first … last, both included, is in the set. */
enum ranges_part ranges_part(const struct ranges *r, uint64_t first, uint64_t last);

#endif
