/* Which place of one group of runs is which of another: doc/metrics.md, "Matching of places". */
#ifndef ANALYZE_PAIRS_H
#define ANALYZE_PAIRS_H

#include "analyze/sides.h"

/* One place at least; NULL: the other side does not have it. Borrowed from the sides. */
struct pair {
	const struct place *a, *b;
};

struct pairs {
	VEC(struct pair) list; /* owned; by name, then by line */
};

/* Each place of both sides once; their names have the same numbers. *out is overwritten, to be
 * given to pairs_release in any case. 0 or ERR_NOMEM. */
int pairs_match(struct pairs *out, const struct side *a, const struct side *b);
void pairs_release(struct pairs *p);

#endif
