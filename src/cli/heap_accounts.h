/* `mayfly heap` on a trace with the exact engine's accounts, after a collection or at the end: what
 * they count, with the samples for the rest; or all, where the heap was counted then. */
#ifndef CLI_HEAP_ACCOUNTS_H
#define CLI_HEAP_ACCOUNTS_H

#include "analyze/heap.h"
#include "analyze/stock.h"
#include "cli/show.h"

/* Prints it, where the accounts tell of the moment; the notes on the trace are there. *told:
 * whether they do. 0 or ERR_NOMEM. */
int heap_accounts_put(
	struct showing *s, const struct stock *stock, const struct heap *heap, bool *told);

#endif
