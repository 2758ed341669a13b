/* The cache of classes (AOT, from JDK 24 on) that the VM makes of what a run has loaded. */
#ifndef AGENT_CLASS_CACHE_H
#define AGENT_CLASS_CACHE_H

#include <stdbool.h>

#include "hotspot/vm_flags.h"

/*
 * Whether this run is for one: no class that has been rewritten goes into it, nor any below that,
 * and where the VM itself needs one of these the JVM that makes it crashes (doc/jvm.md).
 */
bool class_cache_is_made(const struct vm_flags *f);

#endif
