/*
 * The functions through which the VM tells allocations, found without their names: by the notes of
 * the VM's own probe hotspot:object__alloc.
 *
 * That probe is in one function of the sources, and each copy of it that the compiler made has a
 * note. So whoever patches the entries of all functions with such a note sees every allocation
 * once, whatever was inlined. Which function is which, and where it gets the object, is told by
 * object_trace.h. A function that has no copy has become a jump to one that has; then the return
 * address is the caller's, as it should be. If there is no such jump, it may be a call, which would
 * hide the caller: that is refused.
 */
#ifndef HOTSPOT_ALLOC_NOTES_H
#define HOTSPOT_ALLOC_NOTES_H

#include "hotspot/library.h"

enum { ALLOC_NOTES_MAX = 3 };

struct alloc_note {
	uint64_t address, size; /* of the function; bytes */
	int object;             /* the number of its argument that is the object */
	int words;              /* and of the object's size; OBJECT_TRACE_NONE: it gets none */
};

struct alloc_notes {
	struct alloc_note at[ALLOC_NOTES_MAX];
	size_t count;
	bool wide; /* sizes have 64 bits, as from 18 on */
};

/*
 * 0; ERR_NOT_FOUND: there are no such notes; ERR_UNSUPPORTED: not all is certain; ERR_NOMEM. With
 * a phrase.
 */
int alloc_notes_find(struct alloc_notes *out, const struct vm_library *l, struct diag *why);

#endif
