/*
 * The audit: what the program had allocated in the young generation when a pause began, walked,
 * against the births that were counted since the last one. That is eden, but for what a full
 * collection of Serial or Parallel has left there, and in Serial the end of the survivor space,
 * which is allocated in where a collection has to wait for native code that holds on to arrays
 * (GCLocker). An evacuation leaves eden's memory as it was, so it can be walked at the pause's end,
 * region by region, with a crew (crew.h). That makes the pause longer, so it is made once at the
 * begin, and then as seldom as its price asks for; and not at all where it would take too long,
 * unless somebody asked for it.
 */
#ifndef EXACT_EDEN_AUDIT_H
#define EXACT_EDEN_AUDIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "exact/accounts.h"
#include "exact/births.h"
#include "exact/crew.h"
#include "exact/heap_count.h"

enum { EDEN_AUDIT_SPACES = 4 }; /* of Serial and Parallel */

struct eden_audit {
	_Atomic bool all;     /* each collection, whatever it costs */
	_Atomic bool wanted;  /* one, as soon as it can be made, whatever it costs */
	uint64_t count, last; /* how many were made; when the last was, ns */
	uint64_t passed;      /* how many pauses it would have made too long */
	struct crew *crew;    /* borrowed; NULL: nobody helps */
	bool spaces;          /* Serial and Parallel: */
	uintptr_t survived[EDEN_AUDIT_SPACES]; /* where what outlived the last collection ends */
	bool unsure;                           /* of eden's that is not known */
	/* While it is on: */
	const struct heap_sight *sight;
	_Atomic size_t next;                       /* region */
	_Atomic bool torn;                         /* not all could be walked */
	struct account_audit walked[1 + CREW_MAX]; /* by worker */
};

/* Whether it is time for one, of about so many objects. now: ns. */
bool eden_audit_due(struct eden_audit *e, uint64_t objects, uint64_t now);
/* As the recording begins. */
void eden_audit_begin(
	struct eden_audit *e, const struct heap_layout *h, const struct heap_regions *now);
/* At the end of each collection, behind its audit. */
void eden_audit_next(struct eden_audit *e, const struct heap_sight *s);
/* At a pause's end: both sums; nothing is said, and none was made, where not all of eden was
 * evacuated, not all of it can be read, or nobody knows where its births begin. */
void eden_audit_make(struct eden_audit *e, const struct heap_sight *s,
	const struct birth_sum *births, uint64_t now, struct account_audit *out);

#endif
