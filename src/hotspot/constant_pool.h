/* A class's constants, as the VM keeps them: which text stands at an index. */
#ifndef HOTSPOT_CONSTANT_POOL_H
#define HOTSPOT_CONSTANT_POOL_H

#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"
#include "hotspot/vm_constants.h"
#include "hotspot/vm_structs.h"

/* Offsets in bytes. */
struct constant_pools {
	uint32_t tags, length, holder; /* in ConstantPool; a byte each in an array, one an entry */
	uint32_t bytes;                /* of its header: the entries follow */
	uint32_t array_length, array_data; /* in Array<u1> */
};

/* 0, or ERR_UNSUPPORTED. */
int constant_pools_open(struct constant_pools *p, const struct vm_structs *s,
	const struct vm_constants *c, struct diag *d);
/* The Symbol at index; 0: the index is none of its, or there is no text. */
uintptr_t constant_pool_symbol(const struct constant_pools *p, uintptr_t pool, uint32_t index);
/* The bytes of an Array<u1>; none if it is 0. */
struct slice constant_pools_bytes(const struct constant_pools *p, uintptr_t array);

#endif
