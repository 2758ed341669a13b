/*
 * What the VM does first where all its code is to be made anew (compiled_again;
 * doc/decisions/0026-c1-first.md). A method that C2 has compiled before goes to C2 again at once,
 * and is interpreted as long as it waits: with all of them in one queue a program was at a
 * fifteenth of its speed for ten seconds. So for a while C2's thresholds are out of reach; C1 is
 * done soon, and what it makes, without profiles, which are there, is what runs while C2 goes
 * through its queue behind that.
 *
 * The thresholds are flags of the VM's, which its policy reads at each decision. They are put back
 * after some seconds, by a thread of ours. Left alone where somebody has chosen any of them, or
 * which compilers there are.
 */
#ifndef AGENT_TIERS_H
#define AGENT_TIERS_H

#include <stdbool.h>

#include "hotspot/vm_flags.h"

/* From now on, for TIERS_SECONDS; again where it is so already. The flags stay where they are.
 * Whether it is so. */
bool tiers_low(const struct vm_flags *f);
/* Puts back at once what is not yet. */
void tiers_back(void);

enum { TIERS_SECONDS = 3 };

#endif
