/*
 * A recording from its beginning to its end, and the one thread that serves it.
 *
 *   OFF → WAITING (delay, paused) → BEGINNING → RECORDING → STOPPING → OFF
 *
 * In BEGINNING pauses are counted already, and nothing else is recorded: births are turned on then.
 *
 * There is one session a process, in static memory: a callback that is late by any amount finds
 * it, sees that nothing is recorded and goes. session_enter and session_leave bracket every
 * callback; what a recording owns is freed only when no callback is inside.
 */
#ifndef AGENT_SESSION_H
#define AGENT_SESSION_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/types.h>

#include "agent/control.h"
#include "agent/exact.h"
#include "agent/gcs.h"
#include "agent/heap_request.h"
#include "agent/output.h"
#include "agent/pause_gate.h"
#include "agent/recorder.h"
#include "agent/sampler.h"
#include "agent/tenure.h"
#include "agent/vm.h"
#include "agent/waker.h"
#include "base/diag.h"
#include "options/options.h"

enum state { STATE_OFF, STATE_WAITING, STATE_BEGINNING, STATE_RECORDING, STATE_STOPPING };

struct session {
	_Atomic int state;    /* enum state; changed under the lock */
	_Atomic bool opening; /* a thread is in session_open; attaches may come by two */
	_Atomic int inside;   /* callbacks that are between enter and leave */
	pthread_mutex_t
		lock; /* protects the waiting on `changed`; never held across a call into the VM */
	pthread_cond_t changed; /* state, inside or writer_runs changed; CLOCK_MONOTONIC */
	bool writer_runs;       /* protected by the lock */
	struct waker waker;     /* opened, called and closed under the lock; from callbacks, by the
				   recorder, without it */
	_Atomic bool vm_dies;   /* or the process does, and the VM has not said so */
	_Atomic bool vm_silent; /* the process ends, without a word from the VM */
	pid_t pid;              /* whose recording it is */
	_Atomic bool vm_up;     /* VMInit has come, or the program ran already */
	_Atomic bool nop;       /* the engine; read by callbacks of any time */
	_Atomic bool trouble;   /* the recording could not begin, or its trace can't be written, and
				   that was said: the writer ends it */
	bool attached;
	struct options options;
	struct vm vm;
	struct recorder recorder;
	struct sampler sampler;
	struct gcs gcs;
	bool gcs_ready;
	struct pause_gate gate; /* before gcs */
	struct exact exact;
	struct tenure tenure;
	struct heap_request heap; /* the writer's own */
	struct output output;
	struct control control;
	struct ns opened, began; /* began.v == 0: not yet */
	struct ns waited;        /* as it was asked to, before it began */
	struct ns not_before; /* the VM did not let the writer in: it tries again then. The writer's
				 own */
};

/* The process's session. */
struct session *session_get(void);

/*
 * Opens a recording: environment, file, socket, writer thread. In a running program it begins
 * at once (or waits, as the options say); at VM start it begins at session_vm_init. On an error
 * everything is given back. ERR_RUNNING, and the errors of options, vm, output, with a sentence.
 */
int session_open(
	struct session *s, JavaVM *java, const char *option_text, bool attached, struct diag *d);

/* The VM is up. From its VMInit callback. */
void session_vm_init(struct session *s);
/* The VM ends: writes what there is, within a bounded time. From its VMDeath callback. */
void session_vm_death(struct session *s);
/*
 * The process ends, perhaps without the VM having said so: where the Java heap is full it can't
 * make the thread that would, and native code may call exit(3) at any time. Writes what there is,
 * as above; asks the VM for nothing. Nothing happens where the VM has told of its end, or none is
 * recorded. From exit(3), in any thread.
 */
void session_process_exit(struct session *s);
/* Says in the trace that the VM has told nothing of its end, where that is so: for the writer. Who
 * calls exit may be a signal's handler in a thread that holds the recorder's lock. */
void session_note_exit(struct session *s);

/* The last records, and what still waits; says so on stderr where they can't be written. */
void session_write_end(struct session *s, enum end_reason reason);
/*
 * The steps of a recording, for the writer thread. begin: from WAITING, in a thread that the VM
 * knows; 0, ERR_NOMEM or ERR_JVM. finish: events off, everything written. close: tags, sampler and
 * memory given back; jni: the calling thread's, NULL where nothing can have been tagged.
 */
int session_begin(struct session *s);
void session_finish(struct session *s, enum end_reason reason);
void session_close(struct session *s, JNIEnv *jni);

void session_set_state(struct session *s, enum state state);
/* Waits until no callback is inside; the state must keep new ones out. */
void session_drain_callbacks(struct session *s);
/* Behind it, before the engine's last account: collections that no event told of. dies: the VM may
 * be gone. */
void session_settle(struct session *s, bool dies);
/* Makes the writer look what there is to do. */
void session_wake(struct session *s);

/* Whether a callback may go on; if true, session_leave must follow. */
bool session_enter(struct session *s);
/* The same for one of a pause's. */
bool session_enter_pause(struct session *s);
void session_leave(struct session *s);

#endif
