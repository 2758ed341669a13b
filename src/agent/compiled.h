/*
 * The VM's compiled methods as JVMTI tells of them, for the places in them (exact/code_map.h), and
 * the way to have all of it compiled again: the first class that is retransformed makes the VM
 * throw away what it has compiled.
 *
 * An environment of its own, kept for ever as vm.h's is.
 */
#ifndef AGENT_COMPILED_H
#define AGENT_COMPILED_H

#include <jvmti.h>

#include "agent/vm.h"
#include "exact/code_map.h"
#include "hotspot/code_blobs.h"
#include "hotspot/landmarks.h"
#include "hotspot/method_ids.h"
#include "hotspot/old_code.h"
#include "hotspot/vm_flags.h"

typedef void compiled_added(void *arg, uintptr_t begin, uintptr_t end);

struct compiled {
	jvmtiEnv *env; /* NULL: not open yet */
	JavaVM *java;
	struct method_ids ids;          /* kept as env is: the hook may still ask */
	const struct code_blobs *blobs; /* borrowed */
	struct code_map map;
	struct old_code old;   /* while code is thrown away */
	compiled_added *added; /* called after a method has come into the map */
	void *arg;
	_Atomic bool on;
	_Atomic int inside; /* callbacks under way */
};

/* The process's one. */
struct compiled *compiled_get(void);
/* From now on methods come into the map. 0 or ERR_JVM with a sentence. */
int compiled_begin(struct compiled *c, const struct vm *vm, const struct code_blobs *blobs,
	compiled_added *added, void *arg, struct diag *d);
/* Tells of what is compiled already. In the live phase. */
void compiled_replay(struct compiled *c);
/* live: the VM can be called. */
void compiled_end(struct compiled *c, bool live);
/* Makes the VM compile everything anew, and brings all threads to a stop on the way. 0 or
 * ERR_JVM. */
int compiled_again(
	struct compiled *c, const struct vm_flags *flags, JNIEnv *jni, const struct landmarks *m);

#endif
