/*
 * The calling thread's stack, with indices as in the program's class files. Classes may be
 * exchanged (class_batch.h) between the VM's answer and the look at what stands there: then an
 * index in the old code would be taken for one in the new.
 */
#ifndef AGENT_STACK_FETCH_H
#define AGENT_STACK_FETCH_H

#include <jvmti.h>
#include <stdbool.h>
#include <stdint.h>

#include "agent/stacks.h"

/* At most `depth` frames, the newest first; returns how many, 0 where the VM does not tell. thread:
 * the calling one, or NULL, which is the same to the answer (doc/jvm.md, "Stacks beside virtual
 * threads"). infos: room for one more, overwritten. *cut: the stack goes on. */
uint32_t stack_fetch(jvmtiEnv *jvmti, jthread thread, uint32_t depth, jvmtiFrameInfo *infos,
	struct stack_frame *stack, bool *cut);

#endif
