/* Tables such as the VM exports. */
#ifndef SUPPORT_VM_ENTRIES_H
#define SUPPORT_VM_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

#include "hotspot/vm_structs.h"

/* As the VM's own, but for a field of no interest. The last has no type. */
struct vm_entry {
	const char *type, *field;
	uint64_t extra;
	int32_t is_static;
	uint64_t offset;
	const void *address;
};

static inline struct vm_structs vm_entries(const struct vm_entry *entries)
{
	return (struct vm_structs){{.rows = (const char *)entries,
		.stride = sizeof(*entries),
		.columns = {[VM_STRUCTS_TYPE] = offsetof(struct vm_entry, type),
			[VM_STRUCTS_FIELD] = offsetof(struct vm_entry, field),
			[VM_STRUCTS_STATIC] = offsetof(struct vm_entry, is_static),
			[VM_STRUCTS_OFFSET] = offsetof(struct vm_entry, offset),
			[VM_STRUCTS_ADDRESS] = offsetof(struct vm_entry, address)}}};
}

/* A static field. */
#define VM_STATIC(type_, field_, address_)                                                         \
	{                                                                                          \
		.type = (type_), .field = (field_), .is_static = 1, .address = (address_)          \
	}
#define VM_END                                                                                     \
	{                                                                                          \
		.type = NULL                                                                       \
	}

#endif
