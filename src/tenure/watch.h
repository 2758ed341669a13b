/*
 * Which places have their callers looked at, and how deep: where what survives at a place has more
 * than one lifetime, its nearest callers get rows for some rounds; where these don't tell the
 * lifetimes apart, one caller more, up to PLACE_CALLERS. ROLP's search for the calls that decide
 * (Bruno et al. 2019, 5), with callers that were sampled anyway in place of calls that are counted.
 */
#ifndef TENURE_WATCH_H
#define TENURE_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "tenure/rows.h"

enum { WATCH_PLACES = 16, WATCH_CALLERS = 64, WATCH_ROUNDS = 2, WATCH_TIRED = 64 };

struct watch {
	uint32_t place; /* row, or ROW_NONE: free */
	uint32_t depth, rounds;
	uint32_t caller[WATCH_CALLERS + 1]; /* rows; the last is of all others */
	uint32_t count;
	bool told; /* its callers tell the lifetimes apart */
};

struct watches {
	struct watch at[WATCH_PLACES];
};

void watches_init(struct watches *w);
/* The row that a birth there counts for: its callers', or the place's own. *other: it had to be
 * counted among the others. */
uint32_t watches_row(struct watches *w, struct rows *r, uint32_t place,
	const struct place_context *at, bool *other);
/* A round is over. Rows to be dropped are marked `going`; whether there are any. */
bool watches_round(struct watches *w, struct rows *r);
/* The place's row goes: so do its callers'. */
void watches_drop(struct watches *w, struct rows *r, uint32_t place);
/* Whether the row's callers tell its lifetimes apart. */
bool watches_told(const struct watches *w, const struct row *place);

#endif
