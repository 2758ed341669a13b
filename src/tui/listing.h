/* The rows in sight as lines of a table, with what tells each from the others. */
#ifndef TUI_LISTING_H
#define TUI_LISTING_H

#include "report/view.h"
#include "tui/scroll.h"
#include "tui/sight.h"
#include "tui/state.h"

enum { LISTING_HEADS = 2 };

/* Places in report/column.def. */
enum place {
#define COLUMN(name, csv, head1, head2, right, room, when, put, number, text) PLACE_##name,
#include "report/column.def"
#undef COLUMN
};

struct listing {
	bool found;
	struct lifetimes lifetimes; /* owned */
	/* By place in the table: the row in `lifetimes`, and its class and site in full. */
	VEC(struct listing_row {
		size_t row;
		char *key; /* owned */
	})
	rows;
	struct scroll text; /* the heads, then a line for each row */
	size_t heads;
};

void listing_release(struct listing *l);
/* Finds the rows anew. 0 or ERR_NOMEM; then there are none. */
int listing_find(struct listing *l, const struct sight *s, const struct state *st);
/* Lays them out for a width. 0 or ERR_NOMEM. */
int listing_lay(struct listing *l, const struct sight *s, const struct state *st, int width);
/* The place of the row with this key; the count of rows where there is none. */
size_t listing_place(const struct listing *l, const char *key);
/* The report's view of it. */
struct view listing_view(const struct listing *l, const struct sight *s, const struct state *st);

/* Appends a table of these rows in a set's columns; with_place: class and site too. 0 or ERR_NOMEM.
 */
int listing_put(struct buf *out, const struct view *v, const struct row *const *rows, size_t count,
	enum columns set, bool with_place);

#endif
