/* The VM's -XX flags, by name: where their values are. */
#ifndef HOTSPOT_VM_FLAGS_H
#define HOTSPOT_VM_FLAGS_H

#include "hotspot/vm_constants.h"
#include "hotspot/vm_structs.h"

struct vm_flags {
	const char *rows;                      /* NULL: not told */
	uint64_t count, stride, name, address; /* of rows; bytes, from a row's start */
};

struct vm_flags vm_flags_of(const struct vm_structs *s, const struct vm_constants *c);
/* Where the flag's value is, for reading and, at the owner's risk, writing; NULL: no such flag. */
void *vm_flags_find(const struct vm_flags *f, const char *name);
/* The value of a flag that is a bool; `otherwise` where there is no such flag. */
bool vm_flags_bool(const struct vm_flags *f, const char *name, bool otherwise);

#endif
