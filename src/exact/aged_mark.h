/*
 * What an object's mark tells of its life: the site that made it, the age that the VM has counted,
 * and whether it was seen in the old generation (birth_mark.h has the bits). All but the last three
 * are sums: who calls them writes the mark, with the world stopped.
 */
#ifndef EXACT_AGED_MARK_H
#define EXACT_AGED_MARK_H

#include <stdbool.h>
#include <stdint.h>

#include "exact/birth_mark.h"
#include "hotspot/objects.h"

enum { AGE_ONE = 1 << 3 };

static inline uint32_t aged_site(uint64_t mark)
{
	return (uint32_t)(mark >> SITE_SHIFT);
}

/* Without its site. */
static inline uint64_t aged_bare(uint64_t mark)
{
	return mark & ((1ull << SITE_SHIFT) - 1);
}

/* One that jumped over its ages is like any other of age 0: it has served, and is not to be taken
 * for one that has grown so old. */
static inline uint64_t aged_landed(uint64_t mark)
{
	return birth_jumped(mark) ? mark & ~(uint64_t)BIRTH_JUMPED : mark;
}

static inline uint32_t aged_of(uint64_t mark)
{
	return (uint32_t)(aged_landed(mark) & BIRTH_AGES) / AGE_ONE;
}

/* The greatest there is stays. */
static inline uint64_t aged_on(uint64_t mark)
{
	return (mark & BIRTH_AGES) == BIRTH_AGES ? mark : mark + AGE_ONE;
}

/* Through a full collection one more than the greatest is told by 0. */
static inline uint64_t aged_full(uint64_t mark)
{
	return (mark & BIRTH_AGES) == BIRTH_AGES ? mark & ~(uint64_t)BIRTH_AGES : mark + AGE_ONE;
}

/* Undoes aged_on, and aged_full. */
static inline uint64_t aged_back(uint64_t mark)
{
	return mark & BIRTH_AGES ? mark - AGE_ONE : mark | BIRTH_AGES;
}

/* Where the mark of an object is that is in its place or with its lock; NULL: nowhere. */
static inline uint64_t *aged_home(const struct vm_objects *o, uintptr_t address)
{
	return (uint64_t *)mark_home(o, address);
}

/* Where its age is; its site is not to be looked for there. */
static inline uint64_t *aged_age(const struct vm_objects *o, uintptr_t address)
{
	return (uint64_t *)mark_age_home(o, address);
}

/* As aged_home, for where nearly all are in place. */
static inline uint64_t *aged_mark(const struct vm_objects *o, uintptr_t address)
{
	return (object_mark(address) & 7) == MARK_UNLOCKED ? (uint64_t *)address
							   : aged_home(o, address);
}

/* Whether the object was seen in the old generation before: then it was moved within it. From now
 * on it has been, and its age goes. */
static inline bool aged_see_old(uint64_t *mark)
{
	if (!mark || birth_seen_old(*mark))
		return mark;
	*mark = (*mark & ~(uint64_t)BIRTH_AGES) | BIRTH_SEEN_OLD;
	return false;
}

#endif
