/* The heap by the exact engine's accounts (analyze/stock.h), as it is to be shown. */
#ifndef REPORT_STOCK_VIEW_H
#define REPORT_STOCK_VIEW_H

#include "analyze/heap.h"
#include "analyze/stock_rows.h"
#include "report/view.h"

struct stock_view {
	struct view view; /* without lifetimes */
	const struct stock *stock;
	const struct stock_rows *rows;
	const struct heap_moment *moment;
};

/* Append all of it. 0 or ERR_NOMEM. */
int stock_screen_put(struct buf *out, const struct stock_view *v);
/* doc/report-json.md, "mayfly heap --json". */
int stock_json_put(struct buf *out, const struct stock_view *v);
/* What a reader must know of it, as notes. 0 or ERR_NOMEM. */
int stock_notes(struct notes *n, const struct stock *s);

/* "counted", "at most" or "estimate": what the row's figure is. */
const char *stock_basis(const struct stock_view *v, const struct stock_row *r);

#endif
