/*
 * Whether the counts hold against the heap: what audits (eden_audit.h) have come to. The writer
 * thread's own.
 */
#ifndef EXACT_AUDITS_H
#define EXACT_AUDITS_H

#include <stdbool.h>
#include <stdint.h>

#include "exact/accounts.h"

struct audits {
	struct account_audit sum; /* since they are trusted; before: the last one */
	uint64_t count;           /* of audits in the sum */
	bool trusted;
	uint64_t distrusted; /* before that: audits that did not hold */
	uint64_t unaudited;  /* and collections that could not be audited, as full ones can't */
};

/* Whether one was made, and found in the heap what had been counted. Any thread. */
bool audits_hold(const struct account_audit *audit);
/*
 * Before they are trusted: after an attach the program's code comes to the probes bit by bit, as
 * it is compiled anew, and what is counted before an audit holds is nothing to go by. last: the
 * account is of what came after the last collection. Whether they are trusted from now on.
 */
bool audits_try(struct audits *a, const struct account_audit *audit, bool last);
/* Once they are. */
void audits_add(struct audits *a, const struct account_audit *audit);
/* Whether the engine has to go: audits are more than one in 1000 off, or none held, or could be
 * made, for too long. */
bool audits_off(const struct audits *a);

#endif
