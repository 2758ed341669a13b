/*
 * Which of a list's elements are used, and the numbers they get when the others are left out.
 * Their order stays; element 0, "unknown", is always used and stays 0.
 */
#ifndef PAGE_NUMBERING_H
#define PAGE_NUMBERING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct numbering {
	VEC(uint32_t) numbers; /* by index: 1 where it is used; once settled, its new number */
	VEC(uint32_t) used;    /* by new number: its index. Empty until settled */
};

/* For a list of `count` elements, none of them used. 0 or ERR_NOMEM (then nothing is held). */
int numbering_init(struct numbering *n, size_t count);
void numbering_release(struct numbering *n);
/* Says that it is used. Whether that is new; never for 0 or what is not in the list. */
bool numbering_mark(struct numbering *n, uint32_t index);
/* Gives the numbers out; to be called once. 0 or ERR_NOMEM. */
int numbering_settle(struct numbering *n);
/* The new number of an element; 0 where it is not used. */
static inline uint32_t numbering_get(const struct numbering *n, uint32_t index)
{
	return index < n->numbers.count ? n->numbers.at[index] : 0;
}

#endif
