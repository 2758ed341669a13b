#include "hotspot/vm_structs.h"

#include <stddef.h>
#include <string.h>

struct vm_structs vm_structs_of(const void *inside)
{
	static const struct vm_table_names names = {.rows = "gHotSpotVMStructs",
		.stride = "gHotSpotVMStructEntryArrayStride",
		.columns = {[VM_STRUCTS_TYPE] = "gHotSpotVMStructEntryTypeNameOffset",
			[VM_STRUCTS_FIELD] = "gHotSpotVMStructEntryFieldNameOffset",
			[VM_STRUCTS_STATIC] = "gHotSpotVMStructEntryIsStaticOffset",
			[VM_STRUCTS_OFFSET] = "gHotSpotVMStructEntryOffsetOffset",
			[VM_STRUCTS_ADDRESS] = "gHotSpotVMStructEntryAddressOffset"}};
	return (struct vm_structs){vm_table_of(inside, &names)};
}

/* The row of the field; NULL: there is none. */
static const char *find(
	const struct vm_structs *s, const char *type, const char *field, bool is_static)
{
	const struct vm_table *t = &s->table;
	for (const char *row = NULL; (row = vm_table_next(t, row));) {
		int32_t flag;
		vm_table_copy(t, row, VM_STRUCTS_STATIC, &flag, sizeof(flag));
		if ((flag != 0) == is_static && vm_table_is(t, row, VM_STRUCTS_TYPE, type) &&
			vm_table_is(t, row, VM_STRUCTS_FIELD, field))
			return row;
	}
	return NULL;
}

void *vm_structs_static(const struct vm_structs *s, const char *type, const char *field)
{
	const char *row = find(s, type, field, true);
	return row ? vm_table_pointer(&s->table, row, VM_STRUCTS_ADDRESS) : NULL;
}

bool vm_structs_read(
	const struct vm_structs *s, const char *type, const char *field, void *out, uint64_t size)
{
	const void *at = vm_structs_static(s, type, field);
	if (at)
		memcpy(out, at, size);
	return at != NULL;
}

bool vm_structs_offset(
	const struct vm_structs *s, const char *type, const char *field, uint64_t *out)
{
	const char *row = find(s, type, field, false);
	if (row)
		vm_table_copy(&s->table, row, VM_STRUCTS_OFFSET, out, sizeof(*out));
	return row != NULL;
}
