/* The objects of a trace that are alive at the point where a checker stands, with their clocks at
 * birth. */
#ifndef TRACE_LIVES_H
#define TRACE_LIVES_H

#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"

struct life_clocks {
	uint64_t time, alloc, young, full;
};

/* Zero is a valid, empty one. */
struct lives {
	struct map places;              /* object id to a place in clocks */
	VEC(struct life_clocks) clocks; /* places of the dead are used again */
	VEC(uint64_t) vacant;
};

void lives_release(struct lives *l);
/* 0; ERR_BUSY where the object is alive already; ERR_LIMIT where FOLLOWED_MAX are; ERR_NOMEM. */
int lives_begin(struct lives *l, uint64_t object, struct life_clocks birth);
/* 0 and the clocks at its birth; ERR_NOT_FOUND where it is not alive; ERR_NOMEM. */
int lives_end(struct lives *l, uint64_t object, struct life_clocks *birth);
static inline uint64_t lives_count(const struct lives *l)
{
	return l->places.count;
}

#endif
