/*
 * An account of the exact engine (exact/accounts.h) as records of the trace: births and ages site
 * by site, the audit, and the collection itself, which ends it there.
 */
#ifndef AGENT_ACCOUNT_OUT_H
#define AGENT_ACCOUNT_OUT_H

#include <stdbool.h>
#include <stdint.h>

#include "exact/accounts.h"
#include "trace/record.h"

struct account_out {
	void *arg;
	/* The site's number in the trace, and whether its place is known. */
	uint32_t (*site)(void *arg, uint32_t site, bool *known);
	void (*put)(void *arg, const struct record *record);
	uint64_t attributed; /* of the account that was written last: objects of known places */
};

/* Births, ages and, where there was one, the audit. */
void account_out_sites(struct account_out *o, const struct accounts *all, const struct account *a);
/* The collection; start: ns, of the trace's times. */
void account_out_gc(const struct account_out *o, const struct account *a, uint64_t start);

#endif
