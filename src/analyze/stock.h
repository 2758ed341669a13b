/*
 * What stood in the heap after a collection, or at the end, by the exact engine's accounts: by site
 * what is counted, and how much more there may be. doc/metrics.md, "Heap by accounts".
 */
#ifndef ANALYZE_STOCK_H
#define ANALYZE_STOCK_H

#include "model/replay.h"

struct stock_site {
	uint32_t site; /* index */
	/* Element k: stand in the young generation, and have survived k collections, the last 16 or
	 * more. 0: born since the last collection. */
	struct quantity young[COUNTS_AGES + 1];
	struct quantity old;  /* came to the old generation since anything there was found dead */
	struct quantity most; /* of what came there before, or was lost from sight, at most */
};

/* Of each of the model's sites what had come to the old generation when it was last collected. */
struct stock_base {
	struct quantity promoted, outside;
};

struct stock {
	/* Set before the replay: the end, or the collection that left the clocks so. */
	bool end;
	uint64_t young, full;

	bool taken;    /* the accounts tell of that moment; else there are no sites */
	bool no_bound; /* the begin is forgotten: `most` is not all that there may be */
	bool astray; /* full collections hid how many lost their site: nothing is known of `most` */
	VEC(struct stock_site) sites; /* owned; those of which anything may stand */
	/* Without a site: what that collection found alive so; and what was, in all of the young
	 * ones, though it was neither older than the recording nor than a full collection. */
	struct quantity unknown, strayed;

	VEC(struct stock_base) base; /* owned; by place in the model's counts */
	struct record_exact_gc last; /* the accounts that were told last */
	uint64_t paused;             /* ns: the last stop that was no collection */
	bool clears;                 /* large objects go with any collection: G1 */
};

void stock_release(struct stock *s);
struct listener stock_listener(struct stock *s);
/* To be called once, after the replay. 0 or ERR_NOMEM. */
int stock_settle(struct stock *s, const struct model *m);

/* What is counted of a site: young of all ages, and old. */
struct quantity stock_counted(const struct stock_site *s);

#endif
