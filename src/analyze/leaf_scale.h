/*
 * The samples of one account, scaled so that all accounts of a leaf sum up to what was counted
 * there. doc/metrics.md, "Exact totals".
 */
#ifndef ANALYZE_LEAF_SCALE_H
#define ANALYZE_LEAF_SCALE_H

#include "analyze/leaf.h"

/* t: of an account of the leaf, as it was sampled; its `born` is left as it was. lead: it takes
 * what the samples of the leaf have nothing of. To be called once for each account. */
void leaf_scale(const struct leaf *leaf, bool lead, struct tally *t);

#endif
