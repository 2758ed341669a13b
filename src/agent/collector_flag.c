#include "agent/collector_flag.h"

#include <stddef.h>

#include "base/compiler.h"

enum gc collector_flag(const struct vm_flags *f)
{
	static const struct {
		const char *flag;
		enum gc gc;
	} known[] = {
		{"UseG1GC", GC_G1},
		{"UseParallelGC", GC_PARALLEL},
		{"UseSerialGC", GC_SERIAL},
		{"UseEpsilonGC", GC_EPSILON},
	};
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (vm_flags_bool(f, known[i].flag, false))
			return known[i].gc;
	return GC_UNKNOWN;
}
