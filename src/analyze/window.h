/*
 * Listens to a replay through a window of time: the lives that ended in it (or, where collections
 * are too rare to tell, that began in it), by how many collections they survived, and what outlived
 * it. Definition: doc/metrics.md, "Garbage of a window".
 */
#ifndef ANALYZE_WINDOW_H
#define ANALYZE_WINDOW_H

#include "analyze/ledger.h"
#include "analyze/life_group.h"
#include "analyze/told.h"

struct window {
	uint64_t from, to; /* ns: what happens after `from`, up to `to` */
	bool by_birth;
	/* The exact engine tells all that young collections found dead in it. Then `alloc` of the
	 * ledgers of garbage are these, counted, and `died` are they with what was found by
	 * collections of the old generation, estimated. */
	bool counted;
	struct told told; /* owned */
	/* Else all with what was allocated in the window as `alloc`. Owned. */
	struct ledger garbage;        /* lives that count, as died */
	struct ledger groups[GROUPS]; /* the same by group */
	struct ledger outlived;       /* as alive */
	struct total dead[GROUPS];    /* the sums of `groups` */
	struct total left;            /* of `outlived` */
};

/* Holds up to WINDOWS_MAX of them; they may overlap. */
enum { WINDOWS_MAX = 64 };
struct windows {
	struct window *list;
	size_t count;
};

void window_init(struct window *w, uint64_t from, uint64_t to, bool by_birth, bool by_thread);
void window_release(struct window *w);
/* What of a row of `garbage` or `groups` is garbage, with its error. */
struct total window_garbage(const struct window *w, const struct tally *t);
/* Of all; to be called once, after the replay. 0 or ERR_NOMEM. */
int windows_settle(struct windows *w, const struct model *m);
struct listener windows_listener(struct windows *w);

#endif
