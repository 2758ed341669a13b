/* Collapsed stacks, a line each: "root;…;leaf;class bytes", for flame graph tools. */
#ifndef REPORT_COLLAPSED_H
#define REPORT_COLLAPSED_H

#include "analyze/ledger.h"
#include "analyze/metric.h"
#include "analyze/where.h"
#include "base/buf.h"

/* Appends a line for each stack and class with at least a byte, in the order of their names. 0 or
 * ERR_NOMEM. */
int collapsed_put(struct buf *out, const struct model *m, const struct ledger *l,
	const struct where *w, enum metric metric);

#endif
