#include "hotspot/tenuring_bound.h"

#include <stddef.h>

uint64_t tenuring_bound_get(const struct tenuring_bound *b)
{
	if (b->width == sizeof(uint32_t))
		return __atomic_load_n((const uint32_t *)b->at, __ATOMIC_RELAXED);
	return __atomic_load_n((const uint64_t *)b->at, __ATOMIC_RELAXED);
}

static void store(const struct tenuring_bound *b, uint64_t value)
{
	if (b->width == sizeof(uint32_t))
		__atomic_store_n((uint32_t *)b->at, (uint32_t)value, __ATOMIC_RELAXED);
	else
		__atomic_store_n((uint64_t *)b->at, value, __ATOMIC_RELAXED);
}

struct tenuring_bound tenuring_bound_find(const struct vm_flags *f)
{
	struct tenuring_bound b = {.at = vm_flags_find(f, "MaxTenuringThreshold"),
		.width = vm_flags_width(f, "MaxTenuringThreshold")};
	if (!b.at || !b.width)
		return (struct tenuring_bound){.at = NULL};
	b.own = tenuring_bound_get(&b);
	return b;
}

void tenuring_bound_set(const struct tenuring_bound *b, uint64_t value)
{
	store(b, value > TENURING_BOUND_MOST ? TENURING_BOUND_MOST : value);
}

void tenuring_bound_restore(const struct tenuring_bound *b)
{
	store(b, b->own);
}
