/*
 * Who allocated what is alive, as the exact engine counted it at one collection
 * (model/heap_counts.h): rows by site, class, method or package. doc/metrics.md, "The heap,
 * counted".
 */
#ifndef ANALYZE_HOLDINGS_H
#define ANALYZE_HOLDINGS_H

#include "analyze/lifetime.h"

struct holdings_row {
	char *label;    /* owned */
	uint32_t site;  /* one of its sites: index; 0: it has none */
	uint32_t class; /* of BY_SITE and BY_CLASS: index; 0 unknown, or several */
	bool rest;      /* all that has no site; but of BY_CLASS, where it is part of the rows */
	struct quantity all;
	struct quantity young[COUNTS_AGES], old; /* parts of `all`: of what has a site */
	struct quantity unknown;                 /* the other part: what has none */
};

struct holdings {
	const struct model *model; /* borrowed */
	enum by by;
	VEC(struct holdings_row) rows; /* most bytes first */
	struct quantity all;           /* whatever the filter */
	size_t hidden;                 /* rows that are too small or over the limit */
	bool limited;
	struct quantity hidden_sum;
};

/* Of the query, `by` (not BY_THREAD), `least`, `limit` and `where` count. *out is overwritten, to
 * be given to holdings_release. 0 or ERR_NOMEM. */
int holdings_find(struct holdings *out, const struct model *m, const struct query *q);
void holdings_release(struct holdings *s);

/* The collection that was counted at, as its `gc` record tells; NULL: it is not in the trace. */
const struct gc *holdings_gc(const struct model *m);

#endif
