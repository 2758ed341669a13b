#include "agent/unsampled.h"

#include "agent/collector_flag.h"

enum { EDEN_BY_ITSELF_BEFORE = 20 };

bool unsampled_mostly(const struct vm_flags *f, int major)
{
	enum gc gc = collector_flag(f);
	return major < EDEN_BY_ITSELF_BEFORE && (gc == GC_SERIAL || gc == GC_PARALLEL) &&
	       !vm_flags_bool(f, "UseTLAB", true);
}
