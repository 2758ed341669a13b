/*
 * The flags by which the VM makes its young generation, as it starts: -Xmn is NewSize and
 * MaxNewSize. Serial and Parallel have one of a fixed share of the heap where nobody says
 * otherwise (doc/jvm.md, "The young generation's size").
 */
#ifndef HOTSPOT_YOUNG_FLAGS_H
#define HOTSPOT_YOUNG_FLAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot/vm_flags.h"

/* The most that the heap may have, bytes; 0: not told. From Agent_OnLoad on. */
uint64_t young_flags_heap(const struct vm_flags *f);
/* Whether the program's own options say how large it is, or the VM does not tell. */
bool young_flags_taken(const struct vm_flags *f);
/*
 * A young generation of so many bytes where the heap is as large as it may be, and of that share of
 * what it has before. Only in Agent_OnLoad, and where it is not taken. False: it is as it was.
 */
bool young_flags_set(const struct vm_flags *f, uint64_t bytes);

#endif
