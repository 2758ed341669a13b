/*
 * The heap by accounts (stock.h) as rows by site, class, method or package, beside what the samples
 * say. doc/metrics.md, "Heap by accounts".
 */
#ifndef ANALYZE_STOCK_ROWS_H
#define ANALYZE_STOCK_ROWS_H

#include "analyze/ledger.h"
#include "analyze/lifetime.h"
#include "analyze/stock.h"

/* An amount of objects and bytes with its limits; hi may be infinite. */
struct stock_amount {
	struct estimate objects, bytes;
};

struct stock_row {
	char *label;    /* owned */
	uint32_t site;  /* one of its sites: index */
	uint32_t class; /* of BY_SITE and BY_CLASS: index; 0: several */
	struct quantity young[COUNTS_AGES + 1], old, most;
	struct quantity counted; /* all of `young`, and `old` */
	struct total sampled;    /* what the samples alone say */
	struct stock_amount alive;
	bool sure; /* all that there may be is counted */
};

struct stock_rows {
	const struct model *model; /* borrowed */
	enum by by;
	VEC(struct stock_row) rows; /* most bytes first */
	struct stock_row all;       /* whatever the filter: without a label */
	size_t hidden;              /* rows that are too small or over the limit */
	bool limited;
	double hidden_bytes;
};

/* Whether the accounts tell of what is asked for: not of threads, callers and shapes. */
bool stock_rows_can(const struct query *q);
/* Of the query, `by`, `least`, `limit` and `where` count. `alive`: the samples (heap.h). *out is
 * overwritten, to be given to stock_rows_release. 0 or ERR_NOMEM. */
int stock_rows_find(struct stock_rows *out, const struct model *m, const struct stock *s,
	const struct ledger *alive, const struct query *q);
void stock_rows_release(struct stock_rows *r);

#endif
