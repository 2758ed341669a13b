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
/* Appends "14 rounds · 23 places jump · threshold 2 · 1 decision taken back". */
void story_put_line(struct buf *out, const struct look *look, const struct story *s);

#endif
