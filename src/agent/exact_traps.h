/* Where the collections begin that no event tells of in time (hotspot/trap.h): full ones, and the
 * young ones in their pauses. */
#ifndef AGENT_EXACT_TRAPS_H
#define AGENT_EXACT_TRAPS_H

#include "agent/exact.h"

/* As far as this VM has them: e->trapped, and of young ones stamps.parts. */
void exact_traps_set(struct exact *e, const struct vm *vm);
void exact_traps_clear(struct exact *e);

#endif
