/*
 * The samples of one account, scaled so that all accounts of a leaf sum up to what was counted
 * there. doc/metrics.md, "Exact totals".
 */
#ifndef ANALYZE_LEAF_SCALE_H
#define ANALYZE_LEAF_SCALE_H

#include "analyze/leaf.h"

/* t: of an account of the leaf, as it was sampled; its `born` is left as it was. lead: it takes
 * all where the leaf has no samples. To be called once for each account. */
void leaf_scale(const struct leaf *leaf, bool lead, struct tally *t);

/*
 * What a leaf's parts allocate is known better where it is told in strata, each of which was
 * counted: what its first collection found dead, what outlived it, and what met none.
 */
enum { STRATUM_INFANT, STRATUM_OUTLIVED, STRATUM_UNMET, LEAF_STRATA };

/* So many of `of`: 3; 2 where samples are too few to tell the others from UNMET, which is then both
 * of them; 1 where not each sample's and each birth's first collection is known: all is UNMET. */
int leaf_strata(const struct leaf *leaf);
/* What those of the whole leaf are to become. */
void strata_aims(const struct leaf *leaf, int count, struct quantity aims[LEAF_STRATA]);

#endif
