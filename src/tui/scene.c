#include "tui/scene.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/units.h"
#include "report/screen.h"
#include "report/short.h"
#include "tui/detail.h"
#include "tui/pages.h"
#include "tui/strip.h"

enum {
	ROW_HEAD = 0,
	ROW_STRIP = 2,
	ROW_ADVICE = 4,
	ROW_BODY = 5,
	ROWS_FOOT = 2,
	LABEL = 8,
	ROWS_FOR_PICKED = 16 /* from there on a line has the picked row's place in full */
};

void scene_release(struct scene *c)
{
	listing_release(&c->listing);
	scroll_release(&c->text);
	mem_free(c->key);
	*c = (struct scene){0};
}

/* -- Which row -- */

static int keep_key(struct scene *c, const struct state *st)
{
	const char *key =
		st->picked < c->listing.rows.count ? c->listing.rows.at[st->picked].key : NULL;
	if (key && c->key && strcmp(key, c->key) == 0)
		return ERR_NONE;
	char *copy = key ? mem_strndup(key, strlen(key)) : NULL;
	mem_free(c->key);
	c->key = copy;
	return key && !copy ? ERR_NOMEM : ERR_NONE;
}

/* The row stays the one it was, wherever it went; but who is at the top stays at the top. */
static void find_again(const struct scene *c, struct state *st)
{
	if (!c->key || (st->page != PAGE_DETAIL && !st->picked))
		return;
	size_t place = listing_place(&c->listing, c->key);
	if (place < c->listing.rows.count)
		st->picked = place;
}

int scene_refresh(struct scene *c, const struct sight *s, struct state *st)
{
	st->own = row_gc_clock(s->model);
	st->changed = false;
	c->readings++;
	int err = listing_find(&c->listing, s, st);
	if (!err)
		find_again(c, st);
	return err;
}

/* -- The lines on top -- */

static const char *dot(const struct sight *s)
{
	return text_mark(&s->look, " · ", ", ");
}

/* On the right of the first line: whether it moves, and why not. Returns where it begins. */
static int draw_status(const struct sight *s, const struct state *st, struct grid *g)
{
	const char *text = st->paused ? "PAUSED" : s->status;
	int width = (int)text_width(slice_str(text));
	if (!width)
		return g->columns;
	int at = g->columns - width > g->columns / 3 ? g->columns - width : g->columns / 3;
	scroll_line(g, ROW_HEAD, at, g->columns, st->paused ? INK_PICKED : INK_WARN,
		slice_str(text), &s->look);
	return at - 1;
}

static void draw_head(
	const struct scene *c, const struct sight *s, const struct state *st, struct grid *g)
{
	struct buf head = {0};
	int end = draw_status(s, st, g);
	if (s->model) {
		struct view v = listing_view(&c->listing, s, st);
		v.look.width = 0; /* two lines, which are clipped */
		screen_head(&head, &v);
	} else {
		buf_put_str(&head, s->name);
	}
	const char *text = buf_text(&head);
	size_t first = strcspn(text, "\n"), second = first + (text[first] == '\n');
	scroll_line(g, ROW_HEAD, 0, end, INK_PLAIN, slice(text, first), &s->look);
	scroll_line(g, ROW_HEAD + 1, 0, g->columns, INK_PLAIN,
		slice(text + second, strcspn(text + second, "\n")), &s->look);
	buf_release(&head);
}

/* The gravest finding: what it is, where, and what to do. */
static void put_finding(struct buf *out, const struct sight *s)
{
	const struct finding *f = &s->advise->findings.at[0];
	struct look narrow = s->look;
	narrow.width = 1; /* without packages */
	text_tone(out, &s->look, TONE_BOLD, rule_title(f->rule));
	if (f->row) {
		buf_put_str(out, dot(s));
		short_simple(out, defs_class_name(&s->model->defs, f->row->class));
		buf_put_str(out, " of ");
		short_place(out, s->model, f->row, &narrow);
	}
	buf_put_str(out, dot(s));
	text_clean(out, slice_str(f->todo));
	if (*f->option) {
		buf_put_str(out, dot(s));
		text_clean(out, slice_str(f->option));
	}
}

static void draw_advice(const struct sight *s, struct grid *g)
{
	struct buf line = {0};
	char count[32] = "";
	size_t findings = s->advise->findings.count;
	if (findings)
		put_finding(&line, s);
	else
		text_tone(&line, &s->look, TONE_DIM, "nothing to fix so far");
	if (findings > 1)
		snprintf(count, sizeof(count), " 1 of %zu", findings);
	int end = g->columns - (int)strlen(count);
	grid_put(g, ROW_ADVICE, 0, LABEL, INK_DIM, slice_str("advice"));
	scroll_line(g, ROW_ADVICE, LABEL, end, INK_PLAIN, buf_slice(&line), &s->look);
	grid_put(g, ROW_ADVICE, end, g->columns, INK_DIM, slice_str(count));
	buf_release(&line);
}

/* -- The table -- */

static const char *empty_table(const struct scene *c)
{
	const struct lifetimes *l = &c->listing.lifetimes;
	if (l->hidden)
		return "  All rows are under 0.5 %; a filter (/) shows them.";
	return l->alloc.n ? "  Nothing passes the filter." : "  No allocation was sampled yet.";
}

static const struct row *picked_row(const struct scene *c)
{
	size_t place = c->key ? listing_place(&c->listing, c->key) : c->listing.rows.count;
	return place < c->listing.rows.count
		       ? &c->listing.lifetimes.rows.at[c->listing.rows.at[place].row]
		       : NULL;
}

/* Where the picked row allocates, with packages: in the table there may be no room for that. */
static void draw_picked(const struct scene *c, const struct sight *s, struct grid *g, int row)
{
	const struct row *picked = picked_row(c);
	struct buf line = {0};
	buf_put_str(&line, "  ");
	if (picked)
		detail_title(&line, s->model, picked, &s->look);
	scroll_line(g, row, 0, g->columns, INK_DIM, buf_slice(&line), &s->look);
	buf_release(&line);
}

static int draw_table(struct scene *c, const struct sight *s, struct state *st, struct grid *g)
{
	const struct listing *l = &c->listing;
	bool in_full = g->rows >= ROWS_FOR_PICKED;
	int row = ROW_BODY, end = g->rows - ROWS_FOOT - in_full;
	st->rows = l->rows.count;
	st->height = (size_t)(end - row) - (l->heads < (size_t)(end - row) ? l->heads : 0);
	state_clamp(st);
	int err = keep_key(c, st);
	if (!st->rows)
		grid_put(g, row, 0, g->columns, INK_PLAIN, slice_str(empty_table(c)));
	for (size_t i = 0; i < l->heads && row < end; i++, row++) {
		grid_put(g, row, 0, g->columns, INK_PLAIN, l->text.lines.at[i]);
		grid_ink_row(g, row, INK_HEAD);
	}
	for (size_t i = st->top; i < st->rows && row < end; i++, row++) {
		scroll_line(
			g, row, 0, g->columns, INK_PLAIN, l->text.lines.at[l->heads + i], &s->look);
		if (i != st->picked)
			continue;
		grid_put(g, row, 0, g->columns, INK_PLAIN, slice_str(">"));
		grid_ink_row(g, row, INK_PICKED);
	}
	if (in_full)
		draw_picked(c, s, g, end);
	return err;
}

/* -- Texts -- */

static int write_text(struct scene *c, const struct sight *s, const struct state *st, int width)
{
	struct view v = listing_view(&c->listing, s, st);
	v.look.width = width;
	scroll_clear(&c->text);
	const struct page page = {&c->listing, s, st, v, picked_row(c)};
	int err = pages_put(&c->text.text, &page);
	return err ? err : scroll_split(&c->text);
}

static void draw_text(struct scene *c, const struct sight *s, struct state *st, struct grid *g)
{
	int end = g->rows - ROWS_FOOT;
	st->lines = c->text.lines.count;
	st->height = (size_t)(end - ROW_BODY);
	state_clamp(st);
	scroll_draw(&c->text, st->scroll, g, ROW_BODY, end, &s->look);
}

/* -- The lines at the bottom -- */

static void put_count(struct buf *out, const struct scene *c, const struct state *st)
{
	const struct lifetimes *l = &c->listing.lifetimes;
	char a[UNITS_MAX], b[UNITS_MAX];
	size_t last = st->top + st->height < st->rows ? st->top + st->height : st->rows;
	if (st->rows)
		buf_printf(out, "%s-%s of ", units_count(st->top + 1, a), units_count(last, b));
	text_count(out, st->rows, by_row(l->by)->word, by_row(l->by)->plural);
	if (l->hidden)
		buf_printf(out, " (%s small hidden)", units_count(l->hidden, a));
}

static void put_place(struct buf *out, const struct state *st)
{
	size_t last = st->scroll + st->height < st->lines ? st->scroll + st->height : st->lines;
	buf_printf(out, "lines %zu-%zu of %zu", st->lines ? st->scroll + 1 : 0, last, st->lines);
}

/* What is shown, in which order, on which clock, and how often anew. */
static void put_choices(
	struct buf *out, const struct scene *c, const struct sight *s, const struct state *st)
{
	static const char *const clocks[CLOCKS] = {[CLOCK_YOUNG] = "young GCs",
		[CLOCK_FULL] = "full GCs",
		[CLOCK_BYTES] = "MB allocated",
		[CLOCK_NS] = "time"};
	if (st->page == PAGE_TABLE)
		put_count(out, c, st);
	else
		put_place(out, st);
	if (*st->filter) {
		buf_printf(out, "%sfilter ", dot(s));
		text_clean(out, slice_str(st->filter));
	}
	buf_printf(out, "%ssort %s%slives in %s%severy %g s", dot(s), sort_word(st->sort), dot(s),
		clocks[state_clock(st)], dot(s), (double)st->every.v / 1e9);
}

static void draw_choices(
	const struct scene *c, const struct sight *s, const struct state *st, struct grid *g)
{
	struct buf line = {0};
	enum ink ink = INK_DIM;
	if (st->typing) {
		buf_put_str(&line, "filter: ");
		text_clean(&line, slice_str(st->typed));
		buf_put_str(&line, "_");
		ink = INK_BOLD;
	} else if (st->wrong.text[0]) {
		text_clean(&line, slice_str(st->wrong.text));
		ink = INK_WARN;
	} else if (s->model) {
		put_choices(&line, c, s, st);
	}
	scroll_line(g, g->rows - ROWS_FOOT, 0, g->columns, ink, buf_slice(&line), &s->look);
	buf_release(&line);
}

static int draw_key(struct grid *g, int column, const char *key, const char *word)
{
	int row = g->rows - 1, gap = g->columns < 100 ? 1 : 2;
	column = grid_put(g, row, column, g->columns, INK_BOLD, slice(key, strcspn(key, " ")));
	return gap + grid_put(g, row, column + 1, g->columns, INK_PLAIN, slice_str(word));
}

static void draw_keys(const struct state *st, struct grid *g)
{
	int column = 0;
	if (st->typing) {
		column = draw_key(g, column, "Enter", "take");
		draw_key(g, column, "Esc", "leave it");
		return;
	}
	if (st->page != PAGE_TABLE) {
		column = draw_key(g, column, "Esc", "back");
		if (g->columns >= (int)sizeof("Esc back Up/Down/PgUp/PgDn scroll h help q quit"))
			column = draw_key(g, column, "Up/Down/PgUp/PgDn", "scroll");
		column = draw_key(g, column, "h", "help");
		draw_key(g, column, "q", "quit");
		return;
	}
	/* What does not fit is in the help; how to get there, and away, always fits. */
	int end = g->columns - (int)sizeof("h help  q quit");
	for (int a = ACTION_NONE + 1; a < ACTIONS; a++) {
		const char *word = keys_word((enum action)a), *names = keys_names((enum action)a);
		bool needed = a == ACTION_HELP || a == ACTION_QUIT;
		if (word && (needed || column + (int)(strcspn(names, " ") + strlen(word)) < end))
			column = draw_key(g, column, names, word);
	}
}

/* -- All of it -- */

static int lay(struct scene *c, const struct sight *s, const struct state *st, int width)
{
	struct laid laid;
	memset(&laid, 0, sizeof(laid));
	laid.readings = c->readings;
	laid.page = st->page;
	laid.sort = st->sort;
	laid.clock = state_clock(st);
	laid.columns = st->columns;
	laid.width = width;
	if (memcmp(&laid, &c->laid, sizeof(laid)) == 0)
		return ERR_NONE;
	int err = st->page == PAGE_TABLE ? listing_lay(&c->listing, s, st, width)
					 : write_text(c, s, st, width);
	c->laid = laid;
	return err;
}

static int draw_body(struct scene *c, const struct sight *s, struct state *st, struct grid *g)
{
	int err = lay(c, s, st, g->columns);
	if (err)
		return err;
	strip_draw(g, ROW_STRIP, s->model, &s->look);
	draw_advice(s, g);
	if (st->page == PAGE_TABLE)
		return draw_table(c, s, st, g);
	draw_text(c, s, st, g);
	return ERR_NONE;
}

int scene_draw(struct scene *c, const struct sight *s, struct state *st, struct grid *g)
{
	int err = ERR_NONE;
	grid_clear(g);
	if (g->rows < SCENE_ROWS_MIN || g->columns < SCENE_COLUMNS_MIN) {
		grid_put(g, 0, 0, g->columns, INK_PLAIN, slice_str("too small a screen; q quits"));
		return ERR_NONE;
	}
	draw_head(c, s, st, g);
	if (s->model)
		err = draw_body(c, s, st, g);
	else
		grid_put(g, ROW_BODY, 0, g->columns, INK_PLAIN,
			slice_str("  reading it for the first time"));
	draw_choices(c, s, st, g);
	draw_keys(st, g);
	return err;
}
