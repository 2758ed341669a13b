#include "tui/strip.h"

#include <math.h>
#include <stdio.h>

#include "base/units.h"

enum { LABEL = 8, GAP = 2, EIGHTHS = 8 };

static const struct {
	const char *word;
	enum ink ink;
	char letter;
} kinds[GC_KINDS] = {
	[GC_KIND_YOUNG] = {"young", INK_YOUNG, 'y'},
	[GC_KIND_MIXED] = {"mixed", INK_MIXED, 'm'},
	[GC_KIND_FULL] = {"full", INK_FULL, 'F'},
	[GC_KIND_CONCURRENT] = {"concurrent", INK_CONCURRENT, 'c'},
};

char strip_letter(enum gc_kind kind)
{
	return kinds[kind].letter;
}

const char *strip_word(enum gc_kind kind)
{
	return kinds[kind].word;
}

/* Of a pause against the longest; none: blank, any: the lowest block at least. */
static const char *block(uint64_t pause, uint64_t longest, const struct look *look)
{
	static const char *const blocks[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
	static const char *const ascii[] = {" ", ".", ".", ":", ":", "+", "+", "#", "#"};
	double share = longest ? (double)pause / (double)longest : 0;
	int eighths = (int)ceil(share * EIGHTHS);
	return text_mark(look, blocks[eighths], ascii[eighths]);
}

static void draw(struct grid *g, int row, const struct gc *list, size_t count, uint64_t longest,
	const struct look *look)
{
	for (size_t i = 0; i < count; i++) {
		enum ink ink = kinds[list[i].kind].ink;
		int column = LABEL + (int)i;
		grid_put(g, row, column, g->columns, ink,
			slice_str(block(list[i].pause, longest, look)));
		grid_put(
			g, row + 1, column, g->columns, ink, slice(&kinds[list[i].kind].letter, 1));
	}
}

void strip_draw(struct grid *g, int row, const struct model *m, const struct look *look)
{
	char time[UNITS_MAX], scale[UNITS_MAX + 16] = "";
	size_t count = m->gcs.list.count;
	uint64_t longest = 0;
	grid_put(g, row, 0, LABEL, INK_DIM, slice_str("pauses"));
	grid_put(g, row + 1, 0, LABEL, INK_DIM, slice_str("GCs"));
	if (!count) {
		grid_put(g, row, LABEL, g->columns, INK_DIM, slice_str("no collection yet"));
		return;
	}
	/* Room for the longest pause in words, whatever it will be, so that nothing jumps. */
	int room = g->columns - LABEL - GAP - (int)sizeof("max 1 000 ms");
	size_t shown = room < 0 ? 0 : count < (size_t)room ? count : (size_t)room;
	const struct gc *list = m->gcs.list.at + (count - shown);
	for (size_t i = 0; i < shown; i++)
		longest = list[i].pause > longest ? list[i].pause : longest;
	draw(g, row, list, shown, longest, look);
	snprintf(scale, sizeof(scale), "max %s", units_time((double)longest, time));
	grid_put(g, row, LABEL + (int)shown + GAP, g->columns, INK_DIM, slice_str(scale));
}
