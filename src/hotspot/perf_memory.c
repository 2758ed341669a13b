#include "hotspot/perf_memory.h"

#include <stddef.h>

struct perf_memory perf_memory_find(const struct vm_structs *s)
{
	static const char type[] = "PerfMemory";
	void *start = NULL;
	size_t capacity = 0;
	int initialized = 0;
	if (!vm_structs_read(s, type, "_initialized", &initialized, sizeof(initialized)) ||
		!vm_structs_read(s, type, "_start", &start, sizeof(start)) ||
		!vm_structs_read(s, type, "_capacity", &capacity, sizeof(capacity)) ||
		!initialized || !start)
		return (struct perf_memory){0};
	return (struct perf_memory){start, capacity};
}
