/*
 * Constructors that show their object to nobody, by the code that the VM has of them and of what
 * they call up to Object's; and whether that still holds. Another agent may give a class other code
 * at any time: the VM tells of it before that code can run (quiet_meddle), and then nothing is said
 * to be quiet any more, for the VM's life.
 *
 * All but quiet_meddle is of the thread that has classes rewritten, which the VM knows; no lock is
 * held across a call into the VM.
 */
#ifndef AGENT_QUIET_H
#define AGENT_QUIET_H

#include <jvmti.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "agent/boot_classes.h"
#include "base/slice.h"
#include "base/vec.h"

typedef VEC(char *) quiet_names; /* as the VM has them; each owned */

struct quiet_class {
	jweak k;
	char *constructors; /* owned */
};

struct quiet {
	jvmtiEnv *env;
	bool can;             /* the VM shows code */
	pthread_mutex_t lock; /* protects the two lists of names */
	quiet_names judged;   /* of the classes that something was said of, and what they extend */
	quiet_names meddled;  /* of those that others have given other code, since we listen */
	_Atomic bool broken;  /* nothing is quiet any more */
	VEC(struct quiet_class) classes;
};

/* env: one that is told of each class that is exchanged. q is all zeros, but for its lock. */
void quiet_open(struct quiet *q, jvmtiEnv *env);
/*
 * Descriptors of those constructors of the class `name` (java/util/HashMap) that are quiet, each
 * with a space behind it, as the code of class k would find it; kept until the close. boot: must
 * have been asked for the name. "": none is; NULL: no such class is loaded, or nothing can be said
 * now.
 */
const char *quiet_constructors(
	struct quiet *q, JNIEnv *jni, jclass k, const char *name, const struct boot_classes *boot);
/* Whether such a text has the descriptor. text: may be NULL. */
bool quiet_has(const char *text, struct slice descriptor);
/* Whether anything was said to be quiet and all of it still is, by the code that the VM has now;
 * once it is not, nothing ever is again. */
bool quiet_holds(struct quiet *q, JNIEnv *jni);
/* Another agent is about to give the class other code. Any thread. True: what was said may not
 * hold then. */
bool quiet_meddle(struct quiet *q, const char *name);
/* What was said is forgotten; that it was broken is not. */
void quiet_close(struct quiet *q, JNIEnv *jni);

#endif
