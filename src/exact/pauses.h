/*
 * What each collection did, by site: at its end the births of the time before it are taken from the
 * threads, and its survivors, and they alone, are looked at: the survivor regions, and what the old
 * generation has grown by. The account goes to the writer thread (accounts.h).
 *
 * Header accounting (doc/decisions/0012): the site is in the mark, so nothing is kept of an object.
 * Compact headers have no room for it: there each object is followed (tracing.h), and those that
 * live on are counted as they are met. With room for it, too, single objects may be followed; from
 * their birth on, or from when they are counted for the first time (tracing.h, meets).
 *
 * A full collection makes new marks, but keeps those that have an identity hash. So, where its
 * beginning can be caught (pauses_full_begins), each object of the young generation gets one, and
 * its age is counted on (stamps.h); at the end they are found by a walk. What stands in the old
 * generation loses its site.
 *
 * Serial and Parallel collect without telling JVMTI where a tool asks for a heap dump or a
 * histogram. That is seen at the next collection's start, by the VM's count; single objects are
 * followed through it all the same (tracing.h), the counts are not. It has moved the clock by then
 * (agent/gcs.h), so that a reader knows of a collection without an account.
 *
 * All functions but init and release run while the program stands; they allocate nothing.
 */
#ifndef EXACT_PAUSES_H
#define EXACT_PAUSES_H

#include "base/diag.h"
#include "exact/accounts.h"
#include "exact/births.h"
#include "exact/census.h"
#include "exact/cold_paths.h"
#include "exact/crew.h"
#include "exact/eden_audit.h"
#include "exact/headcount.h"
#include "exact/heap_count.h"
#include "exact/newborns.h"
#include "exact/relief.h"
#include "exact/sentry.h"
#include "exact/stamps.h"
#include "exact/tracing.h"
#include "exact/unloading.h"
#include "hotspot/heap.h"
#include "hotspot/heap_regions.h"
#include "hotspot/objects.h"

struct pauses {
	struct heap_layout layout;
	struct vm_objects objects;
	struct heap_regions before, after;
	struct stamps stamps;    /* of the full collection that is on */
	struct births *births;   /* borrowed */
	struct tracing *tracing; /* of single objects too; borrowed; NULL: not asked for */
	struct newborns newborns;
	struct census census;
	struct crew crew; /* helps in a pause */
	struct headcount headcount;
	struct remains remains; /* of sites whose numbers may be given again */
	struct cold_paths cold;
	struct accounts accounts;
	struct heap_count heap;     /* asked for, now and then */
	region_objects *g1_objects; /* the VM's own walk; NULL: not to be had */
	struct unloading unloading;
	struct eden_audit audit;
	struct sentry sentry;
	struct heap_sight sight; /* of the collection that ends, while one does */
	bool ends, looked;       /* who lives on has been counted; and what came of it */
	int look_err;
	bool whole;   /* births are complete since the last collection: it may be audited, */
	bool held;    /* the last account's audit (audits_hold) */
	bool counted; /* if they were on until the pause began: a recording's end sets them off */
	bool walked;  /* since the last account another tool has made marks anew */
	bool collecting; /* what is followed now is no account's */
	bool unseen;     /* one without events was caught, and has not been looked at */
	bool caught;     /* the young part of one without events: `before` is as it began */
	bool outdated;  /* one has moved what stands in the old generation since `after` was read */
	bool began;     /* the pause that is on has been seen from its start */
	uint64_t young; /* the clock as it began */
	uint64_t own;   /* ns of it that were ours so far; and of what no event told of before it */
	struct relief relief;
	_Atomic uint64_t landings[LANDING_YOUNG + 1]; /* collections that have shown it */
	_Atomic uint64_t unaccounted;                 /* collections without an account */
	_Atomic uint64_t untold;                      /* and those that no event told of */
};

/* `inside` as heap_layout_open's; helpers: threads that help in a pause, at most.
 * ERR_UNSUPPORTED (with a sentence), ERR_NOMEM. */
int pauses_init(
	struct pauses *p, struct births *b, const void *inside, uint32_t helpers, struct diag *d);
/* Once the births are open: objects with numbers of earlier recordings are unknown to this one. */
void pauses_number(struct pauses *p);
void pauses_release(struct pauses *p);
/* What was collected up to now was before the first birth. Nobody else is in here, or in a pause.
 */
void pauses_again(struct pauses *p);
/* Objects are followed one by one from now on. Where headers are compact that is where the counts
 * of survivors come from, and needed. Before the first pause. */
void pauses_trace(struct pauses *p, struct tracing *t);

/* Full collections since the last one that was seen, of which no event told; 1: or a young one. */
uint64_t pauses_missed(const struct pauses *p);
/* young: the clock, in which those are counted. */
void pauses_start(struct pauses *p, uint64_t young);
/* Serial and Parallel: a young collection begins to copy; as the next. */
void pauses_young_begins(void *pauses);
/* Parallel: a generation gives memory back; as the next. */
void pauses_shrinks(void *pauses);
/* A full collection begins to mark; takes a struct pauses. May be called in a signal handler. */
void pauses_full_begins(void *pauses);
/* young, full: the clocks after the collection. */
void pauses_finish(struct pauses *p, uint64_t young, uint64_t full);
/* As the next one's start, where none begins: there are pauses_missed, which young counts. */
void pauses_settle(struct pauses *p, uint64_t young);
/* What was born since the last collection, at the end of a recording. missed: so many since then
 * that no event told of; the clocks have counted them. */
void pauses_end(struct pauses *p, uint64_t missed, uint64_t young, uint64_t full);

#endif
