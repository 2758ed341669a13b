/* A text of many lines, of which a screenful is in sight. */
#ifndef TUI_SCROLL_H
#define TUI_SCROLL_H

#include "base/vec.h"
#include "report/text.h"
#include "tui/grid.h"

struct scroll {
	struct buf text;
	VEC(struct slice) lines; /* of `text` */
};

void scroll_release(struct scroll *s);
/* Empties it: then `text` is to be written, and scroll_split to be called. */
void scroll_clear(struct scroll *s);
/* 0 or ERR_NOMEM. */
int scroll_split(struct scroll *s);
/* Draws the lines from `first` on into the rows from … to - 1, each marked at its end where it does
 * not fit. */
void scroll_draw(const struct scroll *s, size_t first, struct grid *g, int from, int to,
	const struct look *look);
/* The same of one line, from a column on, in front of the column `end`. */
void scroll_line(struct grid *g, int row, int column, int end, enum ink ink, struct slice text,
	const struct look *look);

#endif
