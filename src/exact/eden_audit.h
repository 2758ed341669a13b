/*
 * The audit: what stood in eden when a pause began, walked, against the births that were counted
 * since the last one. An evacuation leaves eden's memory as it was, so it can be walked at the
 * pause's end. That costs, so it is not made in each pause.
 */
#ifndef EXACT_EDEN_AUDIT_H
#define EXACT_EDEN_AUDIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "exact/accounts.h"
#include "exact/births.h"
#include "exact/heap_count.h"

struct eden_audit {
	_Atomic bool all;     /* each collection, whatever it costs */
	uint64_t count, last; /* how many were made; when the last was, ns */
};

/* Whether it is time for one, of about so many objects. now: ns. */
bool eden_audit_due(const struct eden_audit *e, uint64_t objects, uint64_t now);
/* At a pause's end: both sums; nothing is said, and none was made, where not all of eden was
 * evacuated or not all of it can be read. */
void eden_audit_make(struct eden_audit *e, const struct heap_sight *s,
	const struct birth_sum *births, uint64_t now, struct account_audit *out);

#endif
