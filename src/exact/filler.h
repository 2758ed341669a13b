/*
 * What fills gaps in the heap where no name tells it: before JDK 19 or so a plain int[], or an
 * Object where there is no room for one (klass_is_filler tells the later ones).
 */
#ifndef EXACT_FILLER_H
#define EXACT_FILLER_H

#include <stdbool.h>
#include <stdint.h>

#include "hotspot/objects.h"

/* Whether it looks like one: the program's own objects of such classes have their site, unless they
 * are older than the recording, or the VM has made their mark anew. */
bool filler_unnamed(const struct vm_objects *o, uintptr_t address, uintptr_t klass);

#endif
