/*
 * Listens to a replay for what was alive at one moment, or at many: doc/metrics.md, "Heap at a
 * moment".
 */
#ifndef ANALYZE_HEAP_H
#define ANALYZE_HEAP_H

#include "analyze/ledger.h"

enum { HEAP_MOMENTS = 1000 };

struct heap_moment {
	uint64_t time;        /* ns */
	uint64_t young, full; /* the clocks then */
	struct total live;
	uint64_t vm_used; /* bytes, by the last collection before; 0 unknown */
	double guessed;   /* bytes of `live` that objects let go before stand for */
	double pooled;    /* objects let go that await more to stand for them */
	bool untold;      /* nothing is known: it is forgotten */
};

/* An object let go while it was alive. */
struct heap_gone {
	struct object object;
	uint64_t time, young; /* when, by the clocks */
};

struct heap {
	VEC(struct heap_moment) moments; /* set before the replay: `time`, rising; owned */
	struct ledger lives;             /* of the whole trace; owned */
	struct ledger alive;             /* at the last moment, as `alive` of its tallies; owned */
	VEC(struct heap_gone) gone;      /* owned */
	size_t passed; /* moments that the replay has come by: their clocks are set */
};

/* Sets what the ledgers keep. */
void heap_init(struct heap *h, bool by_thread);
void heap_release(struct heap *h);
/* 0, or ERR_NOMEM. */
int heap_add_moment(struct heap *h, uint64_t time);
struct listener heap_listener(struct heap *h);
/* To be called once, after the replay. 0 or ERR_NOMEM. */
int heap_settle(struct heap *h, const struct model *m);

#endif
