/*
 * Event mode's way to the file: chunks of single objects (doc/trace-format.md, 8.2), in the order
 * of their handing over, a few of one kind and thread in a block, which is one chunk to the reader.
 * They wait until the places in them are known, or the pool gets short. The writer thread's own,
 * but for `until`.
 *
 * Where the program ends, a slow disk may be far behind: then what would take too long, at the
 * speed so far, is dropped from an interval on, and all objects are forgotten, so that the counts
 * still find their way.
 */
#ifndef AGENT_CHUNKS_H
#define AGENT_CHUNKS_H

#include "agent/output.h"
#include "agent/told_sites.h"
#include "exact/chunk_pool.h"
#include "trace/block.h"

struct chunks {
	struct chunk_pool *pool;    /* borrowed */
	struct told_sites *sites;   /* borrowed */
	struct chunk *first, *last; /* ready, not written yet; owned */
	struct block block;         /* the one that is being made; its columns are owned */
	uint32_t *ids;              /* [SITE_NUMBERS]: in the trace, 0: not asked for yet; owned */
	/* Sites for whose number there was no room: they are asked for again by the next
	 * chunks_write. Asking takes locks, and they may have millions of events. */
	uint32_t *unnamed; /* [SITE_NUMBERS]; owned */
	uint32_t unnamed_count;
	uint64_t checkpoint;    /* the last interval with one, plus 1 */
	bool mute;              /* they are dropped: nobody asked for them */
	_Atomic uint64_t until; /* ns: what would take longer is dropped; 0: nothing is */
	uint64_t spent, events; /* ns that writing took so far, and what was written then */
	uint64_t begun;         /* the interval that is being written, plus 1 */
	bool late;              /* they are dropped from now on */
	uint64_t untold;        /* intervals whose births were dropped so */
	uint64_t dropped;       /* the last of them, plus 1 */
};

/* 0 or ERR_NOMEM. mute: they are to be dropped. */
int chunks_init(struct chunks *c, struct chunk_pool *pool, struct told_sites *sites, bool mute);
/* The pool is still there. */
void chunks_release(struct chunks *c);
/* Takes over what is ready: only that is written. */
void chunks_take(struct chunks *c);
/* Whether the pool gets short: then nothing should wait. */
bool chunks_short(const struct chunks *c);
/* Writes those of intervals before `interval`. */
void chunks_write(struct chunks *c, struct recorder *r, struct output *o, uint64_t interval);

#endif
