/*
 * Listens to a replay and keeps one account for each site, or for each site and thread. All
 * reports are merges of accounts, so that a trace is replayed once however it is grouped.
 */
#ifndef ANALYZE_LEDGER_H
#define ANALYZE_LEDGER_H

#include "analyze/leaf.h"
#include "analyze/waiting.h"
#include "model/endings.h"
#include "model/replay.h"

struct account {
	uint32_t site, thread; /* indices; thread 0 where threads are not told apart */
	struct tally tally;
};

struct ledger {
	VEC(struct account) accounts; /* numbered from 1 */
	/* By account, but for those that leaves_lay adds: the allocations. Nine of ten records go
	 * there, so they stand close together; settling moves them into the tallies. */
	VEC(struct total) allocs;
	VEC(uint64_t) last;            /* the same: when the last of them was made, ns */
	struct waiting waiting;        /* until settled */
	struct leaves leaves;          /* filled by leaves_lay */
	const struct endings *endings; /* borrowed; NULL: leaves_lay has the counts alone */
	VEC(uint32_t) by_site; /* site → number of its account; where threads are not told apart */
	struct map index;      /* site and thread → the same, where they are */
	bool by_thread;        /* set before the replay */
	unsigned clocks;       /* set of enum clock: what lives are kept in */
};

void ledger_release(struct ledger *l);
/* To be called once, after the replay. 0 or ERR_NOMEM. */
int ledger_settle(struct ledger *l, const struct model *m);
/* The functions that fill it. */
struct listener ledger_listener(struct ledger *l);

#endif
