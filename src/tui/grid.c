#include "tui/grid.h"

#include <stdbool.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "report/text.h"

static const struct cell blank = {.code = ' '};

static int bounded(int size)
{
	return size < 0 ? 0 : size > GRID_MAX ? GRID_MAX : size;
}

int grid_init(struct grid *g, int rows, int columns)
{
	*g = (struct grid){.rows = bounded(rows), .columns = bounded(columns)};
	g->at = mem_zalloc((size_t)g->rows * (size_t)g->columns + 1, sizeof(*g->at));
	if (!g->at) {
		*g = (struct grid){0};
		return ERR_NOMEM;
	}
	grid_clear(g);
	return ERR_NONE;
}

void grid_release(struct grid *g)
{
	mem_free(g->at);
	*g = (struct grid){0};
}

void grid_clear(struct grid *g)
{
	for (size_t i = 0; i < (size_t)g->rows * (size_t)g->columns; i++)
		g->at[i] = blank;
}

struct cell *grid_at(const struct grid *g, int row, int column)
{
	return &g->at[(size_t)row * (size_t)g->columns + (size_t)column];
}

/* The tone that report/text.c sets with this escape sequence. */
static enum ink ink_of(struct slice escape, enum ink base)
{
	static const struct {
		const char *code;
		enum ink ink;
	} tones[] = {{"\x1b[1m", INK_BOLD}, {"\x1b[2m", INK_DIM}, {"\x1b[33m", INK_WARN}};
	for (size_t i = 0; i < ARRAY_SIZE(tones); i++)
		if (slice_equal(escape, slice_str(tones[i].code)))
			return tones[i].ink;
	return base;
}

/* Where half of a wide character is drawn over, the other half goes too. */
static void unpair(struct grid *g, int row, int column)
{
	if (column < g->columns && grid_at(g, row, column)->code == 0)
		*grid_at(g, row, column) = blank;
}

static void set(struct grid *g, int row, int column, struct cell c, int columns)
{
	if (column > 0 && grid_at(g, row, column)->code == 0)
		grid_at(g, row, column - 1)->code = ' ';
	*grid_at(g, row, column) = c;
	if (columns == 2)
		*grid_at(g, row, column + 1) = (struct cell){.ink = c.ink};
	unpair(g, row, column + columns);
}

/* A mark joins the character before it, where that was drawn. */
static void add_mark(struct grid *g, int row, int column, int first, uint32_t mark)
{
	int at = column - 1;
	if (at >= 0 && at < g->columns && grid_at(g, row, at)->code == 0)
		at--;
	if (at >= first && at >= 0 && at < g->columns && !grid_at(g, row, at)->mark)
		grid_at(g, row, at)->mark = mark;
}

static bool steers(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0);
}

int grid_put(struct grid *g, int row, int column, int end, enum ink ink, struct slice text)
{
	int first = column, last = end < g->columns ? end : g->columns;
	enum ink now = ink;
	for (size_t i = 0, n; i < text.len && row >= 0 && row < g->rows; i += n) {
		uint32_t code;
		size_t columns;
		n = text_next(text, i, &code, &columns);
		if (!code) {
			now = ink_of(slice(text.at + i, n), ink);
			continue;
		}
		if (column + (int)columns > last)
			break;
		if (!columns)
			add_mark(g, row, column, first, code);
		else if (column >= 0)
			set(g, row, column,
				(struct cell){
					.code = steers(code) ? '?' : code, .ink = (uint8_t)now},
				(int)columns);
		column += (int)columns;
	}
	return column;
}

void grid_ink_row(struct grid *g, int row, enum ink ink)
{
	for (int c = 0; row >= 0 && row < g->rows && c < g->columns; c++)
		grid_at(g, row, c)->ink = (uint8_t)ink;
}

void grid_code(struct buf *out, uint32_t code)
{
	static const struct {
		uint32_t below;
		uint8_t lead, more;
	} forms[] = {{0x80, 0, 0}, {0x800, 0xc0, 1}, {0x10000, 0xe0, 2}, {0x110000, 0xf0, 3}};
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		if (code >= forms[i].below)
			continue;
		unsigned shift = 6u * forms[i].more;
		buf_put_u8(out, (uint8_t)(forms[i].lead | code >> shift));
		while (shift) {
			shift -= 6;
			buf_put_u8(out, (uint8_t)(0x80 | (code >> shift & 0x3f)));
		}
		return;
	}
}

static int used_columns(const struct grid *g, int row)
{
	int used = g->columns;
	while (used && grid_at(g, row, used - 1)->code == ' ')
		used--;
	return used;
}

void grid_text(const struct grid *g, struct buf *out)
{
	for (int r = 0; r < g->rows; r++) {
		for (int c = 0; c < used_columns(g, r); c++) {
			const struct cell *cell = grid_at(g, r, c);
			if (cell->code)
				grid_code(out, cell->code);
			if (cell->mark)
				grid_code(out, cell->mark);
		}
		buf_put_u8(out, '\n');
	}
}
