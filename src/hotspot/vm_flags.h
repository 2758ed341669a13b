/* The VM's -XX flags, by name: where their values are. */
#ifndef HOTSPOT_VM_FLAGS_H
#define HOTSPOT_VM_FLAGS_H

#include "hotspot/vm_constants.h"
#include "hotspot/vm_structs.h"

struct vm_flags {
	const char *rows;                      /* NULL: not told */
	uint64_t count, stride, name, address; /* of rows; bytes, from a row's start */
	uint64_t type;                         /* bytes, from a row's start; as stride: not told */
};

struct vm_flags vm_flags_of(const struct vm_structs *s, const struct vm_constants *c);
/* Where the flag's value is, for reading and, at the owner's risk, writing; NULL: no such flag. */
void *vm_flags_find(const struct vm_flags *f, const char *name);
/* The value of a flag that is a bool; `otherwise` where there is no such flag. */
bool vm_flags_bool(const struct vm_flags *f, const char *name, bool otherwise);
/*
 * Bytes of the flag's value where it is an unsigned number: 4 or 8. 0: no such flag, one of another
 * type, or the VM does not tell. The same flag may differ between releases.
 */
unsigned vm_flags_width(const struct vm_flags *f, const char *name);

#endif
