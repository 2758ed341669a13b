/*
 * The Java VM as the agent uses it: one JVMTI environment for all recordings of the process,
 * opened for each and idle in between. It is never disposed of, its callbacks never change, and
 * deaths, once told, are told for ever: to undo any of it can hang the program or corrupt the VM's
 * memory (doc/jvm.md, "Deaths"). All calls need a thread that the VM knows, and none of the agent's
 * locks held.
 */
#ifndef AGENT_VM_H
#define AGENT_VM_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"

struct vm {
	JavaVM *java;
	jvmtiEnv *jvmti; /* NULL when closed */
	jvmtiEnv *idle;  /* the environment while closed; NULL: there is none yet */
	int major;       /* 11, 17, …; 0 unknown */
	bool armed;      /* the environment has its callbacks */
	bool mourns;     /* it is told of deaths */
	bool steady;     /* it is told of threads' ends, where it must be */
};

/*
 * Opens the environment with what the sampled engine needs; vm is all zeros, or closed.
 * ERR_UNSUPPORTED: not HotSpot, before
 * JDK 11, or a capability that this VM never had; ERR_BUSY: another agent holds the sampler;
 * ERR_STARTING: too early;
 * ERR_JVM.
 */
int vm_open(struct vm *vm, JavaVM *java, struct diag *d);
/*
 * Gives the sampler back, for other agents and the next recording, and keeps the environment. Its
 * events must be off, and its tags taken out (tags.h).
 */
void vm_close(struct vm *vm);

/* Whether the program runs (the live phase), so that events can be had at once. */
bool vm_is_live(const struct vm *vm);

/* Makes the calling thread one of Java's until vm_leave, so that it may call the VM; name: what the
 * program sees of it. NULL: the VM does not let it in. */
JNIEnv *vm_join(const struct vm *vm, const char *name);
void vm_leave(JavaVM *java);

/* Events on or off; thread NULL: all. 0 or ERR_JVM. */
int vm_event(const struct vm *vm, jvmtiEvent event, bool on, jthread thread);
/* Deaths, for good. 0 or ERR_JVM. */
int vm_mourn(struct vm *vm);
/*
 * JDK 19 to 21 can forget what they keep of a thread that native code brought to Java, and read and
 * write the thread's memory when it is gone, where no event of a kind that can be had for single
 * threads was on for a while (doc/jvm.md, "Events off and on"). So one is on, for good, before any
 * other is. Nothing happens on others. Behind vm_callbacks. 0 or ERR_JVM.
 */
int vm_steady(struct vm *vm);
/* The first call of an environment's life counts, the others do nothing. 0 or ERR_JVM. */
int vm_callbacks(struct vm *vm, const jvmtiEventCallbacks *callbacks);
/* 0 or ERR_JVM. */
int vm_interval(const struct vm *vm, uint64_t bytes);

/* The program stands still once between the call and the return: what was on in its threads inside
 * the VM, or in a collection, is over. */
void vm_stand_still(const struct vm *vm);

/*
 * Calls it while the program stands, in whatever thread does the VM's work then, as in a pause: it
 * may not call the VM, nor wait for who does. All objects are gone through (some ns each). Whether
 * it was called.
 */
bool vm_while_still(const struct vm *vm, void (*call)(void *arg), void *arg);

/* An address inside the VM's library. */
const void *vm_code(const struct vm *vm);

/* A system property of the VM copied to out, "" where there is none. */
void vm_property(const struct vm *vm, const char *name, char *out, size_t room);
/* Gives back memory that JVMTI handed out; NULL is fine. */
void vm_free(const struct vm *vm, void *at);

#endif
