/* The heap at a moment, or over time, as it is to be shown. */
#ifndef REPORT_HEAP_VIEW_H
#define REPORT_HEAP_VIEW_H

#include "analyze/heap_exact.h"
#include "report/view.h"

struct heap_view {
	struct view view; /* lifetimes: the rows of the last moment, by what is alive */
	const struct heap *heap;
	const struct heap_exact *exact; /* every object; NULL: an estimate */
	bool over_time;                 /* the moments, and not the rows */
};

/* Append all of it. 0 or ERR_NOMEM. */
int heap_screen_put(struct buf *out, const struct heap_view *v);
/* doc/report-json.md, "mayfly heap --json". */
int heap_json_put(struct buf *out, const struct heap_view *v);

/* Of what is alive of a row: the shares of its bytes that have survived 0, 1, … 14, and 15 or more
 * collections of the young generation. */
enum { HEAP_AGES = 16 };
void heap_ages(const struct row *r, double shares[HEAP_AGES]);
/* The number of the last collection that had ended by a time, from 1; 0 none. */
size_t heap_gc(const struct model *m, uint64_t time);

#endif
