/*
 * How many bytes apart the VM's samples are. Each costs the VM, whether its stack is walked or not;
 * so where they come faster than a bound the interval is doubled, and halved again, never below
 * what was asked for, where they come much slower. Beside exact counts it begins doubled, and the
 * bound is lower while these hold. Decided once a second, by what is past, so that a sample's own
 * fate never decides its weight. doc/metrics.md, "Spacing".
 */
#ifndef AGENT_SPACING_H
#define AGENT_SPACING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/types.h"

struct spacing {
	uint64_t samples_per_second; /* bound; 0: none */
	uint32_t shift;              /* doublings of the interval */
	uint32_t most;               /* of the shift */
	struct ns window_start;
	uint64_t samples_then; /* total when the window began */
};

/* interval: bytes that were asked for; first: its doublings, to begin with; samples_per_second 0:
 * it stays so. */
void spacing_init(struct spacing *s, uint64_t interval, uint32_t first, uint64_t samples_per_second,
	struct ns now);
/* From now on that many samples may come: it is what was asked for, unless there could be more of
 * them then, by the bound that held so far. */
void spacing_loosen(struct spacing *s, uint64_t samples_per_second);
/* Called about once a second with the VM's samples so far. Nothing happens before a second has
 * passed. */
void spacing_update(struct spacing *s, struct ns now, uint64_t samples);

#endif
