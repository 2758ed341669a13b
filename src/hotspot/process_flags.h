/*
 * The -XX flags of another process's VM, by reading its memory: each is a variable of the VM's
 * library, of the flag's own name. Nothing of the process is stopped or changed.
 */
#ifndef HOTSPOT_PROCESS_FLAGS_H
#define HOTSPOT_PROCESS_FLAGS_H

#include <sys/types.h>

#include "hotspot/library.h"

struct process_flags {
	pid_t pid;
	uint64_t base;                    /* of the library in the process */
	const struct vm_library *library; /* its file; borrowed */
	bool recorded;                    /* mayfly's agent is in the process */
};

/* False: the library is not found in the process, or its memory may not be read. */
bool process_flags_open(struct process_flags *f, pid_t pid, const struct vm_library *l);
/* As exact_flags_read; arg: a struct process_flags. */
bool process_flags_read(const void *arg, const char *name, unsigned width, void *out);

#endif
