/*
 * Which classes have a method that has been running for some time. HotSpot throws the compiled code
 * of a redefined class's methods away, and compiles what still runs of the old ones never again: a
 * loop goes on in the interpreter, for as long as it lasts. Measured: 8 to 10 times slower.
 */
#ifndef AGENT_RUNNING_H
#define AGENT_RUNNING_H

#include <jvmti.h>
#include <stdbool.h>
#include <stddef.h>

enum {
	RUNNING_LOOKS = 32,    /* at the stacks of all threads */
	RUNNING_PAUSE_MS = 12, /* between two of them */
	RUNNING_DEPTH = 1024,  /* frames of a stack that are looked at, from its top */
	RUNNING_FRAMES = 1024  /* of these classes, in all stacks */
};

/*
 * Looks at the stacks of all platform threads, at most RUNNING_LOOKS times, and no more once
 * nothing of these classes has stood there in all looks. runs[i]: a method of classes[i], not a
 * native one, has stood at the same height of the same thread each time, and at the top at least
 * once: its own code is at work. One that only calls others is none, for those are compiled by
 * themselves. What is called again and again may count, where hardly anything else runs; where
 * there is too much to look at, everything does. Takes up to half a second; no lock may be held.
 */
void running_find(jvmtiEnv *env, JNIEnv *jni, const jclass *classes, size_t count, bool *runs);

#endif
