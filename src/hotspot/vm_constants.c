#include "hotspot/vm_constants.h"

#include <stddef.h>

struct vm_constants vm_constants_of(const void *inside)
{
	static const struct vm_table_names ints = {"gHotSpotVMIntConstants",
		"gHotSpotVMIntConstantEntryArrayStride",
		{"gHotSpotVMIntConstantEntryNameOffset", "gHotSpotVMIntConstantEntryValueOffset"}};
	static const struct vm_table_names longs = {"gHotSpotVMLongConstants",
		"gHotSpotVMLongConstantEntryArrayStride",
		{"gHotSpotVMLongConstantEntryNameOffset",
			"gHotSpotVMLongConstantEntryValueOffset"}};
	static const struct vm_table_names types = {"gHotSpotVMTypes",
		"gHotSpotVMTypeEntryArrayStride",
		{"gHotSpotVMTypeEntryTypeNameOffset", "gHotSpotVMTypeEntrySizeOffset"}};
	return (struct vm_constants){vm_table_of(inside, &ints), vm_table_of(inside, &longs),
		vm_table_of(inside, &types)};
}

/* Copies size bytes of the value. Whether there is such a name. */
static bool find(const struct vm_table *t, const char *name, void *out, uint64_t size)
{
	for (const char *row = NULL; (row = vm_table_next(t, row));)
		if (vm_table_is(t, row, VM_CONSTANTS_NAME, name)) {
			vm_table_copy(t, row, VM_CONSTANTS_VALUE, out, size);
			return true;
		}
	return false;
}

bool vm_constants_find(const struct vm_constants *c, const char *name, int64_t *out)
{
	int32_t small;
	if (find(&c->ints, name, &small, sizeof(small))) {
		*out = small;
		return true;
	}
	return find(&c->longs, name, out, sizeof(*out));
}

bool vm_constants_type(const struct vm_constants *c, const char *name, uint64_t *out)
{
	return find(&c->types, name, out, sizeof(*out));
}
