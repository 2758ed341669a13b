/*
 * The accounts of the exact engine, as `mayfly check` verifies them: that what sites tell sums up
 * to what their collection tells, and that nothing outlives it that was not there before.
 */
#ifndef TRACE_EXACT_CHECK_H
#define TRACE_EXACT_CHECK_H

#include <stdbool.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/vec.h"
#include "trace/record.h"

enum { ACCOUNT_AGES = 16 }; /* of site_ages: 1, 2, … 16 or more collections survived */

struct site_account {
	uint64_t births;               /* in the young generation */
	uint64_t stands[ACCOUNT_AGES]; /* in the young generation, after the last collection */
	uint64_t lives[ACCOUNT_AGES], moves[ACCOUNT_AGES]; /* told for the next */
	bool open;                                         /* something of this stands or is told */
};

struct account_sums {
	uint64_t births, birth_bytes, survivors, survivor_bytes, promoted, promoted_bytes;
};

/* The records of a heap_count, so far. */
struct heap_sums {
	uint64_t young; /* that they name; 0: there are none */
	uint64_t known, known_bytes, unknown, unknown_bytes;
};

struct exact_check {
	VEC(struct site_account) sites; /* owned */
	VEC(uint32_t) open;             /* of them; owned */
	struct map index;               /* id of a site → 1 + where it is */
	struct account_sums sums;       /* of what was told since the last collection */
	struct heap_sums heap;
	uint64_t young; /* of that, 0 none … */
	uint64_t last;  /* … and of the last collection accounted for */
	/* The trace's begin was forgotten: of the first account some may be missing, and what stood
	 * before the second is not known. */
	bool torn, unseen, torn_heap;
};

void exact_check_release(struct exact_check *a);
/* The trace's begin was forgotten. */
void exact_check_forgotten(struct exact_check *a);
/*
 * Takes a record of the exact engine; others are none of its business. 0; ERR_FORMAT with a
 * sentence where it breaks a rule (it is taken all the same); ERR_NOMEM.
 */
int exact_check_take(struct exact_check *a, const struct record *r, struct diag *d);

#endif
