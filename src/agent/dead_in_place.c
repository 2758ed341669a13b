#include "agent/dead_in_place.h"

#include "agent/collector_flag.h"

enum { FROM = 16, BEFORE = 20 };

bool dead_in_place(const struct vm_flags *f, int major)
{
	return major >= FROM && major < BEFORE && collector_flag(f) == GC_G1 &&
	       !vm_flags_bool(f, "ClassUnloading", true);
}
