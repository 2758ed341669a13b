#include "hotspot/vm_flags.h"

#include <stddef.h>
#include <string.h>

enum { FLAGS_MAX = 1 << 14, ROW_MAX = 1 << 10 };

struct vm_flags vm_flags_of(const struct vm_structs *s, const struct vm_constants *c)
{
	struct vm_flags f = {.rows = NULL};
	const char *rows;
	uint64_t count;
	bool told = vm_structs_read(s, "JVMFlag", "flags", &rows, sizeof(rows)) &&
		    vm_structs_read(s, "JVMFlag", "numFlags", &count, sizeof(count)) &&
		    vm_structs_offset(s, "JVMFlag", "_name", &f.name) &&
		    vm_structs_offset(s, "JVMFlag", "_addr", &f.address) &&
		    vm_constants_type(c, "JVMFlag", &f.stride);
	bool sound = told && count <= FLAGS_MAX && f.stride <= ROW_MAX &&
		     f.name + sizeof(void *) <= f.stride && f.address + sizeof(void *) <= f.stride;
	if (!sound)
		return (struct vm_flags){.rows = NULL};
	f.rows = rows;
	f.count = count;
	return f;
}

static void *pointer(const char *row, uint64_t offset)
{
	void *value;
	memcpy(&value, row + offset, sizeof(value));
	return value;
}

void *vm_flags_find(const struct vm_flags *f, const char *name)
{
	for (uint64_t i = 0; f->rows && i < f->count; i++) {
		const char *row = f->rows + i * f->stride;
		const char *own = pointer(row, f->name);
		if (own && strcmp(own, name) == 0)
			return pointer(row, f->address);
	}
	return NULL;
}

bool vm_flags_bool(const struct vm_flags *f, const char *name, bool otherwise)
{
	const uint8_t *at = vm_flags_find(f, name);
	return at ? *at != 0 : otherwise;
}
