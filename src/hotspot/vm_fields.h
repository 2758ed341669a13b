/* Several of the VM's fields looked up at once, with a sentence that names the one that is not
 * told. */
#ifndef HOTSPOT_VM_FIELDS_H
#define HOTSPOT_VM_FIELDS_H

#include <stddef.h>

#include "base/diag.h"
#include "hotspot/vm_structs.h"

/* Its offset goes to the uint32_t that is `to` bytes into a struct of the caller. */
struct vm_field {
	const char *type, *field;             /* as the newest release that has it calls it */
	const char *old_type, *old_field;     /* as older ones do; NULL: the same */
	const char *first_type, *first_field; /* and still older ones */
	size_t to;
};

/* 0, or ERR_UNSUPPORTED. */
int vm_fields_read(const struct vm_structs *s, const struct vm_field *fields, size_t count,
	void *into, struct diag *d);

/* The JDK's release: 17. 0, or ERR_UNSUPPORTED. */
int vm_release(const struct vm_structs *s, int32_t *major, struct diag *d);

/* A value of the VM's, `offset` bytes into one of its objects. */
#define VM_AT(T, object, offset) (*(T const volatile *)((object) + (offset)))

#endif
