/*
 * The Java VM as the agent uses it: one JVMTI environment, opened for a recording and disposed
 * of after it, so that capabilities and tags are given back. All calls need a thread that the
 * VM knows, and none of the agent's locks held.
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
	int major;       /* 11, 17, …; 0 unknown */
};

/*
 * Opens an environment with what the sampled engine needs. ERR_UNSUPPORTED: not HotSpot, before
 * JDK 11, or a capability that this VM never had; ERR_BUSY: another agent holds the sampler;
 * ERR_JVM.
 */
int vm_open(struct vm *vm, JavaVM *java, struct diag *d);
/* Disposes of the environment: capabilities and tags go with it. All its events must be off. */
void vm_close(struct vm *vm);

/* Whether the program runs (the live phase), so that events can be had at once. */
bool vm_is_live(const struct vm *vm);

/* Events on or off; thread NULL: all. 0 or ERR_JVM. */
int vm_event(const struct vm *vm, jvmtiEvent event, bool on, jthread thread);
/* 0 or ERR_JVM. */
int vm_callbacks(const struct vm *vm, const jvmtiEventCallbacks *callbacks);
int vm_interval(const struct vm *vm, uint64_t bytes);

/* An address inside the VM's library. */
const void *vm_code(const struct vm *vm);

/* A system property of the VM copied to out, "" where there is none. */
void vm_property(const struct vm *vm, const char *name, char *out, size_t room);
/* Gives back memory that JVMTI handed out; NULL is fine. */
void vm_free(const struct vm *vm, void *at);

#endif
