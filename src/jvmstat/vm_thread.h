/* The names of a VM's own threads, which tell what its counters do not. */
#ifndef JVMSTAT_VM_THREAD_H
#define JVMSTAT_VM_THREAD_H

#include <stdbool.h>

/*
 * Whether the process that asks has a thread whose name begins so; false where that can't be read.
 * The kernel keeps 15 bytes of a name. proc is where procfs is mounted, "/proc" outside tests.
 */
bool vm_thread_exists(const char *proc, const char *begins);

#endif
