/* The story of tenure as it is to be shown. */
#ifndef REPORT_STORY_VIEW_H
#define REPORT_STORY_VIEW_H

#include "analyze/story.h"
#include "report/view.h"

struct story_view {
	struct view view; /* without lifetimes */
	const struct story *story;
	size_t limit; /* places that are shown; 0: all */
};

/* Append all of it. 0 or ERR_NOMEM. */
int story_screen_put(struct buf *out, const struct story_view *v);
/* doc/report-json.md, "mayfly report --tenure --json". */
int story_json_put(struct buf *out, const struct story_view *v);

/* Appends why nothing was done, a sentence; nothing where something was. */
void story_put_why(struct buf *out, const struct story *s);
/* Appends "14 rounds · objects of 23 places promoted at their first copy · …". */
void story_put_line(struct buf *out, const struct look *look, const struct story *s);
/* Appends "copied per GB allocated −51 %, collector CPU −23 %, median pause −34 %"; nothing where
 * there is nothing to compare. Of what was only learnt "copied per GB allocated −50 % foretold". */
void story_put_result(struct buf *out, const struct look *look, const struct story *s);
/* Appends why nothing was done, or the result and the line; and the option of the VM that does as
 * well, where there is one. */
void story_put_summary(struct buf *out, const struct look *look, const struct story *s);

#endif
