/*
 * What makes the objects of chosen places jump over their ages. There are two: rewritten classes
 * (class_jumps.h), which do it wherever the program has code, and the exact engine's probe
 * (hook_jumps.h), which costs nothing but knows only places where something is allocated.
 *
 * Each wish goes to the first actuator that does not refuse it. All in tenure's thread.
 */
#ifndef AGENT_ACTUATOR_H
#define AGENT_ACTUATOR_H

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "agent/rewrite_class.h"

struct actuator {
	const char *name; /* as the trace has it */
	void *arg;
	/* Whether it can do anything (any more). */
	bool (*can)(void *arg);
	/* From now on these places jump, and no others; what became of each is put into it (state,
	 * why). In a thread that the VM knows; no lock of ours may be held. 0, or an error: then as
	 * before. */
	int (*apply)(void *arg, JNIEnv *jni, struct wish *wishes, size_t count);
	/* What has become of them by now; those it does not know are left alone. */
	void (*look)(void *arg, struct wish *wishes, size_t count);
	/* Sets the VM's id of the method (vm_method) of those that have none; 0 stays: it is not
	 * done by this one, or the class is not to be found any more. As apply. */
	void (*methods)(void *arg, JNIEnv *jni, struct wish *wishes, size_t count);
	/* Whether settle has something to do. */
	bool (*unsettled)(void *arg);
	/* Whether it has changed its mind about a wish since: it is to be applied again. */
	bool (*settle)(void *arg, JNIEnv *jni);
	/* Nobody jumps meanwhile, or all do again. 0 or an error. */
	int (*rest)(void *arg, JNIEnv *jni, bool rests);
	/* All back, but for so many classes that could not be turned back yet. jni NULL: the VM
	 * ends, and nothing is asked of it. */
	size_t (*end)(void *arg, JNIEnv *jni);
};

enum { ACTUATORS_MOST = 2 };

/* In the order in which they are asked. */
struct actuators {
	struct actuator at[ACTUATORS_MOST];
	size_t count;
	bool could[ACTUATORS_MOST]; /* when they were last applied */
	bool stale;                 /* one has changed its mind */
};

/* No more than ACTUATORS_MOST. */
void actuators_add(struct actuators *a, struct actuator one);
/* As an actuator's. */
int actuators_apply(struct actuators *a, JNIEnv *jni, struct wish *wishes, size_t count);
void actuators_look(const struct actuators *a, struct wish *wish);
void actuators_methods(const struct actuators *a, JNIEnv *jni, struct wish *wishes, size_t count);
bool actuators_unsettled(const struct actuators *a);
void actuators_settle(struct actuators *a, JNIEnv *jni);
int actuators_rest(const struct actuators *a, JNIEnv *jni, bool rests);
size_t actuators_end(const struct actuators *a, JNIEnv *jni);
/* Whether they are to be applied again: one can't do anything any more, or has changed its mind. */
bool actuators_stale(const struct actuators *a);

#endif
