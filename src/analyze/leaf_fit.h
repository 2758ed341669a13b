/*
 * Holds what is told of a part of a leaf to what it can be: each number is scaled to the leaf's by
 * itself, and of few samples a part may have more of one than it has of all. doc/metrics.md, "Exact
 * totals".
 */
#ifndef ANALYZE_LEAF_FIT_H
#define ANALYZE_LEAF_FIT_H

#include "analyze/ledger.h"

/* Of scaled accounts: died, alive and let go are what was allocated (what one has above, others of
 * its leaf take); what outlived a collection is no less than what of it died later, and no more
 * than what the first did not find dead; what one has above others of its leaf take, or else of its
 * group. Sums stay. 0 or ERR_NOMEM. */
int leaves_fit(struct ledger *l);

#endif
