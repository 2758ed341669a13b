/* The VM's -XX flags, by name: where their values are. */
#ifndef HOTSPOT_VM_FLAGS_H
#define HOTSPOT_VM_FLAGS_H

#include "hotspot/vm_constants.h"
#include "hotspot/vm_structs.h"

struct vm_flags {
	const char *rows;                      /* NULL: not told */
	uint64_t count, stride, name, address; /* of rows; bytes, from a row's start */
	/* Bytes, from a row's start; as stride: not told. */
	uint64_t type, flags;
	/* Of the flags: the bits that say who gave the flag its value; nobody, the command line. */
	uint32_t origin_mask, origin_nobody, origin_user;
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
/* A signed number of 8 bytes (intx). NULL: no such flag, or one of another type. */
int64_t *vm_flags_signed(const struct vm_flags *f, const char *name);
/* Whether nobody gave the flag a value, and the VM chooses one. False where that is not told. */
bool vm_flags_is_free(const struct vm_flags *f, const char *name);
/*
 * Gives an unsigned flag a value, as its command line would. Only before the VM looks at it: in
 * Agent_OnLoad, of those that the heap is made by. False: there is no such flag, or the VM does not
 * tell enough of it.
 */
bool vm_flags_give(const struct vm_flags *f, const char *name, uint64_t value);

#endif
