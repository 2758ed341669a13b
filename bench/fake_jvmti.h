/*
 * A Java VM that costs nothing, for measuring the agent's own share of its callbacks: stacks,
 * classes and methods are made up beforehand, and tags are noted in a list. One a process.
 */
#ifndef BENCH_FAKE_JVMTI_H
#define BENCH_FAKE_JVMTI_H

#include <jvmti.h>
#include <stdint.h>

#include "agent/vm.h"

enum {
	FAKE_STACKS = 256, /* differ in their four innermost frames; powers of two */
	FAKE_CLASSES = 16,
	FAKE_DEPTH_MAX = 64,
	FAKE_TAGS_MAX = 8192,
};

/* Makes the stacks anew, all of that depth (at most FAKE_DEPTH_MAX), and forgets all tags. */
void fake_jvmti_init(uint32_t depth, uint64_t seed);
/* The VM, as if opened by vm_open; and the environment of its one thread. */
struct vm fake_jvmti_vm(void);
JNIEnv *fake_jvmti_jni(void);

/* The n-th class, any n. */
jclass fake_jvmti_class(uint32_t n);
/* An object of no class in particular. */
jobject fake_jvmti_object(void);

/* The tags set on objects since the last call, at most FAKE_TAGS_MAX; they are forgotten. */
uint32_t fake_jvmti_take_tags(int64_t tags[FAKE_TAGS_MAX]);

#endif
