/*
 * Tenure in a recording: learns from its samples what gets old, moves the levers that the
 * controller (src/tenure) chooses, and says in the trace what it did and what came of it.
 *
 *   OnLoad or attach   tenure_open    whether it is wanted; what must be asked of the VM early
 *   begin              tenure_begin   the learner, the levers, the thread
 *   its own thread     a round every so many young collections: decide, act, tell
 *   end                tenure_end     levers back, decisions saved
 *
 * It has a thread of its own, since other agents' transformers may run in the one that has classes
 * rewritten, and may want more stack than the writer has. That thread is known to the VM only while
 * it acts, or looks at objects, and holds no lock then.
 */
#ifndef AGENT_TENURE_H
#define AGENT_TENURE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "agent/exact.h"
#include "agent/hook_jumps.h"
#include "agent/jumps.h"
#include "agent/learning.h"
#include "agent/lookout.h"
#include "agent/recorder.h"
#include "agent/trial.h"
#include "agent/vm.h"
#include "base/diag.h"
#include "hotspot/tenuring_bound.h"
#include "options/options.h"
#include "tenure/controller.h"
#include "tenure/decisions.h"

struct gcs;

struct tenure {
	bool wanted, began, can_jump, can_set_threshold;
	_Atomic bool failed;           /* the self-test; set by the thread */
	struct diag no_jump;           /* why not; "" else */
	struct diag off;               /* why nothing can be done in this VM; "" else */
	struct diag no_file;           /* why decisions were not read; "" else */
	const struct options *options; /* borrowed, as are these two */
	struct vm *vm;
	struct recorder *recorder;
	char jdk[64];               /* the VM's version */
	const char *gc;             /* the collector's name; static */
	struct decisions decisions; /* of the file, as it was read; until the begin */
	struct learning learning;   /* protected by the recorder's lock once it is taught */
	struct tenuring_bound bound;
	struct jumps jumps;
	struct hook_jumps hook; /* in the exact engine's probe, */
	bool hooked;            /* where that is on */
	struct lookout lookout; /* the thread's own, but for what is in sight */
	pthread_mutex_t lock;   /* protects `stop`, the controller, and the jumps' list; never held
				   across   a call into the VM */
	pthread_cond_t changed; /* stop; CLOCK_MONOTONIC */
	bool stop, runs;
	pthread_t thread;
	struct controller *controller;
	bool unjudged;            /* it was said that places of the file are not judged */
	uint32_t loaded, strange; /* places of the file that jump; those that are other code now */
	struct diag flag;         /* what was said of a plain flag */
	struct diag cost;         /* and of what copying costs */
	uint32_t learnt;          /* the threshold's bound, where nothing is moved */
	struct snapshot snapshot; /* the thread's own, as is what follows */
	struct round round;
	uint64_t rounds;
	struct trial trial; /* of the age jump; over from the start where nothing can jump */
	struct ns round_began, look_at;
	uint64_t process_cpu;
};

/* Right after the options were read. */
void tenure_defaults(struct options *o);
/* All zeros before. In OnLoad, or at an attach. What can't be had is told at the begin. */
void tenure_open(struct tenure *t, struct vm *vm, struct recorder *r, const struct options *o);
/*
 * In the live phase, in a thread that the VM knows. Where this VM has no such collector, or nothing
 * that could be moved, the trace says so and the recording goes on without. 0 or ERR_NOMEM.
 */
int tenure_begin(struct tenure *t, JNIEnv *jni, const struct gcs *g, const struct exact *e);
/* Who makes objects jump, first of all: a name for the trace; NULL: nobody does. */
const char *tenure_by(const struct tenure *t);
/* The levers go back as they were found, and the decisions are saved; jni: NULL where the VM ends,
 * and nothing is asked of it any more. */
void tenure_end(struct tenure *t, JNIEnv *jni);
/* Frees what there is. Nobody may be inside any more. */
void tenure_close(struct tenure *t);

#endif
