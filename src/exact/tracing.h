/*
 * Event mode in a running VM: the births that threads have logged, and follow.h's steps at the
 * collections' ends, shared out over a few threads. Chunks go to the pool's list of those that are
 * ready, for the writer thread.
 *
 * Births may be logged all, or those outside of the young generation alone (follow.meets): the
 * others are then met in it where they outlive a collection.
 *
 * Memory: the pool, eight bytes for each object that lives, and 24 to 36 more while a full
 * collection is on, all bounded. All functions but init, release, want and unwant run while the
 * program stands, and allocate nothing.
 */
#ifndef EXACT_TRACING_H
#define EXACT_TRACING_H

#include "exact/births.h"
#include "exact/chunk_pool.h"
#include "exact/crew.h"
#include "exact/follow.h"
#include "exact/stamps.h"
#include "exact/witness.h"
#include "hotspot/heap.h"
#include "hotspot/heap_regions.h"
#include "hotspot/region_walk.h"
#include "hotspot/tlab_gaps.h"

struct tracing {
	const struct heap_layout *layout; /* borrowed */
	struct births *births;            /* borrowed */
	struct chunk_pool pool;
	struct follow follow;
	struct witness witness;
	struct crew *crew;          /* borrowed; set before the first pause */
	region_objects *g1_objects; /* the VM's own walk; NULL: not to be had. Its owner's */
	bool (*meet)(void *arg);    /* has follow_meet told of all births that live at a step's end;
				       false: they can't be. NULL: births are logged. Its owner's */
	void *meet_arg;
	bool stamped;   /* a full collection is on, and its beginning was seen */
	bool began;     /* births are logged */
	bool abandoned; /* and won't be again; */
	bool untold;    /* not in the interval that this pause ends, either */
	bool fresh;     /* and no pause has begun since */
	_Atomic bool
		checkpoint;  /* one is wanted at the end of the next step that has room for it */
	_Atomic bool wanted; /* births are to be logged from the end of a pause on in which the
				counts held */
};

struct tracing_bounds {
	uint64_t young_bytes; /* the most that the young generation can have */
	size_t regions;       /* heap_regions.room */
};

/* 0 or ERR_NOMEM; ERR_UNSUPPORTED: the VM does not tell its heap's bounds, or they are too wide. */
int tracing_init(struct tracing *t, struct births *b, const struct heap_layout *layout,
	const struct vm_objects *objects, const struct tracing_bounds *bounds, uint64_t young);
void tracing_release(struct tracing *t);

/* Bytes as follow_need's. Any thread may ask. */
uint64_t tracing_need(const struct tracing *t);

/* Births are logged from now on, or, where the program runs, from the end of the first pause in
 * which an audit held (audits_hold). */
void tracing_begin(struct tracing *t);
void tracing_want(struct tracing *t);
/* Not even then. */
void tracing_unwant(struct tracing *t);

/* A pause begins; young: the clock. */
void tracing_start(struct tracing *t, uint64_t young);

/* A checkpoint is to be made soon, though it is not due. */
void tracing_want_checkpoint(struct tracing *t);

/* The end of a pause that was no full collection; young: the clock after it. */
void tracing_pause(struct tracing *t, enum heap_pause pause, const struct heap_regions *before,
	const struct heap_regions *after, uint64_t young);
/* Between a young collection of Parallel and its pause's end: the end of the young generation is
 * about to be given back. before: as the collection began. */
void tracing_shrinks(struct tracing *t, const struct heap_regions *before);
/* Behind a young collection another one begins in the same pause; before: as the first began. */
void tracing_part(
	struct tracing *t, const struct heap_regions *before, const struct heap_regions *now);
/* A full one begins to mark. What a young collection has done before it, in the same pause. */
void tracing_full_begins(struct tracing *t, const struct heap_regions *before,
	const struct heap_regions *now, enum stamps_young young);
/* Its end; before: as the pause began. gaps: it has ended some time ago, the program has run since,
 * and stands; NULL: it ends now. */
void tracing_full_ends(struct tracing *t, const struct heap_regions *before,
	const struct heap_regions *after, const struct tlab_gaps *gaps, uint64_t young);
/* A pause of which nothing can be told. */
void tracing_forget(struct tracing *t, uint64_t young);
/* One that has ended some time ago: where its beginning was not caught, what was born before it
 * can't be told from what was born since, which may stand where that stood. */
void tracing_lose(struct tracing *t, uint64_t young);
/* At a pause's end: no single object is told of from now on, because it takes too much; where an
 * object has a site it is still counted by that. The objects that live are forgotten. amid: amid a
 * pause, where no step is on; what was born since the last one is lost. */
void tracing_abandon(struct tracing *t, bool amid);
/* In a pause that nobody follows any more, nor any later one: gives back what is kept of objects.
 */
void tracing_shed(struct tracing *t);
/* Behind it, for each interval between two accounts: its births are in no event. */
void tracing_untold(struct tracing *t);
/* The end of the recording; births are off. */
void tracing_end(struct tracing *t);

#endif
