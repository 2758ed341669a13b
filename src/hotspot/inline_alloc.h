/*
 * How C2's code allocates (x86-64): it compares the new top with the end of the thread's buffer,
 * and goes on in place where there is room. Where there is none it calls the VM, far from there:
 *	cmp END(%r15), top; jae slow	or	mov END(%r15), end; ...; cmp end, top; jae slow
 * or the other way round: jb fast; slow: ...
 * Of that call, and of nothing in the fast path, the compiler says exactly where in the source it
 * is. Code is hostile: nothing outside of the slice is read.
 */
#ifndef HOTSPOT_INLINE_ALLOC_H
#define HOTSPOT_INLINE_ALLOC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/slice.h"
#include "hotspot/vm_structs.h"

struct inline_alloc {
	uint32_t buffer_end; /* where in a thread the end of its buffer is, bytes */
};

/* 0, or ERR_UNSUPPORTED. */
int inline_alloc_open(struct inline_alloc *a, const struct vm_structs *s, struct diag *d);

/*
 * Where in the code the slow path of an allocation begins, if its fast path holds the place `at`;
 * both are offsets. Whether it was found.
 */
bool inline_alloc_slow(const struct inline_alloc *a, struct slice code, size_t at, size_t *slow);

/* How far it is from `at`, an offset in the code, to what the instruction before it calls; false:
 * that is no call. */
bool inline_alloc_call(struct slice code, size_t at, int32_t *distance);

/* Whether the VM's stub of that name makes objects for C2's code. */
bool inline_alloc_stub(const char *name);

#endif
