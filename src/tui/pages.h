/* The pages that are texts: about a row, advice, notes, help. */
#ifndef TUI_PAGES_H
#define TUI_PAGES_H

#include "tui/listing.h"

struct page {
	const struct listing *listing;
	const struct sight *sight;
	const struct state *state;
	struct view view;      /* as wide as the screen */
	const struct row *row; /* that keys act on; NULL: it is not there any more */
};

/* Appends the text of the state's page, which is not the table. 0 or ERR_NOMEM. */
int pages_put(struct buf *out, const struct page *p);

#endif
