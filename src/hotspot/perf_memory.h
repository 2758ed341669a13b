/*
 * The memory in which this process's VM keeps its performance counters, where no file has them
 * (-XX:+PerfDisableSharedMem). The VM unmaps it as it exits, after VMDeath.
 */
#ifndef HOTSPOT_PERF_MEMORY_H
#define HOTSPOT_PERF_MEMORY_H

#include "hotspot/vm_structs.h"

struct perf_memory {
	void *at; /* the VM's; NULL: there is none (-XX:-UsePerfData), or the VM does not tell */
	uint64_t size;
};

struct perf_memory perf_memory_find(const struct vm_structs *s);

#endif
