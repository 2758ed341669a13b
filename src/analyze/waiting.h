/*
 * Lives that wait to be added to their accounts. Deaths come by the thousand, of objects of all
 * sites mixed, and an account's sums and curves are spread over memory: added at once, nearly each
 * would have to be fetched for one life. So they are gathered, and added account by account.
 */
#ifndef ANALYZE_WAITING_H
#define ANALYZE_WAITING_H

#include <stddef.h>
#include <stdint.h>

#include "analyze/tally.h"

enum { WAITING_MAX = 32768 }; /* 3.5 MB, and eight for each of 4000 accounts */

struct waiting_life {
	struct lived lived;
	uint32_t account;
};

/* Zero is a valid empty one. */
struct waiting {
	VEC(struct waiting_life) lives; /* at most WAITING_MAX, as they came */
};

void waiting_release(struct waiting *w);
/*
 * The places in `lives` by rising account (all below `accounts`), those of one account as they
 * came; the caller frees them with mem_free. NULL: out of memory.
 */
uint32_t *waiting_order(const struct waiting *w, size_t accounts);

#endif
