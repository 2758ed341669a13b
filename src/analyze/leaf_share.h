/*
 * What is known of a part of a leaf, of which all was counted: its share, and the error of that.
 * doc/metrics.md, "Exact totals".
 */
#ifndef ANALYZE_LEAF_SHARE_H
#define ANALYZE_LEAF_SHARE_H

#include "analyze/leaf.h"

/* What a part of a leaf is the sum of; the others are part of `alloc`. */
struct part {
	struct total alloc, infant, outlived;
};

/* One more account of it, by its tally. */
void part_add(struct part *p, const struct tally *t);

/*
 * The error of what is allocated in a part of a leaf (`account` is one of it, `part` the sum of
 * them), whose whole is known, is that of its share: added to that of `out`. Gives the share that
 * the part has in what its group shares.
 */
struct amount leaves_share(
	const struct ledger *l, size_t account, const struct part *part, struct total *out);
/* The group of an account's leaf; 0: none. */
uint32_t leaves_group(const struct ledger *l, size_t account);
/* Adds the error of a share of what a group shares. */
void leaves_share_group(
	const struct ledger *l, uint32_t group, struct amount share, struct total *out);
/* What accounts of one site allocated, with the error that it has beside all others. */
struct total leaves_alloc(const struct ledger *l, const uint32_t *accounts, size_t count);

#endif
