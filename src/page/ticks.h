/* The VM's own figures, about once a second. Over `max` of them every second one is left out. */
#ifndef PAGE_TICKS_H
#define PAGE_TICKS_H

#include "base/vec.h"
#include "trace/record.h"

struct tick {
	uint64_t time, alloc;     /* ns, bytes */
	uint64_t used, committed; /* bytes of heap */
};

struct ticks {
	size_t max; /* at least 2; set before the first comes */
	VEC(struct tick) list;
	uint64_t seen, step; /* each step-th is kept; 0 is read as 1 */
};

void ticks_release(struct ticks *t);
/* 0 or ERR_NOMEM. */
int ticks_add(struct ticks *t, const struct record_tick *r);

#endif
