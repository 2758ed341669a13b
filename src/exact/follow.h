/*
 * Follows every object through the collections: what was born since the last one (event_log.h) and
 * the residents of the regions that were collected are looked up, and what became of them is told
 * in chunks (doc/trace-format.md, 8.2). All that it knows of the VM it asks an oracle.
 *
 * One step is: follow_log for each thread's log, a begin, follow_work by any number of threads up
 * to the bound, follow_end. The steps:
 *
 * - a young or mixed collection, at its end: logs, follow_evacuation, work, end;
 * - a pause that only frees, at its end: follow_evacuation, work, end;
 * - a full collection, where it begins to mark: logs, follow_stamping, work; at its end:
 * follow_found for each object in the heap, follow_compaction, work, end;
 * - one that was not seen: logs, follow_forget or follow_lose, end;
 * - the recording's end: logs, follow_close.
 *
 * Where the young generation's births are not logged (`meets`) those that outlive a collection are
 * met behind it: follow_meet for each, by any number of threads, each then follow_rest, and
 * follow_met, all between the work and follow_end.
 *
 * All run while the program stands, and allocate nothing. begin and end are one thread's; a young
 * collection inside a full one (Parallel) is a step of its own before it.
 *
 * What finds no room is told: births of an interval are lost as a whole (event_log.h), survivors
 * beyond the bound are forgotten one by one, and where a step can't be told at all (no chunk left),
 * everything is forgotten and its births are lost.
 */
#ifndef EXACT_FOLLOW_H
#define EXACT_FOLLOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "exact/chunk_cursor.h"
#include "exact/event_log.h"
#include "exact/follow_totals.h"
#include "exact/gc_chunk.h"
#include "exact/identities.h"
#include "exact/residents.h"
#include "exact/step_clock.h"
#include "hotspot/heap_regions.h"

enum {
	FOLLOW_WORKERS_MAX = 16,
	FOLLOW_UNKNOWN = 1,
};

/* No identity has so many bits. */
#define FOLLOW_DEAD UINT32_MAX

struct follow_oracle {
	void *arg;
	/*
	 * Where the object is now that stood at the address: 0: it is dead. FOLLOW_UNKNOWN: nobody
	 * can tell. Of a region that was evacuated, or failed to be. KEPT: of an old region, after
	 * a collection in which evacuation failed somewhere; it may have been one of those, and
	 * what was not moved is taken to stay.
	 */
	uintptr_t (*where)(void *arg, enum region_fate fate, uint32_t site, uintptr_t address);
	/* Gives the object an identity that outlives a full collection: the one proposed, or the
	 * one that it has (through locks too). 0: it has none and can't be given one. FOLLOW_DEAD:
	 * it has been dead for so long that the collector has written over it. */
	uint32_t (*identify)(void *arg, uint32_t site, uintptr_t address, uint32_t proposed);
	identity_same *same; /* after it: may that object be of this site? */
	/*
	 * Of births, of which the last is in an evacuated region: goes on behind those that are
	 * dead, up to the first one that may not be, or that does not lie between the last and
	 * `top`. Returns how many. It asks what `where` does, of millions. NULL: `where` does
	 * alone.
	 */
	uint64_t (*skip)(void *arg, struct chunk_cursor *c, uintptr_t top);
	/* Of a site of arrays: bytes of the one whose header, but for the mark, is at the address.
	 * 0: all objects of the site are alike. NULL: nobody tells. */
	uint64_t (*bytes)(void *arg, uint32_t site, uintptr_t address);
	/* Before identify: whether a young collection that failed in this very pause may have moved
	 * the object away from there. NULL: none does. */
	bool (*left)(void *arg, uint32_t site, uintptr_t address);
	/* Of a region that was evacuated: whether `where` and `bytes` know all that stood between
	 * the addresses, though the memory is gone. NULL: of none. */
	bool (*kept)(void *arg, uintptr_t from, uintptr_t to);
};

/* Told of each that outlives a collection, where it was and where it is, and how many collections
 * it has outlived (step_clock.h). With one worker only. */
typedef void follow_watch(
	void *arg, uint32_t site, uintptr_t was, uintptr_t now, uint32_t outlived);

struct follow_bounds {
	uint64_t residents, identities; /* objects */
	size_t regions;                 /* heap_regions.room */
	uintptr_t base;                 /* no object lies below it, nor 512 GiB above it */
};

enum follow_phase { FOLLOW_IDLE, FOLLOW_EVACUATION, FOLLOW_STAMPING, FOLLOW_COMPACTION };

struct follow_worker {
	struct gc_chunks out;
	struct resident_pen pen;
	struct follow_totals sums; /* of this step */
	uint32_t proposed;         /* an identity not used yet; 0: none */
	size_t region;             /* of the last birth; what it spans */
	uintptr_t bottom, top;
	uintptr_t skip;    /* up to where the dead of it can be skipped */
	uint64_t apart[8]; /* no two workers write to one cache line */
};

struct follow {
	struct chunk_pool *pool; /* borrowed */
	struct follow_oracle oracle;
	follow_watch *watch; /* NULL: nobody; set by the owner */
	void *watch_arg;
	struct step_clock clock; /* its `part` set by the owner */
	struct residents residents;
	struct identities identities;
	struct follow_totals totals;
	uint64_t interval, young; /* that is on, and the clock when it began */
	uint64_t young_before;    /* the clock when the interval before it began */
	uint64_t checkpoint;      /* totals.births at the last checkpoint */
	uint64_t checkpoint_most; /* births after which one is due in any case; 0: no such bound */
	struct chunk *spare;      /* to say with that all is forgotten, when there is no other.
				     NULL: it says so, and until there is one again nothing is
				     followed */
	bool meets;               /* set by the owner: births are not logged, but met */

	/* Of the step that is on. */
	enum follow_phase phase;
	const struct heap_regions *before, *after; /* borrowed */
	struct chunk *births, *births_last;        /* taken from the logs; owned */
	uint64_t pending;                          /* births in them */
	uint64_t dropped;                          /* births in no chunk */
	struct chunk **chunks;                     /* [pool's count]: births, for the workers */
	size_t chunk_count;
	uint8_t *fates;              /* [regions]: enum region_fate */
	uintptr_t *readable;         /* [regions]: up to where */
	size_t kept;                 /* the region that is, with memory that is gone; SIZE_MAX */
	struct resident_list *taken; /* [regions]: that are to be looked at */
	bool doubt, lost;
	bool due, met;       /* births are to be met behind it; they were */
	_Atomic size_t next; /* piece of work that nobody has begun */
	size_t pieces;
	struct follow_worker workers[FOLLOW_WORKERS_MAX];
	size_t regions;
};

/* 0 or ERR_NOMEM. young: the clock now. */
int follow_init(struct follow *f, struct chunk_pool *pool, const struct follow_oracle *o,
	const struct follow_bounds *b, uint64_t young) MF_MUST_USE;
void follow_release(struct follow *f);

/* Takes a log's births for the step that begins next. Not where the pause is no collection: what
 * was born since the last one can't have died in it. */
void follow_log(struct follow *f, struct event_log *log);
/* The same of what was taken out of a log before; between steps. */
void follow_births(struct follow *f, struct chunk *list, uint64_t dropped);

/* Snapshots must stay until follow_end. False: there is nothing to be done, and no step is on. */
bool follow_evacuation(struct follow *f, const struct heap_layout *h, enum heap_pause pause,
	const struct heap_regions *before, const struct heap_regions *after);
/* `before`: the regions as they are now. Needs only stay until the work is done. */
void follow_stamping(struct follow *f, const struct heap_regions *before);
/* After stamping's work, where births are met: one of them has that hash already. */
void follow_unborn(struct follow *f, uint32_t hash, uint32_t site, uintptr_t address);
/* Then: an object with that hash is at the address. */
void follow_found(struct follow *f, uint32_t hash, uintptr_t address);
/* Some objects before it. */
void follow_will_find(const struct follow *f, uint32_t hash);
void follow_compaction(struct follow *f, const struct heap_regions *after);
/* worker: 0 to FOLLOW_WORKERS_MAX - 1, each by one thread. Returns when no work is left. */
void follow_work(struct follow *f, uint32_t worker);
/* One of the interval's births stands at the address, in that region, after the step. */
void follow_meet(
	struct follow *f, uint32_t worker, size_t region, uint32_t site, uintptr_t address);
/* The worker has met all it will in this step. */
void follow_rest(struct follow *f, uint32_t worker);
/* All were met. Without it they are lost, but behind a step that they go on after (follow_unmet).
 */
void follow_met(struct follow *f);
void follow_unmet(struct follow *f);
/* Hands the step's chunks to the writer. young: the clock after it. */
void follow_end(struct follow *f, uint64_t young);

/* Nothing is followed any more: between steps, all that was known is forgotten, and births that are
 * pending are lost; amid: and those that would have been met. Gives the memory back. */
void follow_abandon(struct follow *f, bool amid);
/* Behind it, for each interval that is not told of. */
void follow_untold(struct follow *f);

/* A collection at which nothing is to be done, between steps: what is born from now on is born at
 * this clock. */
void follow_tick(struct follow *f, uint64_t young);

/* A collection that can't be followed: ends in follow_end, without work. */
void follow_forget(struct follow *f);
/* One that has ended some time ago: it is not known who was born before it, and two of the births
 * may have had the same address. */
void follow_lose(struct follow *f);
/* The end of the recording: births since the last step are told, and all that live. */
void follow_close(struct follow *f);

/* Followed now; between steps. */
static inline uint64_t follow_alive(const struct follow *f)
{
	return f->totals.births - f->totals.deaths - f->totals.forgotten;
}

/* Bytes that a full collection would take beside what is held: of the numbers of all who are
 * followed, and of their marks, which the VM keeps meanwhile. At most, as blocks need not be full.
 * Any thread may ask. */
uint64_t follow_need(const struct follow *f);
/* Bytes of an array whose header is there; 0: all of the site are alike, or nobody tells. */
static inline uint64_t follow_bytes(const struct follow *f, uint32_t site, uintptr_t header)
{
	return f->oracle.bytes ? f->oracle.bytes(f->oracle.arg, site, header) : 0;
}

/* Headers lie anywhere, and are asked for some objects before. */
static inline void follow_ahead(const struct follow *f, const struct resident_block *b, uint64_t i)
{
	enum { AHEAD = 16 };
	if (i + AHEAD < b->used)
		__builtin_prefetch((void *)resident_address(&f->residents, b->at[i + AHEAD]));
}

#endif
