/* The report as a person reads it in a terminal. */
#ifndef REPORT_SCREEN_H
#define REPORT_SCREEN_H

#include "report/view.h"

/* Appends all of it. 0 or ERR_NOMEM. */
int screen_put(struct buf *out, const struct view *v);
/* Only the two lines above the table: what was recorded, and what it came to. */
void screen_head(struct buf *out, const struct view *v);
/* Only the notes, a line or more each. */
void screen_notes(struct buf *out, const struct view *v);
/* "187 young, 3 mixed, 0 full GCs". */
void screen_gcs(struct buf *out, const struct model *m);

#endif
