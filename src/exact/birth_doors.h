/*
 * Doors: a shorter way through the probe for the places in compiled code that make most objects.
 * Each of them gets an entry of its own (doors.S), which knows place and class beforehand: nothing
 * is looked up, and the count is one word of an array that the thread has to itself. Whatever is
 * not as the door expects it (another class, a mark that is taken, a thread without a block) goes
 * the ordinary way (births_entry_rsi), as if the place had called that.
 *
 * The hottest places get one in the pause (door_wishes.h): the call of the VM's function, of which
 * the return address is the place's key, is led to the door (hotspot/probe_call.h). The door is
 * that one call's until another place is much hotter and none is left: then the call is led back to
 * the VM's function, and the door is another's. Where code goes and other code takes its memory,
 * that calls the VM's function again, and the door is called by nobody.
 *
 * A door is open only while births are counted and nothing else, and while its site lives and its
 * objects do not jump: else its word is 0, which no class is, and all go the ordinary way. Only for
 * sites in marks, so not with compact headers.
 *
 * Given and taken while the program stands; shut by any thread at any time, without a lock: what
 * opens a door looks behind itself whether it should have (birth_doors_give).
 */
#ifndef EXACT_BIRTH_DOORS_H
#define EXACT_BIRTH_DOORS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "exact/door_wishes.h"
#include "exact/site_table.h"

enum {
	BIRTH_DOORS_PLAIN = 384, /* for instances, and behind them for arrays: */
	BIRTH_DOORS_ARRAY = 128,
	BIRTH_DOORS = BIRTH_DOORS_PLAIN + BIRTH_DOORS_ARRAY,
	BIRTH_DOOR_BYTES = 16,     /* of code */
	BIRTH_DOORS_AT_ONCE = 128, /* in one pause: some hundred microseconds */
	BIRTH_DOOR_COLDER = 2,     /* who gives way to another is so many times as cold */
};

/* What the doors know; doors.S has the offsets. */
struct birth_door_words {
	/* A site's number in the place where the mark has it, and the class below; 0: shut. */
	_Atomic uint64_t open[BIRTH_DOORS];
	/* Of an array: log2 of an element's size, and the header and what rounds up from bit 8 on.
	 */
	_Atomic uint64_t shape[BIRTH_DOORS];
};

/* What came through, by one thread; as birth_slot's counts. In pages of its own. */
struct birth_door_counts {
	_Alignas(4096) uint64_t objects[BIRTH_DOORS];
	uint64_t bytes[BIRTH_DOORS]; /* of arrays */
};

enum { BIRTH_PROBES = 3 };

/* What doors need to know of the VM; none are given where `code` is NULL. */
struct birth_door_oracle {
	void *arg;
	/* Where the compiled Java code begins that has the address, not the VM's call of a native
	 * method; 0: it is in none. */
	uintptr_t (*code)(void *arg, uintptr_t pc);
	uintptr_t probes[BIRTH_PROBES]; /* functions that jump to births_entry_rsi; 0: no more */
	bool wide; /* or to births_entry_wide_rsi: classes are not compressed */
};

struct birth_door {
	uintptr_t pc;       /* the return address of its call; 0: it is nobody's */
	uintptr_t function; /* of the VM, that the call would go to without it */
	uint32_t site;      /* 0: none in this recording */
	uint64_t births;    /* through it since the last pause, of all threads */
	uint64_t heat;      /* half of those of the pause before, and so on */
};

struct birth_doors {
	struct birth_door_oracle oracle;
	struct birth_door at[BIRTH_DOORS];
	_Atomic uint32_t plain, arrays; /* behind the last of each kind that was ever given */
	struct door_wishes wishes;      /* filled as counts are taken */
	uint32_t open;                  /* how often one was given in this recording */
	uint32_t refused; /* of places that were hot and could not have one, in this recording */
};

/* Nobody has a site any more, and all are shut; given doors are their calls' own still. */
void birth_doors_clear(struct birth_doors *d);
/* All are shut, for the rest of the recording. Any thread. */
void birth_doors_shut(struct birth_doors *d);
/* That one: exact_site.door. Any thread. */
void birth_door_shut(uint16_t door);
bool birth_door_is_open(uint32_t door);
/* For the site's objects; only its own call leads there. */
void birth_door_open(uint32_t door, uint32_t id, const struct exact_site *s);
/* Whether the site could have one, and has none. */
bool birth_door_suits(const struct exact_site *s);
/* The site's objects in one thread since the last pause, or of slots that had to go, that did not
 * come through a door. */
void birth_doors_saw(
	struct birth_doors *d, uint32_t id, const struct exact_site *s, uint64_t objects);
/* Doors for the hottest (birth_doors_give.c), while the program stands and no count is behind a
 * door. state: whether they may be open, looked at again afterwards. */
void birth_doors_give(struct birth_doors *d, struct site_table *sites, const _Atomic uint8_t *state,
	uint8_t counted);

/* For doors.S, and for tests. */
extern struct birth_door_words births_doors;
extern const char births_door_code[], births_door_code_wide[];
/* In the middle of nowhere, so that a door's word leads to its count; 0: this thread has none. */
extern _Thread_local uintptr_t births_doors_here;
/* Of that thread; NULL: none. */
void birth_doors_use(struct birth_door_counts *c);

typedef void birth_door_visit(
	void *arg, uint32_t site, bool array, uint64_t objects, uint64_t bytes);
/* All that the thread's counts have. */
void birth_doors_take(
	struct birth_doors *d, struct birth_door_counts *c, birth_door_visit *visit, void *arg);

#endif
