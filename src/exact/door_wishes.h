/*
 * Which places of compiled code want a door (birth_doors.h), by how many objects they made since
 * the last pause: the hottest come first, and no more than there is use for.
 *
 * A door is code and counts of its own, so it is of use only to a place that a processor comes
 * through often enough to keep them at hand, and led calls have their price: one that makes one of
 * DOOR_WISH_SHARE objects. That there are not too many of these is the number of doors' business.
 *
 * A small table, by the site's number. Of two that meet in it the hotter one stays; the other comes
 * in a later pause, when that one has its door. By one thread at a time; allocates nothing.
 */
#ifndef EXACT_DOOR_WISHES_H
#define EXACT_DOOR_WISHES_H

#include <stdint.h>

enum {
	DOOR_WISH_LEAST = 1024, /* objects that it makes at least, */
	DOOR_WISH_SHARE = 4096, /* and one of so many of all places */
	DOOR_WISHES = 512,      /* a power of two; as many as there are doors */
};

struct door_wish {
	uint32_t site; /* 0: nobody */
	uint64_t objects;
};

struct door_wishes {
	struct door_wish at[DOOR_WISHES];
	uint64_t births; /* of all places, whether they want one or not */
};

void door_wishes_clear(struct door_wishes *w);
/* The site's objects of one thread; it may come once for each. */
void door_wishes_add(struct door_wishes *w, uint32_t site, uint64_t objects);
/* The hottest ones, in order, and clears. How many there are, up to `most`. */
uint32_t door_wishes_take(struct door_wishes *w, struct door_wish *out, uint32_t most);

#endif
