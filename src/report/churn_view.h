/* Churn windows as they are to be shown: the analysis, and how. Also what the two forms share. */
#ifndef REPORT_CHURN_VIEW_H
#define REPORT_CHURN_VIEW_H

#include "analyze/churn.h"
#include "report/view.h"

struct churn_view {
	struct view view; /* without lifetimes; file, model, notes, look */
	const struct churn *churn;
	struct query query; /* of the rows of a window */
};

/* Append all of it. 0 or ERR_NOMEM. */
int churn_screen_put(struct buf *out, const struct churn_view *v);
/* doc/report-json.md, "mayfly churn --json". */
int churn_json_put(struct buf *out, const struct churn_view *v);

#endif
