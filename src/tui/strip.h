/*
 * The last collections as a strip of two lines: pauses as blocks, as high as they were long against
 * the longest in sight, and below the kind of each as a letter; the newest on the right.
 */
#ifndef TUI_STRIP_H
#define TUI_STRIP_H

#include "model/model.h"
#include "report/text.h"
#include "tui/grid.h"

enum { STRIP_ROWS = 2 };

/* y: young, m: mixed, F: full, c: concurrent cycle. */
char strip_letter(enum gc_kind kind);
/* The same as a word. */
const char *strip_word(enum gc_kind kind);
/* Draws it from a row on, over the whole width. */
void strip_draw(struct grid *g, int row, const struct model *m, const struct look *look);

#endif
