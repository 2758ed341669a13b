/*
 * Parallel's own tenuring threshold (PSScavenge::_tenuring_threshold): it moves that by a step a
 * collection, by what collections cost, never above MaxTenuringThreshold and never below 1, and
 * promotes by it alone. Only where the library's builder kept the variable's name (.symtab).
 */
#ifndef HOTSPOT_PARALLEL_THRESHOLD_H
#define HOTSPOT_PARALLEL_THRESHOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot/library.h"

struct parallel_threshold {
	uint32_t *at;    /* in the VM; NULL: not found */
	bool held;       /* below `most` */
	uint32_t most;   /* while it is held */
	uint32_t before; /* what it was when that began */
};

/* Of a library that is loaded. ERR_NOT_FOUND: it has no such variable, and `at` is NULL. */
int parallel_threshold_find(struct parallel_threshold *p, const struct vm_library *l);
/* At most that, from the next collection on; also where it is held already. */
void parallel_threshold_hold(struct parallel_threshold *p, uint32_t most);
/* Once more: a collection that was computing the next one meanwhile has put its own there. */
void parallel_threshold_keep(const struct parallel_threshold *p);
/* As it was before it was held: the VM moves it on from there. */
void parallel_threshold_release(struct parallel_threshold *p);

#endif
