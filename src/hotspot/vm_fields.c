#include "hotspot/vm_fields.h"

#include <string.h>

#include "base/error.h"

/* The newest name that the VM knows. */
static bool find(const struct vm_structs *s, const struct vm_field *f, uint64_t *offset)
{
	const char *old_type = f->old_type ? f->old_type : f->type;
	const char *old_field = f->old_field ? f->old_field : f->field;
	const char *first_type = f->first_type ? f->first_type : old_type;
	const char *first_field = f->first_field ? f->first_field : old_field;
	return vm_structs_offset(s, f->type, f->field, offset) ||
	       vm_structs_offset(s, old_type, old_field, offset) ||
	       vm_structs_offset(s, first_type, first_field, offset);
}

int vm_fields_read(const struct vm_structs *s, const struct vm_field *fields, size_t count,
	void *into, struct diag *d)
{
	for (size_t i = 0; i < count; i++) {
		uint64_t offset = 0;
		if (!find(s, &fields[i], &offset) || offset > UINT16_MAX)
			return diag_set(d, ERR_UNSUPPORTED, "this VM does not tell where %s::%s is",
				fields[i].type, fields[i].field);
		uint32_t value = (uint32_t)offset;
		memcpy((char *)into + fields[i].to, &value, sizeof(value));
	}
	return ERR_NONE;
}

int vm_release(const struct vm_structs *s, int32_t *major, struct diag *d)
{
	if (vm_structs_read(s, "Abstract_VM_Version", "_vm_major_version", major, sizeof(*major)))
		return ERR_NONE;
	return diag_set(
		d, ERR_UNSUPPORTED, "this VM does not tell Abstract_VM_Version::_vm_major_version");
}
