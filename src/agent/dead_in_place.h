/* Dead objects that nobody can tell from the living. */
#ifndef AGENT_DEAD_IN_PLACE_H
#define AGENT_DEAD_IN_PLACE_H

#include <stdbool.h>

#include "hotspot/vm_flags.h"

/*
 * Whether full collections leave such: G1 of 16 to 19 moves nothing out of regions of which little
 * is dead (MarkSweepDeadRatio, 5 %), and without class unloading its own walk goes through the dead
 * there as well (HeapRegion::block_is_obj). major: of the JDK.
 */
bool dead_in_place(const struct vm_flags *f, int major);

#endif
