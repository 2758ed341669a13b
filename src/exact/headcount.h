/*
 * Who outlived a young or mixed collection, counted region by region by the pause's own thread and
 * a crew (crew.h), each into a census of its own. Few regions are not worth waking anybody for.
 * What is counted does not hang on how many there are: no object is in two regions.
 *
 * Runs while the program stands, and allocates nothing.
 */
#ifndef EXACT_HEADCOUNT_H
#define EXACT_HEADCOUNT_H

#include <stdatomic.h>

#include "base/compiler.h"
#include "exact/crew.h"
#include "exact/survivors.h"

struct headcount {
	struct crew *crew;             /* borrowed */
	struct census *helps;          /* [count]: what each of the crew counts; owned */
	uint32_t count;                /* of the crew as it was started */
	const struct survivors *sight; /* while it is on */
	_Atomic size_t next;           /* region */
	_Atomic int err;
};

/* The crew has been started. 0 or ERR_NOMEM. */
int headcount_init(struct headcount *h, struct crew *crew) MF_MUST_USE;
void headcount_release(struct headcount *h);
/* All regions, into the census of `sight`. 0, or ERR_CORRUPT: not all could be read. */
int headcount_take(struct headcount *h, const struct survivors *sight);

#endif
