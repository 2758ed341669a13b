/*
 * The VM's list of code that knows methods as they were before a redefinition (17 to 25, in
 * codeCache.cpp). It is made anew by each redefinition, but for one that throws all code away: that
 * adds to it, what is in it already too. Of what is in it twice one is taken out when that code is
 * freed, and the VM follows the other.
 */
#ifndef HOTSPOT_OLD_CODE_H
#define HOTSPOT_OLD_CODE_H

#include <stdint.h>

struct old_code {
	const uintptr_t *list; /* where the VM has it, which is 0 for none; NULL: not to be had */
	uint32_t length, data; /* offsets in GrowableArray, in bytes */
};

/* While the world stands: each is in the list once. */
void old_code_once(const struct old_code *o);

#endif
