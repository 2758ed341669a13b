#include "hotspot/constant_pool.h"

#include "base/compiler.h"
#include "base/error.h"
#include "hotspot/vm_fields.h"

enum { TEXT = 1 /* JVM_CONSTANT_Utf8 */, ENTRY = 8, BYTES_MAX = 1 << 24 };

#define TO(field) .to = offsetof(struct constant_pools, field)

int constant_pools_open(struct constant_pools *p, const struct vm_structs *s,
	const struct vm_constants *c, struct diag *d)
{
	static const struct vm_field fields[] = {
		{"ConstantPool", "_tags", TO(tags)},
		{"ConstantPool", "_length", TO(length)},
		{"ConstantPool", "_pool_holder", TO(holder)},
		{"Array<int>", "_length", TO(array_length)},
		{"Array<u1>", "_data", TO(array_data)},
	};
	uint64_t bytes;
	int err = vm_fields_read(s, fields, ARRAY_SIZE(fields), p, d);
	if (err)
		return err;
	if (!vm_constants_type(c, "ConstantPool", &bytes) || bytes > UINT16_MAX)
		return diag_set(
			d, ERR_UNSUPPORTED, "this VM does not tell the size of a ConstantPool");
	p->bytes = (uint32_t)bytes;
	return ERR_NONE;
}

struct slice constant_pools_bytes(const struct constant_pools *p, uintptr_t array)
{
	if (!array)
		return slice(NULL, 0);
	int32_t length = VM_AT(int32_t, array, p->array_length);
	if (length < 0 || length > BYTES_MAX)
		return slice(NULL, 0);
	return slice((const void *)(array + p->array_data), (size_t)length);
}

uintptr_t constant_pool_symbol(const struct constant_pools *p, uintptr_t pool, uint32_t index)
{
	struct slice tags = constant_pools_bytes(p, VM_AT(uintptr_t, pool, p->tags));
	int32_t length = VM_AT(int32_t, pool, p->length);
	if (index == 0 || length < 0 || index >= (uint32_t)length || index >= tags.len ||
		tags.at[index] != TEXT)
		return 0;
	return VM_AT(uintptr_t, pool, p->bytes + (uintptr_t)ENTRY * index);
}
