/*
 * Call paths as a tree: from the threads' entry points down to the allocated classes, or from
 * the classes up over their allocating lines to the callers. Frames of one class, method and
 * line are one node under one parent.
 */
#ifndef ANALYZE_TREE_H
#define ANALYZE_TREE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/ledger.h"
#include "analyze/metric.h"
#include "analyze/where.h"

struct tree_node {
	uint32_t parent, child, next; /* nodes; child: the first, next: its sibling; 0 none */
	uint32_t def;                 /* class or frame; 0 unknown */
	bool is_class;
	double bytes[METRIC_COUNT]; /* of all paths through here */
};

struct tree {
	VEC(struct tree_node) nodes; /* 0 is the root */
	struct map index;            /* parent and name → node */
};

/* *t is overwritten. upward: from classes to callers. 0 or ERR_NOMEM. Siblings end up with the most
 * of `metric` first. */
int tree_build(struct tree *t, const struct model *m, const struct ledger *l, const struct where *w,
	bool upward, enum metric metric);
void tree_release(struct tree *t);
/* The share of a node's bytes that died at their first collection, of those of which it is known;
 * NaN: of none. */
double tree_died_share(const struct tree_node *n);

#endif
