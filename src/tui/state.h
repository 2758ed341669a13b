/* What the person at the keys has chosen, and what a key changes of it. */
#ifndef TUI_STATE_H
#define TUI_STATE_H

#include <stdbool.h>

#include "analyze/lifetime.h"
#include "base/types.h"
#include "tui/keys.h"

enum state_page { PAGE_TABLE, PAGE_DETAIL, PAGE_ADVICE, PAGE_NOTES, PAGE_HELP, PAGES };

/* Columns that are shown together. */
enum columns { COLUMNS_LIVES, COLUMNS_BYTES, COLUMNS_SETS };

struct state {
	enum state_page page;
	enum by by;
	enum sort sort;
	enum clock clock, own; /* own: the trace's, set with each reading */
	bool clock_set;        /* else its own is shown */
	enum columns columns;
	bool paused, quit;
	bool redraw;         /* the whole screen, whatever stands there */
	bool changed;        /* rows have to be found anew */
	struct ns every;     /* between two refreshes */
	struct where always; /* of the command line */
	/* What rows must have: an entry of `where`, or a text. */
	char filter[WHERE_TEXT];
	bool typing;
	char typed[WHERE_TEXT]; /* while typing */
	struct diag wrong;      /* why the filter was not taken; "" */
	/* The table: the row that keys act on and the first one in sight; text: the first line. */
	size_t picked, top, scroll;
	/* Set by what is drawn: rows of the table, lines of the text, and how many fit. */
	size_t rows, lines, height;
};

/* The table, by site, most allocated first, every second. */
void state_init(struct state *s);
/* What a key does: types into the filter's line, or acts. */
void state_key(struct state *s, uint32_t key);
/* Keeps picked, top and scroll within what there is. */
void state_clamp(struct state *s);
/* The rows that are wanted. */
struct query state_query(const struct state *s);
/* The clock that lives are shown in. */
enum clock state_clock(const struct state *s);
/* The text that rows must have, where the filter is one; else "". */
const char *state_text(const struct state *s);

#endif
