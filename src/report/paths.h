/* Call paths on the screen: an indented tree. */
#ifndef REPORT_PATHS_H
#define REPORT_PATHS_H

#include "analyze/tree.h"
#include "report/view.h"

/*
 * Appends the tree with the nodes that hold at least the share `least` of the metric. A chain of
 * single children stays in one column, so that the indent tells branches only. 0 or ERR_NOMEM.
 */
int paths_put(struct buf *out, const struct view *v, const struct tree *t, enum metric metric,
	double least, bool upward);

/* Only the tree below a node of it, without heads and notes; shares are of the node's. */
int paths_put_below(struct buf *out, const struct view *v, const struct tree *t, uint32_t node,
	enum metric metric, double least);

#endif
