/*
 * MaxTenuringThreshold of the running VM, where it can be moved: G1 and Serial look at it after
 * each young collection, Parallel keeps a threshold of its own (parallel_threshold.h), which this
 * bounds (doc/jvm.md, "The tenuring bound").
 */
#ifndef HOTSPOT_TENURING_BOUND_H
#define HOTSPOT_TENURING_BOUND_H

#include <stdint.h>

#include "hotspot/vm_flags.h"

enum { TENURING_BOUND_MOST = 15 }; /* ages have four bits */

struct tenuring_bound {
	void *at;       /* in the VM; NULL: not told, or of a width that is not known */
	unsigned width; /* bytes: 4 or 8 */
	uint64_t own;   /* the value it was found with */
};

struct tenuring_bound tenuring_bound_find(const struct vm_flags *f);
uint64_t tenuring_bound_get(const struct tenuring_bound *b);
/* At most TENURING_BOUND_MOST. From the second collection after this on the VM heeds it, G1 from
 * the next. `at` must not be NULL. */
void tenuring_bound_set(const struct tenuring_bound *b, uint64_t value);
/* As it was found. */
void tenuring_bound_restore(const struct tenuring_bound *b);

#endif
