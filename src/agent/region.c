#include "agent/region.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

enum { REGION_MAX = 1 << 29, ENTRIES_MAX = 1 << 16 };

static const void *pointer_at(const char *at)
{
	const void *value;
	memcpy(&value, at, sizeof(value));
	return value;
}

static bool is(const char *name, const char *other)
{
	return name && strcmp(name, other) == 0;
}

/* G1's classes got their prefix in JDK 23. */
static bool is_grain(const struct region_table *t, const char *entry)
{
	const char *type = pointer_at(entry + t->type_name);
	return (is(type, "HeapRegion") || is(type, "G1HeapRegion")) &&
	       is(pointer_at(entry + t->field_name), "GrainBytes");
}

static uint64_t read_size(const void *at)
{
	size_t value = 0;
	if (at)
		memcpy(&value, at, sizeof(value));
	return value;
}

static uint64_t grain(const struct region_table *t)
{
	const char *entry = t->entries;
	for (int i = 0; entry && i < ENTRIES_MAX && pointer_at(entry + t->type_name); i++) {
		if (is_grain(t, entry))
			return read_size(pointer_at(entry + t->address));
		entry += t->stride;
	}
	return 0;
}

uint64_t region_bytes(const struct region_table *t)
{
	uint64_t size = grain(t);
	bool possible = size >= REGION_MIN && size <= REGION_MAX && (size & (size - 1)) == 0;
	return possible ? size : REGION_MIN;
}

static bool find(void *library, const char *name, uint64_t *out)
{
	const void *at = dlsym(library, name);
	if (at)
		memcpy(out, at, sizeof(*out));
	return at != NULL;
}

struct region_table region_table_of(const void *inside)
{
	struct region_table t = {0};
	Dl_info info;
	void *library =
		dladdr(inside, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	if (!library)
		return t;
	const void *entries = dlsym(library, "gHotSpotVMStructs");
	if (entries && find(library, "gHotSpotVMStructEntryArrayStride", &t.stride) &&
		find(library, "gHotSpotVMStructEntryTypeNameOffset", &t.type_name) &&
		find(library, "gHotSpotVMStructEntryFieldNameOffset", &t.field_name) &&
		find(library, "gHotSpotVMStructEntryAddressOffset", &t.address))
		t.entries = pointer_at(entries);
	dlclose(library);
	return t;
}
