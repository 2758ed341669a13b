/*
 * A screen as cells, each with a character and how it is inked. What is drawn is cut at the edges.
 * A wide character takes two cells; where only one is left it is left out.
 */
#ifndef TUI_GRID_H
#define TUI_GRID_H

#include <stdint.h>

#include "base/buf.h"

enum ink {
	INK_PLAIN,
	INK_DIM,
	INK_BOLD,
	INK_WARN,
	INK_HEAD,   /* of a table; a line of keys */
	INK_PICKED, /* the row that keys act on */
	/* Collections, by enum gc_kind from here on. */
	INK_YOUNG,
	INK_MIXED,
	INK_FULL,
	INK_CONCURRENT,
	INKS
};

struct cell {
	uint32_t code; /* Unicode; 0: the right half of the wide character before */
	uint32_t mark; /* combines with it; 0: none */
	uint8_t ink;   /* enum ink */
};

enum { GRID_MAX = 1000 }; /* rows, and columns */

struct grid {
	struct cell *at; /* owned; row by row */
	int rows, columns;
};

/* A blank one; no more than GRID_MAX either way. 0 or ERR_NOMEM. */
int grid_init(struct grid *g, int rows, int columns);
void grid_release(struct grid *g);
void grid_clear(struct grid *g);
/* The cell there, which must be in the grid. */
struct cell *grid_at(const struct grid *g, int row, int column);

/*
 * Draws UTF-8 from a column on, in front of the column `end`; both may be outside of the grid. The
 * tones of report/text.h are understood, other escape sequences dropped; control characters become
 * '?'. Returns the column behind the last character drawn.
 */
int grid_put(struct grid *g, int row, int column, int end, enum ink ink, struct slice text);
/* Inks the whole row anew. */
void grid_ink_row(struct grid *g, int row, enum ink ink);
/* Appends a character as UTF-8. */
void grid_code(struct buf *out, uint32_t code);
/* Appends its rows as lines of text, without blanks at their ends: for tests. */
void grid_text(const struct grid *g, struct buf *out);

#endif
