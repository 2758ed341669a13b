/*
 * What is known of the lives of the objects of one caller of a line: by samples, and by the exact
 * engine's counts where these are of all that the caller made. Which callers live alike? Either may
 * tell (stat/conflict.h): samples see the old generation, counts see all. doc/metrics.md,
 * "conflict". Zero is a valid empty one.
 */
#ifndef ANALYZE_CALLER_H
#define ANALYZE_CALLER_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/ledger.h"
#include "stat/conflict.h"

enum known { KNOWN_SAMPLED, KNOWN_COUNTED, KNOWNS };

struct caller {
	struct ages sampled;    /* by bytes; owned */
	struct counted counted; /* owned */
};

void caller_release(struct caller *c);
/* Lives in young collections, or in full ones: of these nothing is counted. 0 or ERR_NOMEM. */
int caller_add(struct caller *c, const struct ledger *l, uint32_t account, enum clock clock);
/* 0 or ERR_NOMEM. */
int caller_merge(struct caller *c, const struct caller *more);
/* By bytes; NULL: it is not known this way. */
const struct ages *caller_lives(const struct caller *c, enum known known);
/* As how many samples it counts, of whichever tells more. */
double caller_effective(const struct caller *c);
/* Whether nothing tells that two live differently; too little to say counts as alike. */
bool callers_alike(const struct caller *a, const struct caller *b, int *err);

#endif
