/* Advice as it is to be shown. */
#ifndef REPORT_ADVISE_VIEW_H
#define REPORT_ADVISE_VIEW_H

#include "analyze/advise.h"
#include "report/view.h"

struct advise_view {
	struct view view; /* without lifetimes */
	const struct advise *advise;
	const struct ledger *ledger; /* for call paths */
	double least;                /* share of the time that a finding is worth */
	bool narrowed;               /* by --rule or --where: then nothing found means less */
};

/* Append all of it. 0 or ERR_NOMEM. */
int advise_screen_put(struct buf *out, const struct advise_view *v);
/* doc/report-json.md, "mayfly advise --json". */
int advise_json_put(struct buf *out, const struct advise_view *v);

#endif
