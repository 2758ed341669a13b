/*
 * The whole screen: a state and a reading, drawn into a grid. Two lines of what was recorded, the
 * strip of collections and the line of advice; then the table, or a text; at the bottom how it is
 * shown, and the keys.
 */
#ifndef TUI_SCENE_H
#define TUI_SCENE_H

#include "tui/listing.h"

/* On smaller screens there is only a word about that. */
enum { SCENE_ROWS_MIN = 10, SCENE_COLUMNS_MIN = 40 };

struct scene {
	struct listing listing;
	struct scroll text; /* of the page in sight, where that is not the table */
	char *key;          /* of the row that keys act on; owned; NULL: none */
	/* What table and text were laid out for: they are kept as long as that stays. */
	struct laid {
		unsigned readings;
		enum state_page page;
		enum sort sort;
		enum clock clock;
		enum columns columns;
		int width;
	} laid;
	unsigned readings;
};

void scene_release(struct scene *c);
/* There is another reading, or another choice of rows (state.changed): finds them, and among them
 * the one that keys act on. 0 or ERR_NOMEM. */
int scene_refresh(struct scene *c, const struct sight *s, struct state *st);
/* Draws all of it into the grid, and tells the state how much there is. 0 or ERR_NOMEM. */
int scene_draw(struct scene *c, const struct sight *s, struct state *st, struct grid *g);

#endif
