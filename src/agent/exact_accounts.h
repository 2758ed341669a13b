/*
 * What the exact engine has counted becomes records: accounts, a moment late, so that their places
 * are known; before each the events of its intervals. For the writer thread.
 */
#ifndef AGENT_EXACT_ACCOUNTS_H
#define AGENT_EXACT_ACCOUNTS_H

#include "agent/exact.h"

/* In the file an account stands behind the events of its intervals, and before all later ones.
 * all: those too that are not due yet. Whether none is left. */
bool exact_accounts_write(struct exact *e, struct recorder *r, struct output *o, bool all);
/* The events of intervals before that one, and how many intervals were lost. */
void exact_accounts_events(
	struct exact *e, struct recorder *r, struct output *o, uint64_t interval);
/* What the last account, if it found no room, does not tell. */
void exact_accounts_lost(struct exact *e, struct recorder *r, struct output *o);

#endif
