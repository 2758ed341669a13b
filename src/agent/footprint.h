/*
 * The memory that the agent has: what it has allocated (base/mem.h), and the pages of the exact
 * engine's tables that are there (exact/pages.h), which the kernel is asked for now and then.
 *
 * The writer looks, and who ends the recording; any thread may read.
 */
#ifndef AGENT_FOOTPRINT_H
#define AGENT_FOOTPRINT_H

#include <stdatomic.h>
#include <stdint.h>

struct footprint {
	_Atomic uint64_t pages, pages_most; /* bytes */
	_Atomic uint64_t next;              /* ns: not to be looked at before */
};

/* Asks the kernel, where the time for it has come: it takes a 200th of it at most. */
void footprint_look(struct footprint *f);
/* Asks at once. */
void footprint_look_now(struct footprint *f);
/* Bytes, by the last look. */
uint64_t footprint_bytes(const struct footprint *f);
/* At most so far: the most of each of the two, which may have been at two moments. */
uint64_t footprint_most(const struct footprint *f);

#endif
