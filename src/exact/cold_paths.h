/*
 * Call paths that made nothing lately make room for others. There are PATHS_MAX at a time, and a
 * program's start, whose code is interpreted and then compiled twice, may take them all. Where
 * walks find no room, paths of which no account spoke for a while are retired, some at a time, as
 * where their code went: whoever comes that way again has another number, and in the trace the same
 * site.
 *
 * Only where numbers are given again (remains.h), which also knows who made something.
 */
#ifndef EXACT_COLD_PATHS_H
#define EXACT_COLD_PATHS_H

#include "exact/births.h"
#include "exact/remains.h"

enum {
	COLD_PATHS_AFTER = 4,  /* accounts that spoke of none of its objects, young ones included */
	COLD_PATHS_PERIOD = 2, /* accounts from one look to the next */
	COLD_PATHS_LOOK = 1 << 17,        /* numbers in one look: a millisecond; */
	COLD_PATHS_AT_ONCE = 1 << 13,     /* of which are retired: some ms, with threads' slots */
	COLD_PATHS_WAIT = SITES_SPAN / 4, /* retired ones whose objects are still there, at most */
};

struct cold_paths {
	uint64_t refused; /* walks without room up to the last look */
	uint32_t account; /* of the last look */
	uint32_t next;    /* number where the next one begins; 0: at the recording's first */
};

/* Behind the account of that number, while the program stands; allocates nothing. Returns how many
 * were retired. */
uint32_t cold_paths_retire(
	struct cold_paths *c, struct births *b, const struct remains *r, uint32_t account);

#endif
