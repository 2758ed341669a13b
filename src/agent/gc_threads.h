/*
 * The CPU time that the collector's threads have taken: those of the VM that collect, in pauses and
 * beside the program, and the VM thread, which does little else. Free of waiting, so that it can be
 * compared on a machine that others use as well.
 */
#ifndef AGENT_GC_THREADS_H
#define AGENT_GC_THREADS_H

#include <stdint.h>

#include "base/types.h"

enum { GC_THREADS_ROOM = 256 };

struct gc_thread {
	int tid;
	uint64_t ns; /* when last looked at */
};

/* All zeros at first. Threads beyond the room are left out; one that ends keeps what it had. */
struct gc_threads {
	struct gc_thread at[GC_THREADS_ROOM];
	uint32_t count;
};

/* Looks for threads that are new. Reads /proc/self/task: not for a pause. */
void gc_threads_find(struct gc_threads *g);
/* All that those found have taken so far: some 0.3 µs for each. */
struct ns gc_threads_cpu(struct gc_threads *g);
/* Whether a thread of that name (the kernel's, at most 15 bytes) is one of them. */
int gc_threads_is(const char *name);

#endif
