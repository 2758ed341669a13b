/* A diff as it is to be shown. */
#ifndef REPORT_DIFF_VIEW_H
#define REPORT_DIFF_VIEW_H

#include "analyze/diff.h"
#include "analyze/notes.h"
#include "report/text.h"

struct diff_side {
	const char *const *files; /* as the user named them */
	const struct diff_group *group;
};

struct diff_view {
	struct diff_side a, b;
	const struct diff *diff;
	const struct notes *notes;
	const struct notes *failures; /* of --fail-if; a sentence each */
	struct look look;
	bool all;     /* rows that did not change too */
	size_t limit; /* rows at most; 0: all */
};

/* Append all of it. 0 or ERR_NOMEM. */
int diff_screen_put(struct buf *out, const struct diff_view *v);
/* doc/report-json.md, "mayfly diff --json". */
int diff_json_put(struct buf *out, const struct diff_view *v);

/* Appends "+34 % ±5", "new", "gone", "–" for a ratio. */
void diff_put_change(struct buf *out, const struct look *look, const struct change *c);

#endif
