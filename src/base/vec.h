/*
 * A growing array of T: VEC(struct site) sites = {0}; vec_push(&sites, site).
 * Zero is a valid empty vector. Elements move when it grows: hold indices, not pointers.
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stddef.h>

#include "base/compiler.h"
#include "base/mem.h"

#define VEC(T)                                                                                     \
	struct {                                                                                   \
		T *at;                                                                             \
		size_t count, room;                                                                \
	}

/* Makes room for `more` further elements. 0 or ERR_NOMEM. */
#define vec_reserve(v, more)                                                                       \
	vec_room((void **)&(v)->at, &(v)->room, (v)->count, (more), sizeof(*(v)->at))

/* Appends one element. 0 or ERR_NOMEM. */
#define vec_push(v, element)                                                                       \
	(vec_reserve((v), 1) ? ERR_NOMEM : ((v)->at[(v)->count++] = (element), ERR_NONE))

/* The same for no more than these: of many vectors that stay as they are. 0 or ERR_NOMEM. */
#define vec_reserve_only(v, more)                                                                  \
	vec_room_only((void **)&(v)->at, &(v)->room, (v)->count, (more), sizeof(*(v)->at))

/* Gives back what it has room for and doesn't hold. */
#define vec_fit(v) vec_shrink((void **)&(v)->at, &(v)->room, (v)->count, sizeof(*(v)->at))

/* Frees the array and leaves an empty vector. */
#define vec_release(v) (mem_free((v)->at), (v)->at = NULL, (v)->count = (v)->room = 0)

int vec_grow(void **at, size_t *room, size_t count, size_t more, size_t size) MF_MUST_USE;
int vec_room_only(void **at, size_t *room, size_t count, size_t more, size_t size) MF_MUST_USE;
void vec_shrink(void **at, size_t *room, size_t count, size_t size);

#include "base/error.h"

/* In line for what is nearly always so: there is room. */
static inline MF_MUST_USE int vec_room(
	void **at, size_t *room, size_t count, size_t more, size_t size)
{
	return *room - count >= more ? ERR_NONE : vec_grow(at, room, count, more, size);
}

#endif
