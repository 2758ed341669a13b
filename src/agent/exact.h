/*
 * The exact engine in a recording: every allocation by site, and what outlives each collection,
 * beside the samples. Where a VM can't have it, or the counts don't hold against the heap (the
 * audit), it goes away and says why; the samples go on.
 *
 *   OnLoad or attach   exact_open   the VM's probes are led to us
 *   begin              exact_ready  tables, names, code with probes in it
 *                      exact_begin  births; pauses are told of by then
 *   each collection    exact_start, exact_finish
 *   writer, each tick  exact_write  accounts become records, a moment late; a collection that
 *                                   finds them crowded wakes the writer
 *   end                exact_stop, exact_end, exact_close
 */
#ifndef AGENT_EXACT_H
#define AGENT_EXACT_H

#include <stdbool.h>

#include "agent/chunks.h"
#include "agent/output.h"
#include "agent/places.h"
#include "agent/recorder.h"
#include "agent/sentry_post.h"
#include "agent/told_sites.h"
#include "agent/vm.h"
#include "base/diag.h"
#include "exact/audits.h"
#include "exact/pauses.h"
#include "hotspot/trap.h"
#include "options/options.h"

struct exact {
	_Atomic bool on;       /* counting: callbacks look at it */
	_Atomic bool in_pause; /* a Start has come while it was on, and no Finish */
	bool opened, began;    /* the probes are in place; there are tables */
	bool idle;       /* the nop engine: the probes are led to us, and nothing is counted */
	bool ready;      /* to begin */
	bool stopped;    /* exact_stop has been here */
	uint64_t missed; /* as exact_missed, when it stopped */
	/* Young collections of the recording before the first birth; 0: none, or it was told. Not
	 * where accounts are to be trusted only later. */
	uint64_t earlier;
	bool relearn; /* compiled code must be made anew for the probes to be in it, or out */
	struct pauses pauses;
	jobject sentry;         /* of pauses: ours to give back; NULL: none */
	struct tracing tracing; /* of single objects, where asked for */
	struct chunks chunks;
	uint64_t asked;          /* for a checkpoint: in this stretch_state */
	uint64_t lost_births;    /* intervals whose births found no room, up to the last account */
	uint64_t lost_intervals; /* told so far */
	bool traces;             /* these two are there */
	struct places places;
	struct told_sites told; /* of places */
	struct trap trap;       /* where full collections begin */
	struct trap young_trap; /* where young ones do, if stamps.parts */
	struct trap shrink_trap;
	bool trapped;
	struct audits audits;        /* accounts are written once trusted. The writer's own */
	bool audits_asked;           /* all of them, by an option */
	uint64_t trusted_from;       /* ns: where they came to be so after the begin; 0: not */
	uint64_t told_gcs;           /* collections that have an account in the trace */
	struct account_walks walked; /* told so far */
	uint64_t unnamed;            /* the same: call paths */
	bool abandoned;              /* told: single objects are not followed any more */
	_Atomic bool sheds;          /* the next pause is to give back what is kept of them */
	uint64_t looks_again;        /* ns: for the memory that is left, not before */
	struct diag why;             /* it is refused; "" else */
};

/* All zeros before. 0: also where it is refused, and options don't require it (why says so).
 * ERR_UNSUPPORTED and others, with a sentence, only where it is required. */
int exact_open(struct exact *e, const struct vm *vm, const struct options *o, struct diag *d);
/* In the live phase, in a thread that the VM knows; nothing is counted yet. As exact_open. */
int exact_ready(struct exact *e, const struct vm *vm, JNIEnv *jni, struct recorder *r,
	const struct options *o, struct diag *d);
/* The VM's counters of what eden holds (struct heap_layout) and of classes unloaded, which stay
 * until exact_stop; NULL: there is none. Behind exact_ready. */
void exact_counters(
	struct exact *e, const volatile int64_t *eden_used, const volatile int64_t *unloaded);
/* Counts from now on, where it is to be had. From before it on each pause must come to exact_start
 * and exact_finish, or to neither. */
void exact_begin(struct exact *e, JNIEnv *jni);
/* Collections count from now on (struct pause_gate). Before exact_begin, or in a pause. */
void exact_again(struct exact *e);

/* How: "header" (sites in marks), "events" (and single objects are told of), "survivors" (and of
 * single objects those that outlive a collection), "followed" (single objects, which are not told
 * of). */
const char *exact_kind(const struct exact *e);

/* Whether it stamps the marks of new objects. */
bool exact_stamps(const struct exact *e);

/* Whether single objects are. */
bool exact_follows(const struct exact *e);

/* Full collections since the last one that was seen, of which no event told. In a pause, or where
 * none can come; after exact_stop as it was then. */
uint64_t exact_missed(const struct exact *e);
/* It has stopped, and had seen each pause until then. */
bool exact_is_done(const struct exact *e);
/* Those are looked at, and counted by the recorder's clocks: as exact_start, where no pause begins.
 */
void exact_settle(struct exact *e);
void exact_start(struct exact *e);
void exact_finish(struct exact *e);

/* Writes what is due; all: everything there is. */
void exact_write(struct exact *e, struct recorder *r, struct output *o, bool all);
/*
 * Of a cyclic trace: asks for a checkpoint where a segment would be welcome. Whether one may be
 * waited for.
 */
bool exact_checkpoint(struct exact *e, const struct recorder *r, const struct output *o);
/* Single objects are told of until then (ns), as far as they were begun; counts go on. Any thread.
 */
void exact_hurry(struct exact *e, uint64_t until);
/* Nothing is counted any more, and nobody is at it: the program stands still for a moment. In a
 * thread that the VM knows; nothing happens where it was called before. vm: NULL: it can't be asked
 * for anything, and who is in the middle of a birth now may not be counted with it. */
void exact_stop(struct exact *e, const struct vm *vm);
/* No more births; the last account is written. */
void exact_end(struct exact *e, struct recorder *r, struct output *o);
/* Gives back what it took. jni: NULL where the VM is gone. */
void exact_close(struct exact *e, JNIEnv *jni);

#endif
