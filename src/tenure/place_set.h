/* Some places with their callers: those in force, those refused, those that were said. */
#ifndef TENURE_PLACE_SET_H
#define TENURE_PLACE_SET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/vec.h"
#include "tenure/place.h"

struct place_set {
	VEC(struct place_context) list; /* owned */
};

void place_set_release(struct place_set *s);
/* 0, or ERR_NOMEM; twice where it is there already. */
int place_set_add(struct place_set *s, const struct place_context *at);
bool place_set_has(const struct place_set *s, const struct place_context *at);
/* Whether it has the place, or some of its nearest callers, or none of them: all that is called
 * from there is meant then. */
bool place_set_covers(const struct place_set *s, const struct place_context *at);
/* The last one takes the place of the i-th. */
void place_set_drop(struct place_set *s, size_t i);
/* However often it is there. */
void place_set_remove(struct place_set *s, const struct place_context *at);

#endif
