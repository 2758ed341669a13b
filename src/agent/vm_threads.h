/*
 * The CPU time that threads of the VM have taken, by what they do: those that collect, in pauses
 * and beside the program, with the VM thread, which does little else; and those that compile. Free
 * of waiting, so that it can be compared on a machine that others use as well.
 */
#ifndef AGENT_VM_THREADS_H
#define AGENT_VM_THREADS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/types.h"

/* Of the room, what compilers may take: the VM ends those that are idle, and starts others. */
enum { VM_THREADS_ROOM = 384, VM_THREADS_COMPILERS = 128 };

enum vm_work { VM_COLLECTS, VM_COMPILES, VM_WORKS };

struct vm_thread {
	int tid;
	enum vm_work work;
	bool marks;  /* G1's, beside the program */
	uint64_t ns; /* when last looked at */
};

/* All zeros at first. Threads beyond the room are left out; one that ends keeps what it had. */
struct vm_threads {
	struct vm_thread at[VM_THREADS_ROOM];
	uint32_t count, compilers; /* of them */
};

/* Looks for threads that are new. Reads /proc/self/task: not for a pause. */
void vm_threads_find(struct vm_threads *g);
/* All that those found that do such work have taken so far: some 0.3 µs for each. */
struct ns vm_threads_cpu(struct vm_threads *g, enum vm_work work);
/* What those of G1's that mark have taken so far. */
struct ns vm_threads_marked(struct vm_threads *g);
/* What any thread of the process has taken so far. False: there is no such thread. */
bool vm_thread_cpu(int tid, uint64_t *ns);
/* What a thread of that name (the kernel's, at most 15 bytes) does; VM_WORKS: neither. */
enum vm_work vm_threads_work(const char *name);

#endif
