#include "tui/terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <ncurses.h>
#include <term.h>
#undef columns /* term.h makes a macro of every capability */

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "tui/keys.h"

enum { ESCAPE_MS = 25 }; /* for the rest of a key's sequence: at once, but over slow lines */

static SCREEN *taken; /* NULL: the screen is not ours */

/* -- Before -- */

int terminal_check(struct diag *d)
{
	const char *name = getenv("TERM");
	int found = 0;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
		return diag_set(d, ERR_UNSUPPORTED,
			"a live view needs a terminal; mayfly report FILE prints the same table");
	if (!name || !*name || setupterm(name, STDOUT_FILENO, &found) != OK || found != 1)
		return diag_set(d, ERR_UNSUPPORTED,
			"nothing is known of the terminal '%s': set TERM, or read the trace with "
			"mayfly report FILE",
			name ? name : "");
	char cup[] = "cup";
	const char *moves = tigetstr(cup);
	bool able = moves && moves != (char *)-1;
	del_curterm(cur_term);
	if (!able)
		return diag_set(d, ERR_UNSUPPORTED,
			"the terminal '%s' can't be drawn on; mayfly report FILE prints the same "
			"table",
			name);
	return ERR_NONE;
}

/* -- Inks -- */

static const struct {
	attr_t plain; /* where there is no colour */
	attr_t attributes;
	int color; /* of the text; -1: the terminal's own */
} inks[INKS] = {
	[INK_PLAIN] = {A_NORMAL, A_NORMAL, -1},
	[INK_DIM] = {A_DIM, A_DIM, -1},
	[INK_BOLD] = {A_BOLD, A_BOLD, -1},
	[INK_WARN] = {A_BOLD, A_BOLD, COLOR_YELLOW},
	[INK_HEAD] = {A_BOLD, A_BOLD, COLOR_CYAN},
	[INK_PICKED] = {A_REVERSE, A_REVERSE, -1},
	[INK_YOUNG] = {A_NORMAL, A_NORMAL, COLOR_GREEN},
	[INK_MIXED] = {A_NORMAL, A_NORMAL, COLOR_YELLOW},
	[INK_FULL] = {A_BOLD, A_BOLD, COLOR_RED},
	[INK_CONCURRENT] = {A_NORMAL, A_NORMAL, COLOR_BLUE},
};

/* Pair i + 1 is ink i. */
static bool begin_colors(void)
{
	if (!has_colors() || start_color() == ERR || use_default_colors() == ERR)
		return false;
	for (int i = 0; i < INKS; i++)
		if (init_extended_pair(i + 1, inks[i].color, -1) == ERR)
			return false;
	return true;
}

/* -- The screen -- */

int terminal_open(struct terminal *t, bool color, struct diag *d)
{
	*t = (struct terminal){0};
	taken = newterm(NULL, stdout, stdin);
	if (!taken)
		return diag_set(d, ERR_UNSUPPORTED, "the terminal can't be drawn on");
	cbreak();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(ESCAPE_MS);
	curs_set(0);
	t->color = color && begin_colors();
	return ERR_NONE;
}

void terminal_close(struct terminal *t)
{
	if (taken) {
		/* Where there is no other screen to go back to (the console, vt100) what follows
		 * is written there. */
		move(getmaxy(stdscr) - 1, 0);
		clrtoeol();
		refresh();
		endwin();
		delscreen(taken);
		taken = NULL;
	}
	grid_release(&t->shown);
}

void terminal_size(int *rows, int *columns)
{
	struct winsize size;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col) {
		*rows = size.ws_row;
		*columns = size.ws_col;
	} else {
		getmaxyx(stdscr, *rows, *columns);
	}
}

static int fit(struct terminal *t, const struct grid *g, bool *anew)
{
	if (t->shown.rows == g->rows && t->shown.columns == g->columns)
		return ERR_NONE;
	grid_release(&t->shown);
	resizeterm(g->rows, g->columns);
	*anew = true;
	return grid_init(&t->shown, g->rows, g->columns);
}

/* Whether the locale knows ASCII only: then '?' stands for all else. */
static bool narrow(void)
{
	return MB_CUR_MAX == 1;
}

static void put_cell(const struct terminal *t, int row, int column, const struct cell *c)
{
	cchar_t out;
	wchar_t text[3] = {(wchar_t)c->code, (wchar_t)c->mark, L'\0'};
	if (narrow() && (c->code > 0x7e || !c->code)) {
		text[0] = c->code ? L'?' : L' ';
		text[1] = L'\0';
	}
	attr_t attributes = t->color ? inks[c->ink].attributes : inks[c->ink].plain;
	int pair = t->color ? c->ink + 1 : 0;
	if (setcchar(&out, text, attributes, 0, &pair) == OK)
		mvadd_wch(row, column, &out);
}

static bool same(const struct cell *a, const struct cell *b)
{
	return a->code == b->code && a->mark == b->mark && a->ink == b->ink;
}

int terminal_draw(struct terminal *t, const struct grid *g, bool anew)
{
	int err = fit(t, g, &anew);
	if (err)
		return err;
	if (anew)
		clear();
	for (int r = 0; r < g->rows; r++)
		for (int c = 0; c < g->columns; c++) {
			const struct cell *cell = grid_at(g, r, c);
			/* A right half comes with its left one. */
			if ((cell->code || narrow()) &&
				(anew || !same(cell, grid_at(&t->shown, r, c))))
				put_cell(t, r, c, cell);
			*grid_at(&t->shown, r, c) = *cell;
		}
	move(0, 0);
	refresh();
	return ERR_NONE;
}

/* -- Keys -- */

/* What follows an Escape at once is a sequence that terminfo does not know: a key of a terminal in
 * another mode, or a reply. Whether one was taken, to its end; its letters are nobody's keys. */
static bool take_sequence(void)
{
	wint_t key = 0;
	if (get_wch(&key) != OK)
		return false;
	if (key != L'[') {
		unget_wch((wchar_t)key);
		return false;
	}
	while (get_wch(&key) == OK && (key < 0x40 || key > 0x7e))
		;
	return true;
}

uint32_t terminal_key(void)
{
	static const struct {
		wint_t theirs;
		uint32_t ours;
	} keys[] = {{KEY_UP, KEYS_UP}, {KEY_DOWN, KEYS_DOWN}, {KEY_PPAGE, KEYS_PAGE_UP},
		{KEY_NPAGE, KEYS_PAGE_DOWN}, {KEY_HOME, KEYS_HOME}, {KEY_END, KEYS_END},
		{KEY_BACKSPACE, KEYS_BACKSPACE}, {KEY_ENTER, '\r'}, {KEY_F(1), KEYS_F1},
		{KEY_F(10), KEYS_F10}};
	for (;;) {
		wint_t key = 0;
		int got = get_wch(&key);
		if (got == ERR)
			return KEYS_NONE;
		if (got == OK && key == 0x1b && take_sequence())
			continue;
		if (got == OK)
			return (uint32_t)key;
		for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
			if (keys[i].theirs == key)
				return keys[i].ours;
		/* Others, and news of the size, which is asked for anyway. */
	}
}
