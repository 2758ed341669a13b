/* What is alive by the exact engine's count, as it is to be shown. */
#ifndef REPORT_HOLDINGS_VIEW_H
#define REPORT_HOLDINGS_VIEW_H

#include "analyze/holdings.h"
#include "report/view.h"

/* The flags of a heap_count (doc/trace-format.md, 8.1). */
enum {
	HOLDINGS_FORCED = 1,
	HOLDINGS_GARBAGE = 2,
	HOLDINGS_OLD_UNREAD = 4,
	HOLDINGS_YOUNG_UNREAD = 8,
	HOLDINGS_SITES_LOST = 16
};

struct holdings_view {
	struct view view; /* without lifetimes */
	const struct holdings *holdings;
};

/* Append all of it. 0 or ERR_NOMEM. */
int holdings_screen_put(struct buf *out, const struct holdings_view *v);
/* doc/report-json.md, "mayfly heap PID --json". */
int holdings_json_put(struct buf *out, const struct holdings_view *v);
/* What a reader must know of it, as notes. 0 or ERR_NOMEM. */
int holdings_notes(struct notes *n, const struct model *m);

#endif
