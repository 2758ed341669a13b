#include "agent/unsampled.h"

enum { EDEN_BY_ITSELF_BEFORE = 20 };

bool unsampled_mostly(const struct vm_flags *f, int major)
{
	bool eden =
		vm_flags_bool(f, "UseSerialGC", false) || vm_flags_bool(f, "UseParallelGC", false);
	return major < EDEN_BY_ITSELF_BEFORE && eden && !vm_flags_bool(f, "UseTLAB", true);
}
