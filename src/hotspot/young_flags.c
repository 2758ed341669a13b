#include "hotspot/young_flags.h"

#include <stddef.h>
#include <string.h>

#include "base/compiler.h"

/* 0: there is no such flag. */
static uint64_t value_of(const struct vm_flags *f, const char *name)
{
	const void *at = vm_flags_find(f, name);
	uint64_t value = 0;
	if (at && vm_flags_width(f, name) == sizeof(value))
		memcpy(&value, at, sizeof(value));
	return value;
}

uint64_t young_flags_heap(const struct vm_flags *f)
{
	return value_of(f, "MaxHeapSize");
}

bool young_flags_taken(const struct vm_flags *f)
{
	static const char *const names[] = {"NewSize", "MaxNewSize", "NewRatio"};
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!vm_flags_is_free(f, names[i]) || !vm_flags_width(f, names[i]))
			return true;
	return false;
}

bool young_flags_set(const struct vm_flags *f, uint64_t bytes)
{
	uint64_t heap = young_flags_heap(f), first = value_of(f, "InitialHeapSize");
	if (!heap || bytes >= heap || young_flags_taken(f))
		return false;
	double share = first && first < heap ? (double)first / (double)heap : 1;
	return vm_flags_give(f, "MaxNewSize", bytes) &&
	       vm_flags_give(f, "NewSize", (uint64_t)((double)bytes * share));
}
