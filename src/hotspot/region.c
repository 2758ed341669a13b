#include "hotspot/region.h"

#include <stddef.h>

enum { REGION_MAX = 1 << 29 };

uint64_t region_bytes(const struct vm_structs *s)
{
	size_t size = 0;
	/* G1's classes got their prefix in JDK 23. */
	if (!vm_structs_read(s, "HeapRegion", "GrainBytes", &size, sizeof(size)) &&
		!vm_structs_read(s, "G1HeapRegion", "GrainBytes", &size, sizeof(size)))
		return REGION_MIN;
	bool possible = size >= REGION_MIN && size <= REGION_MAX && (size & (size - 1)) == 0;
	return possible ? size : REGION_MIN;
}
