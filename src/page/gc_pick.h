/* Which collections a page has: all, or of so many in a row the one with the longest pause. */
#ifndef PAGE_GC_PICK_H
#define PAGE_GC_PICK_H

#include "base/vec.h"
#include "model/gcs.h"

struct gc_pick {
	VEC(uint32_t) list; /* indices, rising */
	size_t run;         /* one of so many in a row; 1: all */
};

/* At most `max` (at least 1) of them. *p is overwritten. 0 or ERR_NOMEM (then nothing is held). */
int gc_pick_find(struct gc_pick *p, const struct gcs *g, size_t max);
void gc_pick_release(struct gc_pick *p);

#endif
