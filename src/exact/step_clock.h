/*
 * How many collections an object has outlived, by how many steps it was seen to outlive. A pause is
 * one step; where a young collection and a full one come in the same pause, or the VM tells of
 * none, there are more, and those before the last are parts.
 *
 * That is what ages in headers say too, but where locks are biased (JDK 11): who takes a lock whose
 * bias has expired makes the mark anew, and the age is lost (MacroAssembler::biased_locking_enter).
 */
#ifndef EXACT_STEP_CLOCK_H
#define EXACT_STEP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "exact/residents.h"

struct step_clock {
	const bool *part; /* whether the step that comes is one; NULL: none is. Set by the owner */
	uint8_t parts[RESIDENT_SURVIVED_MAX + 1]; /* [n]: among the last n steps */
};

/* A step begins. */
void step_clock_tick(struct step_clock *c);

/* Of one that outlived so many steps, the one that is on included, RESIDENT_SURVIVED_MAX at most.
 */
static inline uint32_t step_clock_outlived(const struct step_clock *c, uint32_t steps)
{
	return steps - c->parts[steps];
}

#endif
