/*
 * Mixed places: what was counted at a line without a caller goes to the callers that were told, as
 * the samples do. doc/metrics.md, "Exact totals".
 */
#ifndef ANALYZE_DEAL_H
#define ANALYZE_DEAL_H

#include "analyze/leaf.h"

/* Deals out in each group what its own leaf has. 0 or ERR_NOMEM. */
int leaves_deal(struct leaves *leaves);

#endif
