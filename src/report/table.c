#include "report/table.h"

#include <string.h>

#include "base/mem.h"

enum { INDENT = 2, STRETCH_LEAST = 16 };

void table_release(struct table *t)
{
	for (size_t i = 0; i < t->cells.count; i++)
		mem_free(t->cells.at[i]);
	vec_release(&t->cells);
	buf_release(&t->scratch);
}

void table_column(struct table *t, const char *head1, const char *head2, bool right, bool stretch)
{
	if (t->count < TABLE_COLUMNS)
		t->columns[t->count++] = (struct table_column){{head1, head2}, right, stretch};
}

int table_next(struct table *t)
{
	char *copy = mem_strndup(buf_text(&t->scratch), t->scratch.len);
	int err = t->scratch.failed || !copy ? ERR_NOMEM : vec_push(&t->cells, copy);
	if (err)
		mem_free(copy);
	buf_clear(&t->scratch);
	return err;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t width_of(const struct table *t, size_t column)
{
	size_t cells = 0;
	for (size_t i = column; i < t->cells.count; i += t->count)
		cells = larger(cells, text_width(slice_str(t->cells.at[i])));
	if (!cells)
		return 0;
	for (int line = 0; line < 2; line++)
		cells = larger(cells, text_width(slice_str(t->columns[column].head[line])));
	return cells;
}

/* Takes from the column that stretches what the line has too much. */
static void fit(const struct table *t, size_t *widths, const struct look *look)
{
	size_t all = INDENT, stretch = t->count;
	for (size_t c = 0; c < t->count; c++) {
		all += widths[c] ? widths[c] + (all > INDENT ? TABLE_GAP : 0) : 0;
		if (t->columns[c].stretch)
			stretch = c;
	}
	size_t room = (size_t)look->width;
	if (!look->width || all <= room || stretch == t->count || !widths[stretch])
		return;
	size_t excess = all - room, most = widths[stretch];
	size_t least = most < STRETCH_LEAST ? most : STRETCH_LEAST;
	widths[stretch] = most - least > excess ? most - excess : least;
}

static void put_line(struct table *t, struct buf *out, const size_t *widths,
	const struct look *look, const char *const *texts)
{
	size_t start = out->len, owed = INDENT;
	for (size_t c = 0; c < t->count; c++) {
		if (!widths[c])
			continue;
		text_blanks(out, owed);
		struct buf clipped = {0};
		text_clip(&clipped, slice_str(texts[c]), widths[c], look);
		text_pad(out, buf_slice(&clipped), widths[c], t->columns[c].right);
		out->failed = clipped.failed ? clipped.failed : out->failed;
		buf_release(&clipped);
		owed = TABLE_GAP;
	}
	while (out->len > start && out->at[out->len - 1] == ' ')
		out->len--;
	buf_put_u8(out, '\n');
}

int table_put(struct table *t, struct buf *out, const struct look *look)
{
	size_t widths[TABLE_COLUMNS];
	const char *texts[TABLE_COLUMNS];
	for (size_t c = 0; c < t->count; c++)
		widths[c] = width_of(t, c);
	fit(t, widths, look);
	for (int line = 0; line < 2; line++) {
		bool any = !line;
		for (size_t c = 0; c < t->count; c++) {
			texts[c] = t->columns[c].head[line];
			any |= *texts[c] != '\0';
		}
		if (any)
			put_line(t, out, widths, look, texts);
	}
	for (size_t i = 0; i + t->count <= t->cells.count; i += t->count) {
		for (size_t c = 0; c < t->count; c++)
			texts[c] = t->cells.at[i + c];
		put_line(t, out, widths, look, texts);
	}
	return out->failed;
}
