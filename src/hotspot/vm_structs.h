/*
 * HotSpot's fields, by name (gHotSpotVMStructs): where the static ones are, and where in their
 * object the others. What is asked for may not be there in another release.
 */
#ifndef HOTSPOT_VM_STRUCTS_H
#define HOTSPOT_VM_STRUCTS_H

#include "hotspot/vm_table.h"

enum vm_structs_column {
	VM_STRUCTS_TYPE,
	VM_STRUCTS_FIELD,
	VM_STRUCTS_STATIC,
	VM_STRUCTS_OFFSET,
	VM_STRUCTS_ADDRESS
};

struct vm_structs {
	struct vm_table table;
};

/* Of the VM whose library `inside` points into. */
struct vm_structs vm_structs_of(const void *inside);
/* Where the static field is; NULL: not told. */
void *vm_structs_static(const struct vm_structs *s, const char *type, const char *field);
/* The static field's value, of size bytes, copied to out. Whether it is told. */
bool vm_structs_read(
	const struct vm_structs *s, const char *type, const char *field, void *out, uint64_t size);
/* How many bytes into its object the field is. Whether it is told. */
bool vm_structs_offset(
	const struct vm_structs *s, const char *type, const char *field, uint64_t *out);

#endif
