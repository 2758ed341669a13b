/*
 * A function that does nothing but return 0. The VM's functions of allocation are such where it was
 * built without DTrace: what they would tell it is gone, and the calls of them are not. Three to
 * twenty bytes: what is less than a jump can be patched all the same, since functions begin at
 * multiples of sixteen, and what lies between this one's end and the next one's beginning is
 * nobody's.
 */
#ifndef HOTSPOT_EMPTY_FUNCTION_H
#define HOTSPOT_EMPTY_FUNCTION_H

#include <stdbool.h>

#include "base/slice.h"

/*
 * Whether the code is that of such a function, of `size` bytes, and all that stands behind it in
 * the slice is filling: instructions that do nothing, or traps. The slice begins at the entry and
 * has at least `size` bytes; the last instruction may go beyond its end.
 */
bool empty_function_is(struct slice code, size_t size);

#endif
