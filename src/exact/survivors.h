/*
 * Who outlived a collection, at its end: the objects of the survivor regions, and what the old
 * generation has grown by, are counted in a census by their marks (aged_mark.h), and no others are
 * looked at. An object that was seen being promoted is marked, so that a mixed collection that
 * moves it within the old generation does not promote it twice.
 *
 * For headers with room for a site. All run while the program stands, and allocate nothing.
 */
#ifndef EXACT_SURVIVORS_H
#define EXACT_SURVIVORS_H

#include "exact/census.h"
#include "exact/follow.h"
#include "exact/remains.h"
#include "hotspot/heap_regions.h"
#include "hotspot/objects.h"
#include "hotspot/region_walk.h"

/* What is looked at, all borrowed. */
struct survivors {
	const struct region_walk *walk;
	const struct heap_regions *before, *after;
	enum heap_pause pause;
	struct census *census;
	struct follow *meets; /* is told of those that have outlived their first; NULL: nobody is */
	struct remains *remains; /* of those that a full one has left in the old generation; NULL */
	uint32_t worker;         /* of meets */
	size_t region;           /* that is looked at */
};

/* Whether there is anything to look at in a region, after a young or mixed collection. */
bool survivors_any(const struct survivors *s, size_t region);
/* Looks at it: regions may be shared out over threads, with a census each. 0: all of it could be
 * read, or ERR_CORRUPT. */
int survivors_look(struct survivors *s, size_t region);
/*
 * The same after a full one. stamped: it was caught (stamps.h), and all have been counted on;
 * else nobody is counted, and who still has a site loses it: its age means nothing.
 */
int survivors_look_full(struct survivors *s, size_t region, bool stamped);

#endif
