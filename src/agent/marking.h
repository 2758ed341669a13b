/*
 * When the marking began that a Remark ends: by the CPU that G1's marking threads take from the
 * begin of one young collection to that of the next. Those that wait take none. Nothing else that
 * the VM shows tells, and what was promoted since can't be found dead (doc/jvm.md, "When deaths are
 * told").
 */
#ifndef AGENT_MARKING_H
#define AGENT_MARKING_H

#include <stdint.h>

#include "base/types.h"

/* All zeros at first. */
struct marking {
	enum { MARKING_NONE, MARKING_ON, MARKING_OVER } state; /* OVER: its threads clear up */
	struct ns taken; /* by its threads, as the last young collection began */
	uint64_t since;  /* ON: the young clock as it began */
};

/* A young collection: the clock stood at `young` before it. taken: as it began. */
void marking_collection(struct marking *m, uint64_t young, struct ns taken);
/* A Remark: the young clock as its marking began, at most `young`, which is now. */
uint64_t marking_remark(struct marking *m, uint64_t young);

#endif
