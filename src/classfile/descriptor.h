/* Descriptors of fields and methods (JVMS 4.3). */
#ifndef CLASSFILE_DESCRIPTOR_H
#define CLASSFILE_DESCRIPTOR_H

#include <stdbool.h>

#include "base/slice.h"

/* Takes one type off the front of *rest: empty where there is none, or nothing of the form. V for
 * void is one. */
struct slice descriptor_take(struct slice *rest);

/* Of a method's: what stands between the brackets, and what is returned. False: no such form. */
bool descriptor_split(struct slice descriptor, struct slice *arguments, struct slice *result);

/* Slots that a type takes: 2 for J and D, 0 for V, else 1. */
static inline unsigned descriptor_slots(struct slice type)
{
	if (!type.len || type.at[0] == 'V')
		return 0;
	return type.at[0] == 'J' || type.at[0] == 'D' ? 2 : 1;
}

/* The class as the pool names it: x/Y for Lx/Y;, arrays as they are. */
struct slice descriptor_class(struct slice type);

#endif
