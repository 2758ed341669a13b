/* The collector as the VM's flags tell it, where its counters do not (-XX:-UsePerfData). */
#ifndef AGENT_COLLECTOR_FLAG_H
#define AGENT_COLLECTOR_FLAG_H

#include "hotspot/vm_flags.h"
#include "jvmstat/collectors.h"

/* GC_UNKNOWN: none of those whose one flag says all (ZGC and Shenandoah come in two modes), or the
 * VM does not tell its flags. */
enum gc collector_flag(const struct vm_flags *f);

#endif
