/*
 * One recording inside the VM, without the VM: what is sampled goes in here, and records come
 * out into the journal. The callbacks (sampler.c, gcs.c) do all calls into the VM before or
 * after; nothing here calls it, so the one lock is never held across such a call. What is named in
 * the trace is recorder_names.h, and what tenure learns by it recorder_lessons.h.
 *
 * Threads: any Java thread samples; the VM's service thread or, on JDK 11, its VM thread tells
 * deaths; the VM thread tells collections; the writer thread takes blocks and ticks.
 */
#ifndef AGENT_RECORDER_H
#define AGENT_RECORDER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/catalog.h"
#include "agent/configs.h"
#include "agent/footprint.h"
#include "agent/journal.h"
#include "agent/learning.h"
#include "agent/live.h"
#include "agent/waker.h"
#include "options/options.h"

/* Records that found no room. */
struct loss {
	uint64_t count, bytes; /* bytes: of samples only */
};

#define RECORDER_WAITS ((struct ns){UINT64_MAX})

struct recorder_counts {
	uint64_t samples, walked, tracked, died, untracked, alive, lost;
};

struct recorder {
	pthread_mutex_t lock; /* protects all below but the atomics */
	struct ns start;      /* the origin of all times in the trace: recorder_begin */
	struct journal journal;
	struct primer primer; /* of a cyclic trace */
	struct catalog catalog;
	struct live live;
	struct configs configs;
	struct learning *learning; /* borrowed; NULL: nobody learns */
	uint64_t walked, tracked, died, untracked, lost;
	struct loss untold[LOST_WHATS]; /* not yet in the trace; by enum lost_what */
	struct loss starved;            /* and samples that there was no memory for */
	uint64_t collections;
	bool evicting;                /* a batch is on its way out of the VM */
	bool noted_full;              /* the note about the memory bound is written, */
	bool noted_threads;           /* and that about threads */
	const struct waker *waker;    /* the writer's, borrowed; NULL: none */
	_Atomic bool woken;           /* it was told of full blocks, and has not looked since */
	_Atomic uint64_t samples;     /* that the VM gave us */
	_Atomic uint64_t alloc_bytes; /* the allocation clock */
	_Atomic uint64_t young, full; /* the GC clocks */
	struct footprint footprint;   /* not under the lock */
};

/* start: RECORDER_WAITS: recorder_begin is still to say it, and until then all is told at 0.
 * capacity: objects followed at once. waker: is called when blocks are full; may be NULL. 0 or
 * ERR_NOMEM. */
int recorder_init(struct recorder *r, const struct options *o, uint32_t capacity, struct ns start,
	const struct waker *waker);
/* The recording begins now: after names and notes at most. */
void recorder_begin(struct recorder *r, struct ns start);
/* A recorder that is all zeros may be released too. */
void recorder_release(struct recorder *r);
/* The writer looks at once what there is to write, however often it is told. Lock-free, and nothing
 * is waited for: from inside a pause too. */
void recorder_wake(const struct recorder *r);

/* Since the recording began. Under the lock, so that times in the journal never step back. */
struct ns recorder_now(const struct recorder *r);

/* Adds a sample of that size, whose distance was drawn by that interval, to the allocation clock.
 * Lock-free. */
void recorder_clock(struct recorder *r, uint64_t size, uint64_t interval);
struct sieve recorder_sieve(const struct recorder *r);
/* Bytes, by which distances to the next sample are drawn. */
uint64_t recorder_interval(const struct recorder *r, uint8_t spread);
/* The same, that the recording begins with. */
uint64_t recorder_first(const struct recorder *r);
/* Exact counts go: the interval is what it is without them. */
void recorder_alone(struct recorder *r);
/* The config of such a sample that the sieve lets through; 0: no room. */
uint32_t recorder_config(struct recorder *r, uint64_t interval, const struct sieve *sieve);
/*
 * Whether the VM is to be told of another interval: then the caller alone is to tell it, and then
 * that it did, or could not. False from the second where there is no room to say so in the trace:
 * the VM is to be told of the old one, then that it was not done. The first is lock-free while
 * nothing is to be done.
 */
bool recorder_spaces(struct recorder *r, uint64_t *interval);
bool recorder_spaced(struct recorder *r);
void recorder_unspaced(struct recorder *r);

/* A record of the exact engine; its times count from the recording's start. 0, ERR_FULL, ERR_LIMIT.
 */
int recorder_exact(struct recorder *r, const struct record *record);
/* A record of tenure's, its times as there; one that finds no room is counted. Whether it did. */
bool recorder_tenure(struct recorder *r, const struct record *record);

struct sample {
	uint32_t class_id, thread; /* 0: unknown */
	uint64_t size;
	uint64_t young, full; /* the GC clocks when it was born: recorder_born */
	const struct stack_frame *stack;
	uint32_t depth;
	bool cut;
	bool follow;       /* the sieve lets it through */
	bool asked;        /* the VM was asked for the methods of the stack */
	uint64_t interval; /* by which the distance to it was drawn, */
	uint32_t config;   /* as its config has it */
	uint8_t shift;     /* it stands for 1 << shift samples of the VM, where it is followed */
};

enum sample_outcome {
	OUTCOME_RECORDED, /* allocation only */
	OUTCOME_FOLLOWED, /* *tag is to be set on the object */
	OUTCOME_UNWANTED, /* the filters keep it out */
	OUTCOME_UNKNOWN,  /* nothing yet: ask for its methods, and then come again */
	OUTCOME_LOST,
};

/*
 * Sets the clocks of a sample, first of all: what is asked of the VM afterwards (names, stacks) may
 * let a collection through, which the object then has survived.
 */
void recorder_born(const struct recorder *r, struct sample *s);
/* Records a sample whose stack was walked. */
enum sample_outcome recorder_sample(struct recorder *r, const struct sample *s, int64_t *tag);
/* By a thread that is sampled, now and then: how much of the CPU that it wants it gets. Lock-free.
 */
void recorder_cpu(struct recorder *r, struct thread_cpu *own);
/* The object's tag could not be set: its life is not followed after all. */
void recorder_untagged(struct recorder *r, int64_t tag);
/* A sample that could not be looked at: LOST_BUFFERS or LOST_MEMORY. */
void recorder_lose(struct recorder *r, uint64_t size, enum lost_reason why);
void recorder_death(struct recorder *r, int64_t tag);

/*
 * When few slots are left: objects to let go; their tags are to be taken out of the VM, then
 * recorder_evicted is called. 0 where there is room, or another thread is at it.
 */
uint32_t recorder_choose(struct recorder *r, int64_t tags[LIVE_BATCH]);
/*
 * found: those of the chosen tags whose objects were alive. Only they are let go. The VM tells of
 * deaths some time after the collection that found them: an object that is not found has a death
 * to come, and to call it alive would make lives longer than they are.
 */
void recorder_evicted(struct recorder *r, const int64_t *chosen, uint32_t count,
	const int64_t *found, uint32_t found_count);

/* A finished collection. The record's number, alloc and times relative to start are filled in here.
 */
struct collection {
	struct ns begin, end;
	const char *cause;
	bool young, full; /* of the young generation, mixed ones included; of all, while the program
			     stands */
	bool more;        /* another one of the same pause is told next */
	uint64_t young_bytes; /* eden and survivor spaces, after it; 0: not known */
	uint64_t promoted;    /* bytes, in its pause; UINT64_MAX: not known */
	uint64_t survivors;   /* bytes in survivor spaces after it; 0: as counters tell */
	bool failed; /* of the young, where it is known: not all could be moved, and what stayed is
			in `promoted`, dead or alive */
	struct record_gc gc; /* all but start, end, alloc, number, cause */
};
void recorder_collection(struct recorder *r, const struct collection *c);
/* One begins, or another pause of the collector's. */
void recorder_pause_begins(struct recorder *r);
void recorder_pause(struct recorder *r, struct ns begin, struct ns end, uint64_t kind);

void recorder_fact(struct recorder *r, const char *key, const char *value);
void recorder_note(struct recorder *r, enum severity severity, const char *text);

/* At most this many walks a second from now on; 0 is no bound. */
void recorder_bound(struct recorder *r, uint64_t walks_per_second);

/* About once a second, by the writer: losses, sieves, tick. */
void recorder_tick(struct recorder *r, uint64_t heap_used, uint64_t heap_committed);
/* The last record. */
void recorder_end(struct recorder *r, enum end_reason reason);
struct recorder_counts recorder_counts(struct recorder *r);

/* The writer's side of the journal, under the lock. push: with what is pending too. */
struct block *recorder_take(struct recorder *r, bool push);
void recorder_give_back(struct recorder *r, struct block *b);

/*
 * Where a segment of a cyclic trace can begin: behind so many full blocks. `out`: what is told in
 * them and all before. False: not now, for want of a free block or of memory.
 */
bool recorder_cut(struct recorder *r, struct record_segment *out, uint32_t *blocks);
/* As primer_copy, under the lock. */
bool recorder_primer(struct recorder *r, size_t i, struct block *out);

#endif
