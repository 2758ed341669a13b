/*
 * What became of the tracked objects of one site (class, thread, …), by age: the collections an
 * object survived. A death at age a was found by collection a + 1 of its life; an object lost
 * from sight at age a (still alive at the end, evicted, detached) survived at least a.
 *
 * Sparse and bounded: a row per age that occurs, exact below AGES_EXACT, above rounded down to
 * bins of at most 12.5 %: at most some 350 rows. Zero is a valid empty accumulator. Mergeable:
 * the merge of two is what adding all to one would have given. Not thread-safe.
 */
#ifndef STAT_AGES_H
#define STAT_AGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"
#include "stat/mass.h"

enum { AGES_EXACT = 128 };

enum fate {
	FATE_DIED,
	FATE_LOST, /* right-censored: alive at the end or no longer followed */
};

struct ages_row {
	uint32_t age;
	struct mass died, lost;
	struct mass entered; /* first seen at this age; at age 0 not recorded, for it is the rest */
};

struct ages {
	VEC(struct ages_row) rows; /* owned; by rising age */
	struct mass all;           /* every object added */
	/* The greatest sampling error of one object, size sqrt(w (w - 1)): how much may have been
	 * missed. 0: every object stands for itself alone, and this is a census. */
	double heaviest;
};

/*
 * One object with its weight. `entry` is the age at which it came into sight (0: at its birth).
 * 0, ERR_NOMEM, or ERR_USAGE (age < entry, a weight below 1 or not finite); on error unchanged.
 */
int ages_add(struct ages *a, enum fate fate, uint32_t entry, uint32_t age, double weight);
/* The same, counted once for each of its bytes (at least one): size weight, at most 2^52. */
int ages_add_bytes(
	struct ages *a, enum fate fate, uint32_t entry, uint32_t age, uint64_t size, double weight);
/* 0 or ERR_NOMEM (then unchanged). */
int ages_merge(struct ages *a, const struct ages *more);
/* What was seen after `age` collections is taken as not seen: who got there is lost from sight
 * there. */
void ages_cut(struct ages *a, uint32_t age);
/* Of all those that no collection was seen to look at: lost from sight at age 0. */
struct mass ages_unmet(const struct ages *a);
/* Forgets the objects, keeps the memory. */
void ages_clear(struct ages *a);
void ages_release(struct ages *a);
/* The age under which `age` is kept: itself or the lower end of its bin. */
uint32_t ages_round(uint32_t age);

#endif
