/* The report as a person reads it in a terminal. */
#ifndef REPORT_SCREEN_H
#define REPORT_SCREEN_H

#include "report/view.h"

/* Appends all of it. 0 or ERR_NOMEM. */
int screen_put(struct buf *out, const struct view *v);
/* Only the two lines above the table: what was recorded, and what it came to. */
void screen_head(struct buf *out, const struct view *v);
/* Only the first of them: file, time, JDK, collector, heap, collections. */
void screen_title(struct buf *out, const struct view *v);
/* "exact engine<what>", where it counted: what of a screen is counted, and what estimated. */
void screen_engine(struct buf *out, const struct view *v, const char *what);
/* "12 more sites, each under 0.5 %, …", if there are. `limited_by`: the option that shows those
 * which a limit left out. */
void screen_hidden(struct buf *out, const struct view *v, const char *limited_by);
/* The line in place of a table without rows: `why`, or that all there is is `hidden` by --min. */
void screen_nothing(struct buf *out, bool hidden, const char *why);
/* A sentence, cleaned, indented and wrapped. */
void screen_sentence(struct buf *out, const struct view *v, const char *text);
/* Only how to read the columns of the rows, a line or more. */
void screen_legend(struct buf *out, const struct view *v);
/* Only the notes, a line or more each. */
void screen_notes(struct buf *out, const struct view *v);
/* A line as it is, or wrapped where it is wider than the screen; releases it. */
void screen_line(struct buf *out, const struct look *look, struct buf *line);
/* "187 young, 3 mixed, 0 full GCs". */
void screen_gcs(struct buf *out, const struct model *m);

#endif
