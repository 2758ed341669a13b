/* What the exact engine says of itself when a recording ends: what it could not count, or follow.
 */
#ifndef AGENT_EXACT_LOSSES_H
#define AGENT_EXACT_LOSSES_H

#include "agent/exact.h"

void exact_losses_tell(const struct exact *e, struct recorder *r);
/* While it goes on: single objects are not followed any more. */
void exact_losses_abandoned(const struct exact *e, struct recorder *r);
/* Intervals of which births were lost. Each was told when it was; in a cyclic trace that may be
 * forgotten since. */
void exact_losses_intervals(const struct exact *e, struct recorder *r);

#endif
