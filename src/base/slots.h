/*
 * Finds the numbers of things by what they hold: open addressing, linear probing, at most 3/4 full.
 * The things are their owner's, who tells their hashes and compares them; numbers are from 1.
 * Nothing is taken out. Not thread-safe. To look one up:
 *
 *     size_t i = slots_home(s, hash);
 *     while (s->at[i] && !same(thing, s->at[i]))
 *             i = slots_next(s, i);
 */
#ifndef BASE_SLOTS_H
#define BASE_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct slots {
	uint32_t *at; /* numbers, 0: empty; owned */
	size_t room;  /* a power of two; 0: there are none, and nothing can be looked up */
};

void slots_release(struct slots *s);
/* Whether slots_grow must come before one more is put to those `count` that are there. */
bool slots_tight(const struct slots *s, size_t count);
/* Twice as many, all of them empty: everything is to be put again. 0 or ERR_NOMEM (then unchanged).
 */
int slots_grow(struct slots *s);
void slots_put(struct slots *s, uint64_t hash, uint32_t number);

static inline size_t slots_home(const struct slots *s, uint64_t hash)
{
	return (size_t)hash & (s->room - 1);
}

static inline size_t slots_next(const struct slots *s, size_t i)
{
	return (i + 1) & (s->room - 1);
}

#endif
