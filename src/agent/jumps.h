/*
 * The age jumps in force (jump.h), and what has become of each. They are made by the actuators
 * (actuator.h).
 *
 * Tenure's thread alone changes the list, under tenure's lock, and reads it without; others read it
 * under the lock. What calls the VM is called without.
 */
#ifndef AGENT_JUMPS_H
#define AGENT_JUMPS_H

#include <jni.h>
#include <pthread.h>
#include <stdbool.h>

#include "agent/actuator.h"
#include "agent/jump.h"
#include "agent/recorder.h"
#include "agent/rewrites.h"
#include "agent/vm.h"
#include "base/diag.h"
#include "base/vec.h"
#include "options/options.h"
#include "tenure/controller.h"
#include "tenure/decisions.h"

/* Places: how many, and the names of the first ones. */
struct jumps_some {
	size_t count;
	struct diag named; /* "Kept.text, index 2; …" */
};

/* Why a place of strings does not jump. */
extern const char jumps_strings[];

struct jumps {
	struct rewrites *rewrites; /* the process's; NULL: this VM has no such thing */
	struct actuators by;
	VEC(struct jump) list;
	pthread_mutex_t *lock;
	bool no_strings;         /* strings are to keep their ages */
	bool dry;                /* nothing is done: what was decided is kept, to be saved */
	bool changed;            /* the list differs from what is in force */
	bool rests, rest_now;    /* wanted, and so */
	bool ends;               /* the recording does */
	uint64_t turns;          /* looks whether something is to be done */
	struct jumps_some twice; /* of a file: a place that stood there before */
};

/* lock: tenure's. At OnLoad, or at an attach. 0, or ERR_UNSUPPORTED with a sentence: then none can
 * be made. */
int jumps_open(struct jumps *j, const struct vm *vm, pthread_mutex_t *lock, struct diag *d);
/* Sees to it that objects' ages can be set in this VM. first: who is asked before classes are
 * rewritten; NULL: nobody. As age_class_install. */
int jumps_begin(struct jumps *j, JNIEnv *jni, const struct actuator *first, struct diag *d);
/* Puts down what is to be done (advice is taken for it); jumps_act does it. */
void jumps_put(struct jumps *j, const struct action *a);
/* Whether there is something to be done in the VM. Looks what has become of classes that are loaded
 * late. */
bool jumps_pending(struct jumps *j);
/* Under the lock: nothing jumps any more, whatever was put down; jumps_act does it. */
void jumps_drop(struct jumps *j);
/* Called without the lock. failed: it can't be done, once for each. met: the place of a jump from a
 * file is known, and is in jump->at. */
struct jump_news {
	void (*failed)(void *arg, const struct jump *jump);
	void (*met)(void *arg, const struct jump *jump);
	void *arg;
};
/* Has them made and taken back. In a thread that the VM knows. */
void jumps_act(struct jumps *j, const struct vm *vm, JNIEnv *jni, struct recorder *r,
	const struct jump_news *news);
/* At the end: whether there is something to be told that jumps_act has not told of yet, as of
 * classes that came since; and tells it, as jumps_act would. Nothing is done any more. */
bool jumps_untold(struct jumps *j);
void jumps_tell(struct jumps *j, const struct vm *vm, JNIEnv *jni, struct recorder *r,
	const struct jump_news *news);

/* Adds what the file of earlier decisions says, each place once (to be kept out counts for more
 * than to jump, else what comes first), and takes its list over: what is left of it is to be
 * released, and good for nothing else. 0 or ERR_NOMEM. */
int jumps_load(struct jumps *j, struct decisions *d);
/* After it, at the begin: what is made by classes that are loaded from now on jumps from the first
 * object on, and not only once jumps_act comes round. Where it can't be, it does. */
void jumps_expect(struct jumps *j);
/* What is in force, and what was kept out, as decisions; under the lock. 0 or ERR_NOMEM. */
int jumps_save(const struct jumps *j, struct decisions *d);

/* Of the places whose objects have a constructor and jump by rewritten classes, how many there are,
 * and how many of them by a plain store; under the lock. */
struct jumps_constructed {
	size_t all, plain;
};
struct jumps_constructed jumps_constructed(const struct jumps *j);
/* Places of a file that nothing was told of, by kind; under the lock. */
enum jumps_silent {
	JUMPS_UNLOADED, /* their classes were not loaded */
	JUMPS_UNLINKED, /* they were put in, and the VM did not show the method up to the end */
	JUMPS_UNDONE,   /* the end came first: nothing was put in */
	JUMPS_UNKNOWN,  /* the end came while it was being put in */
	JUMPS_SILENTS
};
/* over: whoever acts has come to an end. */
void jumps_silent(const struct jumps *j, bool over, struct jumps_some of[JUMPS_SILENTS]);

/* All back: the program as it was, but for classes that still are rewritten (rewrites_late): how
 * many. They do nothing any more. jni NULL: the VM ends, and nothing is asked of it. */
size_t jumps_end(struct jumps *j, JNIEnv *jni);
void jumps_close(struct jumps *j);

#endif
