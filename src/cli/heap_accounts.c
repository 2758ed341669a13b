#include "cli/heap_accounts.h"

#include "base/error.h"
#include "report/holdings_view.h"
#include "report/stock_view.h"

/* The heap was counted at this very collection: nothing is left to estimate. */
static int put_count(struct showing *s)
{
	struct buf out = {0};
	struct holdings holdings;
	int err = holdings_notes(&s->notes, &s->load.model);
	err = err ? err : holdings_find(&holdings, &s->load.model, &s->query);
	if (err)
		return err;
	struct holdings_view v = {.view = showing_view(s, NULL), .holdings = &holdings};
	err = s->json ? holdings_json_put(&out, &v) : holdings_screen_put(&out, &v);
	err = show_out(&out, err);
	holdings_release(&holdings);
	return err;
}

static int put_stock(struct showing *s, const struct stock *stock, const struct heap *heap)
{
	struct buf out = {0};
	struct stock_rows rows;
	int err = stock_notes(&s->notes, stock);
	err = err ? err : stock_rows_find(&rows, &s->load.model, stock, &heap->alive, &s->query);
	if (err)
		return err;
	struct stock_view v = {.view = showing_view(s, NULL),
		.stock = stock,
		.rows = &rows,
		.moment = &heap->moments.at[0]};
	err = s->json ? stock_json_put(&out, &v) : stock_screen_put(&out, &v);
	err = show_out(&out, err);
	stock_rows_release(&rows);
	return err;
}

int heap_accounts_put(
	struct showing *s, const struct stock *stock, const struct heap *heap, bool *told)
{
	*told = true;
	if (heap_counts_found(&s->load.model.heap))
		return put_count(s);
	if (stock->taken)
		return put_stock(s, stock, heap);
	*told = false;
	return notes_add(&s->notes,
		stock->end ? "What stood at the end is not accounted for: the trace has no end, or "
			     "its last collection no account (a full GC that is not followed has "
			     "none by site). This is the samples' estimate; --at GC:N counts the "
			     "young generation after an earlier one."
			   : "This collection has no account by site (a full GC that is not "
			     "followed makes new marks; others are not accounted for where memory "
			     "ran short, or before the engine began): this is the samples' "
			     "estimate. --at GC:N counts the young generation after another one.");
}
