/*
 * The terminal: the only file that knows ncurses. It takes grids and gives keys. One at a time, for
 * ncurses keeps it in globals; not for several threads.
 */
#ifndef TUI_TERMINAL_H
#define TUI_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "tui/grid.h"

struct terminal {
	struct grid shown; /* what stands on the screen */
	bool color;
};

/* Whether stdin and stdout are a terminal that can be drawn on, before anything is done to it. 0 or
 * ERR_UNSUPPORTED with a sentence. */
int terminal_check(struct diag *d);
/* Takes the screen. color: where it has some. 0, ERR_UNSUPPORTED or ERR_NOMEM with a sentence. */
int terminal_open(struct terminal *t, bool color, struct diag *d);
/* Gives it back as it was. May be called twice. */
void terminal_close(struct terminal *t);

/* The size it has now. */
void terminal_size(int *rows, int *columns);
/* Draws the cells that differ from what stands there; all of them where `anew`. The cursor goes to
 * the top left corner when all of them are there: before, the screen may show a part of it. 0 or
 * ERR_NOMEM. */
int terminal_draw(struct terminal *t, const struct grid *g, bool anew);
/* The next key that waits, as keys.h calls it; KEYS_NONE: none does. */
uint32_t terminal_key(void);

#endif
