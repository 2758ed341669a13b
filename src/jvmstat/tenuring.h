/*
 * The VM's own age table: bytes that the last young collection kept in the survivor spaces, by
 * age; Serial and G1 only. It is up to date at JVMTI's GarbageCollectionFinish on 11 to 25.
 */
#ifndef JVMSTAT_TENURING_H
#define JVMSTAT_TENURING_H

#include "base/types.h"
#include "jvmstat/perfdata.h"

enum { TENURING_AGES = 16 };

struct tenuring_counters {
	struct counter threshold, threshold_max, desired_survivor;
	struct counter age[TENURING_AGES]; /* [a]: bytes of age a; [0] is never used by the VM */
	unsigned ages;                     /* 0: no age table (Parallel, Z, Shenandoah) */
};

struct tenuring {
	unsigned threshold; /* objects that reach this age are promoted by the next young collection
			     */
	struct bytes age[TENURING_AGES];
	struct bytes total;
};

void tenuring_find(struct tenuring_counters *t, const struct perfdata *p);

/* Hot: loads only. */
void tenuring_read(const struct tenuring_counters *t, struct tenuring *out);

#endif
