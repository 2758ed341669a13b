/*
 * A table of distinct byte strings, numbered 1, 2, 3 … in the order of their coming.
 * Strings are kept in chunks that never move; a slice from it lives as long as the table.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <stdint.h>

#include "base/slice.h"
#include "base/vec.h"

struct intern {
	VEC(struct slice) strings; /* string n is strings.at[n - 1] */
	VEC(uint8_t *) chunks;     /* owned */
	size_t chunk_used, chunk_room;
	uint32_t *slots; /* open addressing: string number, 0 = empty; owned */
	size_t slot_room;
	uint64_t seed;  /* of the slots: nobody can make strings that all fall into one */
	uint64_t bytes; /* held by strings, for bounds */
};

void intern_release(struct intern *t);
/* The number of the string, or 0 where it is not there. */
uint32_t intern_find(const struct intern *t, struct slice s);
/* Makes sure that adding one string of that length will not fail. 0 or ERR_NOMEM. */
int intern_reserve(struct intern *t, size_t len);
/* The number, adding the string if it is new (*added says so; may be NULL). 0: out of memory. */
uint32_t intern_add(struct intern *t, struct slice s, int *added);
/* String n; empty for 0 and for numbers never given. */
struct slice intern_get(const struct intern *t, uint32_t n);

#endif
