/* How full the heap is, by generation, as the VM last wrote it: exact right after a collection,
 * stale between two. */
#ifndef JVMSTAT_HEAP_COUNTERS_H
#define JVMSTAT_HEAP_COUNTERS_H

#include "base/types.h"
#include "jvmstat/perfdata.h"

struct heap_counters {
	struct counter eden_used, eden_capacity;
	struct counter survivor_used[2], survivor_capacity[2]; /* G1 uses the second only */
	struct counter old_used, old_capacity; /* collectors with one generation keep all here */
	struct counter metaspace_used;
};

struct heap_usage {
	struct bytes eden_used, eden_committed;
	struct bytes survivor_used, survivor_committed;
	struct bytes old_used, old_committed;
	struct bytes used, committed; /* all of the above */
	struct bytes metaspace_used;
};

/* Finds what there is; absent ones read as 0. Call again after the VM has started (VMInit is late
 * enough). */
void heap_counters_find(struct heap_counters *h, const struct perfdata *p);

/* Hot: loads only. The fields are not of one instant unless the world is stopped. */
void heap_counters_read(const struct heap_counters *h, struct heap_usage *out);

#endif
