/* Allocations that the VM's sampler does not see. */
#ifndef AGENT_UNSAMPLED_H
#define AGENT_UNSAMPLED_H

#include <stdbool.h>

#include "hotspot/vm_flags.h"

/*
 * Whether those are nearly all: before JDK 20 and without threads' own buffers compiled code and
 * the interpreter take from Serial's and Parallel's eden by themselves, past the sampler. major: of
 * the JDK.
 */
bool unsampled_mostly(const struct vm_flags *f, int major);

#endif
