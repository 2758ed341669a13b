/*
 * Whether a thread of this process can take a trap (trap.h). One that has SIGTRAP blocked, as a
 * VM's threads have where whoever made the VM had, would end the process at it.
 */
#ifndef HOTSPOT_TRAP_MASK_H
#define HOTSPOT_TRAP_MASK_H

#include <stdbool.h>

/* Threads are known to the kernel by their names' first 15 bytes. False also where none has this
 * name, or what they block can't be read. */
bool trap_mask_open(const char *thread);

#endif
