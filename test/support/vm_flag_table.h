/* A VM's table of flags, of 17 to 25, in a test's own memory. */
#ifndef SUPPORT_VM_FLAG_TABLE_H
#define SUPPORT_VM_FLAG_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "hotspot/vm_flags.h"

/* As the VM numbers them. */
enum { FLAG_BOOL = 0, FLAG_UINT = 2, FLAG_INTX = 3, FLAG_UINTX = 4, FLAG_SIZE = 6, FLAG_TEXT = 8 };
/* Who gave a flag its value. */
enum { FLAG_NOBODYS = 0, FLAG_USERS = 1, FLAG_ERGONOMIC = 5, FLAG_ORIGIN = 15 };

/* As JVMFlag: its size and the places of its fields are the VM's own matter. */
struct vm_flag_row {
	void *address;
	const char *name;
	int32_t type;
	uint32_t flags;
};

static inline struct vm_flags vm_flag_table(const struct vm_flag_row *rows, uint64_t count)
{
	return (struct vm_flags){.rows = (const char *)rows,
		.count = count,
		.stride = sizeof(*rows),
		.name = offsetof(struct vm_flag_row, name),
		.address = offsetof(struct vm_flag_row, address),
		.type = offsetof(struct vm_flag_row, type),
		.flags = offsetof(struct vm_flag_row, flags),
		.origin_mask = FLAG_ORIGIN,
		.origin_nobody = FLAG_NOBODYS,
		.origin_user = FLAG_USERS};
}

#endif
