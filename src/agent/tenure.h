/*
 * Tenure in a recording: learns from its samples what gets old, moves the levers that the
 * controller (src/tenure) chooses, and says in the trace what it did and what came of it.
 *
 *   OnLoad or attach   tenure_open    whether it is wanted; what must be asked of the VM early
 *   begin              tenure_begin   the learner, the levers, the thread
 *   its own thread     a round every so many young collections: decide, act, tell
 *   end                tenure_stop    nothing is looked at, decided or moved any more
 *                      tenure_end     levers back, decisions saved
 *
 * It has a thread of its own, since other agents' transformers may run in the one that has classes
 * rewritten, and may want more stack than the writer has. That thread is known to the VM only while
 * it acts, or looks at objects, and holds no lock then.
 */
#ifndef AGENT_TENURE_H
#define AGENT_TENURE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "agent/exact.h"
#include "agent/handover.h"
#include "agent/hook_jumps.h"
#include "agent/jumps.h"
#include "agent/learning.h"
#include "agent/lookout.h"
#include "agent/own_thread.h"
#include "agent/recorder.h"
#include "agent/self_test.h"
#include "agent/vm.h"
#include "agent/vm_levers.h"
#include "agent/young_lever.h"
#include "base/diag.h"
#include "options/options.h"
#include "tenure/controller.h"

struct gcs;

struct tenure {
	bool wanted, began, can_jump;
	bool stopped;                  /* tenure_stop has been here */
	_Atomic bool failed;           /* the self-test; set by the thread */
	struct diag no_jump;           /* why not; "" else */
	struct diag off;               /* why nothing can be done in this VM; "" else */
	const struct options *options; /* borrowed, as are these two */
	struct vm *vm;
	struct recorder *recorder;
	char jdk[64];             /* the VM's version */
	const char *gc;           /* the collector's name; static */
	struct handover handover; /* from the run before, and to the next */
	struct learning learning; /* protected by the recorder's lock once it is taught */
	struct vm_levers levers;
	struct young_lever young;
	struct jumps jumps;
	struct hook_jumps hook;   /* in the exact engine's probe, */
	bool hooked;              /* where that is on */
	struct lookout lookout;   /* the thread's own, but for what is in sight */
	struct own_thread thread; /* its lock protects the controller, and the jumps' list too;
				     never held across a call into the VM */
	struct controller *controller;
	bool unjudged;            /* it was said that places of the file are not judged */
	struct diag flag;         /* what was said of a plain flag */
	struct diag cost;         /* and of what copying costs */
	uint32_t learnt;          /* the threshold's bound, where nothing is moved */
	bool learns;              /* it has come so far that there is something to save */
	struct snapshot snapshot; /* the thread's own, as is what follows */
	struct round round;
	uint64_t rounds;
	uint32_t peeked; /* collections of the round that goes on, when it was looked at */
	bool clear;      /* it may end there */
	struct self_test test;
	struct ns round_began, look_at;
	uint64_t process_cpu;
};

/* All zeros before. In OnLoad, or at an attach. What can't be had is told at the begin. */
void tenure_open(struct tenure *t, struct vm *vm, struct recorder *r, const struct options *o);
/*
 * In the live phase, in a thread that the VM knows. Where this VM has no such collector, or nothing
 * that could be moved, the trace says so and the recording goes on without. 0 or ERR_NOMEM.
 */
int tenure_begin(struct tenure *t, JNIEnv *jni, struct gcs *g, const struct exact *e);
/* Who makes objects jump, first of all: a name for the trace; NULL: nobody does. */
const char *tenure_by(const struct tenure *t);
/*
 * The thread tells what it did, and is over; what the file said and came to nothing is told. Before
 * the exact engine stops: its probe makes objects jump, and says where some were born. wait: for
 * as long as it takes; else for two seconds, since where the VM ends it may hold the thread for
 * ever. Any thread that the VM knows, or where it ends; the first call counts, and tenure_end makes
 * one.
 */
void tenure_stop(struct tenure *t, bool wait);
/* The levers go back as they were found, and the decisions are saved; jni: NULL where the VM ends,
 * and nothing is asked of it any more. */
void tenure_end(struct tenure *t, JNIEnv *jni);
/* Frees what there is. Nobody may be inside any more. */
void tenure_close(struct tenure *t);

#endif
