/*
 * A thread's slots, one for each place and class of which it made objects lately: sets of two.
 * Where more places are at work than there is room for, they crowd each other out, which costs a
 * lock and some hundred instructions each time: then there are four times as many sets, once.
 */
#ifndef EXACT_BIRTH_SLOTS_H
#define EXACT_BIRTH_SLOTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BIRTH_SETS = 512, BIRTH_WIDE_SETS = 2048, BIRTH_WAYS = 2 };
/* Slots that had to go, before there are more: some milliseconds' work. */
enum { BIRTH_CROWDED = 32768 };

/* Counts are written by the thread alone; others read and clear them while the program stands. */
struct birth_slot {
	uint64_t tag;          /* of the place and the class; 0: it is never met */
	uint32_t unused;       /* what is asked for often is where entry.S has it */
	_Atomic uint32_t site; /* number and shape (shape.h); 0: an empty slot. By the lock */
	uint64_t objects, bytes;
};

typedef struct birth_slot birth_set[BIRTH_WAYS]; /* the later first; a cache line */

struct birth_wide {
	birth_set sets[BIRTH_WIDE_SETS];
	uint16_t used[BIRTH_WIDE_SETS];
};

/* Which of its tables a thread uses. Changed by the thread; others look while the program stands,
 * or with the lock of births. */
struct birth_slots {
	birth_set *sets;
	uint32_t mask;    /* (their number - 1) times the bytes of one */
	uint32_t crowded; /* slots that had to go */
	uint16_t *used;   /* sets in use, in the order of their coming */
	_Atomic uint32_t used_count;
};

/*
 * key: the probe's return address, or what stands for it; klass: its number. Return addresses lie
 * within 4 GiB: those that differ do so in their lower half, where the class is not. So do the keys
 * of two bytecodes of one method (method_key.h: less than 4 GiB times an odd number). Of two
 * methods, or of one and a return address, the keys would need the same lower half, and classes
 * that differ as their upper halves do: as if by chance, for each pair 2^-64. 20 000 places
 * are 2.0e8 pairs: with 1.1e-11 any two of them are one slot, and a thread's births of the one
 * count for the other as long as that is in use. entry.S does the same.
 */
static inline uint64_t birth_tag(uint64_t key, uint32_t klass)
{
	return key ^ (uint64_t)klass << 32;
}

/* Bits of the product from 32 on, as far as there are sets: place and class reach these, and a set
 * of the narrow table is divided among four of the wide one. */
static inline uint32_t birth_slots_at(const struct birth_slots *s, uint64_t tag)
{
	uint64_t product = tag * (uint64_t)-INT64_C(0x61c8864f);
	return ((uint32_t)(product >> 26) & s->mask) / (uint32_t)sizeof(birth_set);
}

/* NULL: it is not there. */
static inline struct birth_slot *birth_slots_find(
	struct birth_slots *s, uint64_t key, uint32_t klass)
{
	uint64_t tag = birth_tag(key, klass);
	struct birth_slot *set = s->sets[birth_slots_at(s, tag)];
	for (int i = 0; i < BIRTH_WAYS; i++)
		if (set[i].tag == tag)
			return &set[i];
	return NULL;
}

/* Empty tables of so many sets, a power of two up to BIRTH_WIDE_SETS. */
void birth_slots_use(struct birth_slots *s, birth_set *sets, uint16_t *used, uint32_t count);
/* A set has its first slot. */
void birth_slots_began(struct birth_slots *s, uint32_t set);
bool birth_slots_wide(const struct birth_slots *s);
/* From the narrow table to an empty wide one. Slots that are never met are left behind: they hold
 * no counts. */
void birth_slots_widen(struct birth_slots *s, struct birth_wide *to);

#endif
