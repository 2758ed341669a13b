/*
 * The header of a new object: what it says, and what goes into its mark: the site's number in bits
 * 42 to 63, which no collector uses without compact headers, and of an object that is to jump over
 * its ages BIRTH_JUMPED. entry.S does the same for itself.
 */
#ifndef EXACT_BIRTH_MARK_H
#define EXACT_BIRTH_MARK_H

#include <stdbool.h>
#include <stdint.h>

enum { BIRTHS_KLASS_SHIFT = 42 }; /* of a class in a compact header; entry.S has it too */

/*
 * In the mark. The VM has the age in bits 3 to 6, and no use for bit 7. Who is born as old as can
 * be is promoted by the first collection, and must be told from one that has grown so old: it has
 * both. So what was seen in the old generation, where ages mean nothing, is left with a lesser age.
 */
enum {
	BIRTH_AGES = 15 << 3,
	BIRTH_SEEN_OLD = 1 << 7, /* it has been counted in the old generation */
	BIRTH_JUMPED = BIRTH_SEEN_OLD | BIRTH_AGES,
};

static inline bool birth_jumped(uint64_t mark)
{
	return (mark & BIRTH_JUMPED) == BIRTH_JUMPED;
}

static inline bool birth_seen_old(uint64_t mark)
{
	return (mark & BIRTH_SEEN_OLD) && !birth_jumped(mark);
}

/* The VM's headers: with a narrow class behind the mark; with the class in the mark, which is left
 * alone then; with a class's whole address. */
enum birth_header { BIRTH_HEADER_NARROW, BIRTH_HEADER_COMPACT, BIRTH_HEADER_WIDE, BIRTH_HEADERS };

/* Before the first birth; BIRTH_HEADER_NARROW without it. */
void birth_mark_of(enum birth_header header);

/* Bytes at whose multiples objects begin, and the bits of their addresses that are left: for all
 * that computes an array's bytes, entry.S and doors.S too. */
struct birth_align {
	uint64_t bytes;
	uint64_t mask;
};
extern struct birth_align births_align;
/* Before the first birth; 8 without it. A power of two. */
void birth_align_to(uint32_t bytes);

/* Of an object in the VM: its class's number (hotspot/objects.h), and an array's elements. */
uint32_t birth_klass(uintptr_t object);
uint32_t birth_length(uintptr_t object);

/* word: of a slot (shape.h). */
void birth_stamp(uintptr_t object, uint32_t word);
/* It stands in the old generation from the beginning: nobody is to see it being promoted, and it
 * has no age to jump over. */
void birth_stamp_outside(uintptr_t object, uint32_t word);

/* Of one that the program may have already, whose mark may have been made anew since: the site
 * comes to where there is none, beside a hash or BIRTH_JUMPED, but into no lock. false: it is
 * locked, or was at that moment, and may be asked for again. */
bool birth_stamp_again(uintptr_t object, uint32_t word);

#endif
