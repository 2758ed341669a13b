/*
 * The accounts of collections on their way from the pause to the writer thread: written while the
 * program stands, without a lock or an allocation, and read some seconds later, when the names of
 * the places in them are known. One thread writes at a time, one reads.
 *
 * Bounded: where an account finds no room it is not written, and its births stay with their sites
 * until the next one (doc/trace-format.md, 8.1).
 */
#ifndef EXACT_ACCOUNTS_H
#define EXACT_ACCOUNTS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "hotspot/java_stack.h"

enum { ACCOUNTS_ROOM = 1024, ACCOUNT_CELLS = 1 << 20 }; /* powers of two */

enum account_what { ACCOUNT_BIRTHS, ACCOUNT_OUTSIDE, ACCOUNT_YOUNG, ACCOUNT_PROMOTED };

struct account_cell {
	uint32_t site;
	uint8_t what;     /* enum account_what */
	uint8_t survived; /* collections; of YOUNG and PROMOTED */
	uint64_t objects, bytes;
};

struct account_audit {
	uint64_t walked, seen, attributed, walked_bytes, seen_bytes; /* walked 0: none was made */
	uint64_t fillers, filler_bytes; /* not walked: they look like fillers of gaps */
};

/* Since births began, by all threads (walk_totals, exact/births.h). */
struct account_walks {
	uint64_t walks, refused, ends[STACK_ENDS];
};

struct account {
	uint64_t time; /* ns, clock_now */
	uint64_t young, full;
	uint64_t kind;  /* as in the trace; ACCOUNT_END: what came after the last collection */
	uint64_t flags; /* as in the trace */
	uint64_t births, birth_bytes, survivors, survivor_bytes, promoted, promoted_bytes;
	uint64_t unknown, unknown_bytes, failed, cost;
	uint64_t interval; /* of events: those before it belong to this account and earlier ones */
	uint64_t lost_intervals; /* of those before it, in all */
	struct account_audit audit;
	struct account_walks walks; /* until its births were taken */
	uint32_t first, cells;      /* positions, counted on beyond the room */
	uint32_t origin;            /* the position that stands at the room's begin */
};
enum { ACCOUNT_END = 255, ACCOUNT_WALKED = 1 };

struct accounts {
	struct account at[ACCOUNTS_ROOM];
	struct account_cell *cells;     /* [ACCOUNT_CELLS] */
	_Atomic uint32_t written, read; /* accounts, counted on */
	_Atomic uint32_t cells_written, cells_read;
	uint32_t begun;  /* the writer's own: cells of the account it is at */
	uint32_t origin; /* and where its positions begin */
};

/* 0 or ERR_NOMEM. */
int accounts_init(struct accounts *a);
void accounts_release(struct accounts *a);

/* Whether an account of so many cells finds room. */
bool accounts_room(const struct accounts *a, uint64_t cells);
/* Whether half of the room is taken: the reader is to be told, and not to wait for names any more.
 */
bool accounts_crowded(const struct accounts *a);
/* Adds a cell to the account that accounts_put will end. There is room. */
void accounts_cell(struct accounts *a, const struct account_cell *c);
/* The same of a count; nothing where it is 0. */
void accounts_count(struct accounts *a, uint32_t site, enum account_what what, unsigned survived,
	uint64_t objects, uint64_t bytes);
void accounts_put(struct accounts *a, const struct account *account);

/* The oldest account; NULL: there is none. It stays until accounts_done. */
const struct account *accounts_next(const struct accounts *a);
const struct account_cell *accounts_at(
	const struct accounts *a, const struct account *account, uint32_t i);
void accounts_done(struct accounts *a);

#endif
