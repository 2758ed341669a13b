#include "tui/scroll.h"

#include <string.h>

#include "base/error.h"

void scroll_release(struct scroll *s)
{
	buf_release(&s->text);
	vec_release(&s->lines);
}

void scroll_clear(struct scroll *s)
{
	buf_clear(&s->text);
	s->lines.count = 0;
}

int scroll_split(struct scroll *s)
{
	const char *at = buf_text(&s->text);
	int err = s->text.failed;
	s->lines.count = 0;
	for (size_t len; *at && !err; at += len + (at[len] == '\n')) {
		len = strcspn(at, "\n");
		err = vec_push(&s->lines, slice(at, len));
	}
	return err;
}

void scroll_line(struct grid *g, int row, int column, int end, enum ink ink, struct slice text,
	const struct look *look)
{
	struct buf line = {0};
	if (end > column)
		text_clip(&line, text, (size_t)(end - column), look);
	grid_put(g, row, column, end, ink, buf_slice(&line));
	buf_release(&line);
}

void scroll_draw(const struct scroll *s, size_t first, struct grid *g, int from, int to,
	const struct look *look)
{
	for (int row = from; row < to && first < s->lines.count; row++, first++)
		scroll_line(g, row, 0, g->columns, INK_PLAIN, s->lines.at[first], look);
}
