#include "report/table.h"

#include <string.h>

#include "base/mem.h"

enum { INDENT = 2, FOLLOWING = 4, STRETCH_LEAST = 16 };

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
		t->columns[t->count++] = (struct table_column){.head = {head1, head2},
			.right = right,
			.least = stretch ? STRETCH_LEAST : 0};
}

void table_gives(struct table *t, size_t least)
{
	t->columns[t->count - 1].least = least;
}

void table_spares(struct table *t, int rank)
{
	t->columns[t->count - 1].spare = rank;
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

static size_t least_of(const struct table_column *c, size_t width)
{
	return c->least && c->least < width ? c->least : width;
}

/* Of the line: as its columns are, or as small as they can be. */
static size_t line_width(const struct table *t, const size_t *widths, bool least)
{
	size_t all = INDENT - TABLE_GAP;
	for (size_t c = 0; c < t->count; c++)
		if (widths[c])
			all += TABLE_GAP +
			       (least ? least_of(&t->columns[c], widths[c]) : widths[c]);
	return all;
}

static bool leave_one_out(struct table *t, size_t *widths)
{
	size_t first = t->count;
	for (size_t c = 0; c < t->count; c++)
		if (widths[c] && t->columns[c].spare &&
			(first == t->count || t->columns[c].spare < t->columns[first].spare))
			first = c;
	if (first == t->count)
		return false;
	t->columns[first].left_out = true;
	widths[first] = 0;
	return true;
}

/* Takes one from the column that is widest for what it can do with. */
static bool narrow(const struct table *t, size_t *widths)
{
	size_t widest = t->count;
	for (size_t c = 0; c < t->count; c++)
		if (widths[c] > least_of(&t->columns[c], widths[c]) &&
			(widest == t->count || widths[c] * t->columns[widest].least >
						       widths[widest] * t->columns[c].least))
			widest = c;
	if (widest == t->count)
		return false;
	widths[widest]--;
	return true;
}

static void fit(struct table *t, size_t *widths, const struct look *look)
{
	size_t room = (size_t)look->width;
	bool more = look->width > 0;
	while (more && line_width(t, widths, true) > room)
		more = leave_one_out(t, widths);
	more = look->width > 0;
	while (more && line_width(t, widths, false) > room)
		more = narrow(t, widths);
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
			any |= widths[c] && *texts[c];
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

void table_tell(const struct table *t, struct buf *out, const struct look *look)
{
	struct buf line = {0};
	for (size_t c = 0; c < t->count; c++)
		if (t->columns[c].left_out)
			buf_printf(&line, "%s%s", line.len ? ", " : "No room for ",
				t->columns[c].head[0]);
	if (line.len) {
		buf_put_str(&line, ": a wider screen shows it, or --width 0.");
		text_blanks(out, INDENT);
		text_wrap(out, look, buf_text(&line), INDENT, FOLLOWING);
	}
	out->failed = line.failed ? line.failed : out->failed;
	buf_release(&line);
}
