#include <math.h>

#include "analyze/path.h"
#include "base/units.h"
#include "report/churn_view.h"
#include "report/column.h"
#include "report/screen.h"
#include "report/short.h"
#include "report/table.h"
#include "stat/share.h"

enum { PATHS = 3, PATH_SHOWN = 6 }; /* rows that have their call path; frames of it */
enum { LEFT_ROWS = 3, INDENT = 4 };

/* One window being written. */
struct pane {
	const struct churn_view *v;
	const struct churn_window *w;
	const struct window *look;
	struct total garbage; /* of all groups */
};

static double share(double part, double whole)
{
	return whole > 0 ? part / whole : (double)NAN;
}

/* A part of the window's garbage, as a share. */
static void put_share(struct buf *out, const struct pane *p, const struct total *part)
{
	struct estimate e = share_bytes(part, &p->garbage);
	put_percent(out, &p->v->view.look, e.value, fmax(e.hi - e.value, e.value - e.lo));
}

static void put_rate(struct buf *out, double bytes_per_s)
{
	char a[UNITS_MAX];
	buf_printf(out, "%s/s", units_bytes(bytes_per_s, a));
}

static void put_seconds(struct buf *out, uint64_t ns)
{
	buf_printf(out, "%.1f", (double)ns / 1e9);
}

static const char *dash(const struct churn_view *v)
{
	return text_mark(&v->view.look, "–", "-");
}

static void put_when(struct buf *out, const struct pane *p)
{
	put_seconds(out, p->w->from);
	buf_put_str(out, dash(p->v));
	put_seconds(out, p->w->to);
	buf_put_str(out, " s");
	if (!p->w->collections)
		return;
	buf_printf(out, ", GC %llu", (unsigned long long)p->w->first_gc);
	if (p->w->collections > 1)
		buf_printf(out, "%s%llu", dash(p->v),
			(unsigned long long)(p->w->first_gc + p->w->collections - 1));
}

static void put_head(struct buf *out, const struct pane *p, size_t number)
{
	const struct look *look = &p->v->view.look;
	const char *gap = "   ";
	size_t line = out->len;
	struct buf title = {0}, rate = {0}, pause = {0};
	buf_printf(&title, "#%zu  ", number + 1);
	put_when(&title, p);
	text_tone(out, look, TONE_BOLD, buf_text(&title));
	put_rate(&rate, p->w->rate);
	buf_put_str(&rate, " of garbage");
	if (p->v->churn->rate > 0)
		buf_printf(&rate, ", %.1f times the average", p->w->rate / p->v->churn->rate);
	line = text_join(out, look, line, gap, buf_text(&rate), INDENT);
	if (p->w->collections || p->w->pause) {
		double seconds = (double)(p->w->to - p->w->from);
		put_percent(&pause, look, (double)p->w->pause / seconds, 0);
		buf_put_str(&pause, " of the time in GC");
		text_join(out, look, line, gap, buf_text(&pause), INDENT);
	}
	buf_put_u8(out, '\n');
	buf_release(&title);
	buf_release(&rate);
	buf_release(&pause);
}

/* One line of shares under one of groups, of those from `first` on. */
static int put_some_groups(struct buf *out, const struct pane *p, int first, int end)
{
	struct table t = {0};
	int err = ERR_NONE;
	bool old = p->v->view.model->facts.deaths == DEATHS_OLD;
	table_column(&t, old ? "OLD GCs SURVIVED" : "GCs SURVIVED", "", false, false);
	for (int g = first; g < end; g++)
		table_column(&t, life_group(g)->text, "", true, false);
	buf_put_str(table_cell(&t), "of the garbage");
	err = table_next(&t);
	for (int g = first; g < end && !err; g++) {
		put_share(table_cell(&t), p, &p->look->dead[g]);
		err = table_next(&t);
	}
	err = err ? err : table_put(&t, out, &p->v->view.look);
	table_release(&t);
	return err;
}

/* Columns of the line that begins there. */
static size_t line_width(const struct buf *out, size_t begin)
{
	const uint8_t *line = out->at + begin, *end = memchr(line, '\n', out->len - begin);
	return end ? text_width(slice(line, (size_t)(end - line))) : 0;
}

/* Garbage by collections survived; in two halves where it is wider than the screen. */
static int put_groups(struct buf *out, const struct pane *p)
{
	const struct look *look = &p->v->view.look;
	size_t begin = out->len;
	int err = put_some_groups(out, p, 0, GROUPS);
	if (err || !look->width || line_width(out, begin) <= (size_t)look->width)
		return err;
	out->len = begin;
	err = put_some_groups(out, p, 0, GROUPS / 2);
	return err ? err : put_some_groups(out, p, GROUPS / 2, GROUPS);
}

static double died_bytes(const struct tally *t)
{
	return t->died.bytes.sum;
}

/* "← Parser.read:88 ← Server.loop:120 ← Main.main:31 (98 %)" behind the row's own frames. */
static void put_path(struct buf *out, const struct pane *p, const struct row *r)
{
	const struct model *m = p->v->view.model;
	const struct look *look = &p->v->view.look;
	struct path path =
		path_find(m, &p->look->garbage, r->class, row_frame(r, m, 0), died_bytes);
	size_t i = r->context.frames, last = 0;
	struct buf line = {0};
	for (size_t shown = 0; i < path.count && shown < PATH_SHOWN; i++, shown++) {
		buf_put_str(&line, shown ? " " : "");
		buf_put_str(&line, text_mark(look, "← ", "<- "));
		short_frame(&line, m, path.frames[i], true);
		last = i;
	}
	if (last) {
		if (path.shares[last] < 0.995)
			buf_printf(&line, " (%.0f %%)", 100 * path.shares[last]);
		text_blanks(out, 6);
		text_clip(out, buf_slice(&line), look->width ? (size_t)look->width - 6 : SIZE_MAX,
			look);
		buf_put_u8(out, '\n');
	}
	buf_release(&line);
}

/* Before column_made_at. */
static const char *const heads[][2] = {
	{"GARBAGE", ""}, {"RATE", "MB/s"}, {"DIES IN", "GC 0"}, {"OBJECT", ""}};

static int put_cells(struct table *t, const struct pane *p, const struct row *r)
{
	const struct look *look = &p->v->view.look;
	double whole = p->garbage.bytes.sum, part = r->tally.died.bytes.sum;
	struct buf *cell = table_cell(t);
	struct total garbage = window_garbage(p->look, &r->tally);
	put_share(cell, p, &garbage);
	int err = table_next(t);
	buf_printf(cell, "%.*f", share(part, whole) * p->w->rate < 9.95e6,
		share(part, whole) * p->w->rate / 1e6);
	err = err ? err : table_next(t);
	put_percent(cell, look, fmin(share(r->tally.infant.bytes.sum, part), 1), 0);
	err = err ? err : table_next(t);
	if (r->class)
		short_simple(cell, defs_class_name(&p->v->view.model->defs, r->class));
	err = err ? err : table_next(t);
	if (r->by == BY_SITE)
		short_place(cell, p->v->view.model, r, look);
	else if (r->by != BY_CLASS)
		text_clean(cell, slice_str(r->label));
	return err ? err : table_next(t);
}

static int put_row_table(struct buf *out, const struct pane *p, const struct lifetimes *l)
{
	struct table t = {0};
	int err = ERR_NONE;
	for (size_t c = 0; c < ARRAY_SIZE(heads); c++)
		table_column(&t, heads[c][0], heads[c][1], c < 3, false);
	table_column(&t, column_made_at(l->by), "", false, true);
	for (size_t r = 0; r < l->rows.count && !err; r++)
		err = put_cells(&t, p, &l->rows.at[r]);
	err = err ? err : table_put(&t, out, &p->v->view.look);
	table_release(&t);
	return err;
}

static int put_rows(struct buf *out, const struct pane *p)
{
	struct lifetimes l;
	struct view v = p->v->view;
	int err = lifetimes_find(&l, v.model, &p->look->garbage, &p->v->query);
	if (err)
		return err;
	v.lifetimes = &l;
	if (l.rows.count)
		err = put_row_table(out, p, &l);
	else
		buf_put_str(out, "  No sampled object died in it that passes the filter.\n");
	screen_hidden(out, &v, "--json");
	if (l.rows.count && l.by == BY_SITE)
		buf_put_str(out, "  most of it comes by:\n");
	for (size_t r = 0; r < l.rows.count && r < PATHS && l.by == BY_SITE; r++) {
		text_blanks(out, 4);
		short_place(out, v.model, &l.rows.at[r], &v.look);
		buf_put_u8(out, '\n');
		put_path(out, p, &l.rows.at[r]);
	}
	lifetimes_release(&l);
	return err;
}

/* "4.2 MB (0.3 % of what it allocated) outlived it: Order Parser.order:40, …". */
static int put_left(struct buf *out, const struct pane *p)
{
	struct query q = {
		.by = BY_SITE, .sort = SORT_ALIVE, .limit = LEFT_ROWS, .where = p->v->query.where};
	const struct view *v = &p->v->view;
	struct lifetimes l;
	char a[UNITS_MAX];
	struct buf line = {0};
	int err = lifetimes_find(&l, v->model, &p->look->outlived, &q);
	if (err)
		return err;
	buf_printf(&line, "%s that it allocated outlived it%s",
		units_bytes(p->look->left.bytes.sum, a), l.rows.count ? ": " : ".");
	for (size_t r = 0; r < l.rows.count; r++) {
		buf_put_str(&line, r ? ", " : "");
		short_simple(&line, defs_class_name(&v->model->defs, l.rows.at[r].class));
		buf_put_str(&line, " of ");
		short_place(&line, v->model, &l.rows.at[r], &v->look);
	}
	screen_sentence(out, v, buf_text(&line));
	buf_release(&line);
	lifetimes_release(&l);
	return err;
}

static int put_window(struct buf *out, const struct churn_view *v, size_t i)
{
	struct pane p = {.v = v, .w = &v->churn->windows.at[i], .look = &v->churn->looks.list[i]};
	for (int g = 0; g < GROUPS; g++)
		total_merge(&p.garbage, &p.look->dead[g]);
	buf_put_u8(out, '\n');
	put_head(out, &p, i);
	int err = p.garbage.n ? put_groups(out, &p) : ERR_NONE;
	if (p.garbage.n)
		buf_put_u8(out, '\n');
	err = err ? err : put_rows(out, &p);
	return err ? err : put_left(out, &p);
}

static const char *step_word(const struct churn *c)
{
	return c->series.basis == SERIES_SECONDS ? "seconds" : "GCs";
}

/* Steps of a long run are of several seconds each. */
static uint64_t step_count(const struct series *s)
{
	size_t n = s->steps.count;
	return s->basis == SERIES_SECONDS && n ? s->steps.at[n - 1].to / 1000000000u : n;
}

static void put_summary(struct buf *out, const struct churn_view *v)
{
	const struct churn *c = v->churn;
	char a[UNITS_MAX];
	if (c->series.basis == SERIES_NONE) {
		text_wrap(out, &v->view.look,
			c->by_hand ? "The window chosen; the recording is too short for an "
				     "average: 10 GCs or 10 seconds are needed."
				   : "The recording is too short to tell windows of it apart: 10 "
				     "GCs or 10 seconds are needed.",
			0, 2);
		return;
	}
	if (c->windows.count && !c->by_hand)
		text_count(out, c->windows.count, "window stands out", "windows stand out");
	else
		buf_put_str(
			out, c->by_hand ? "The window chosen, of a run" : "No window stands out");
	buf_printf(out, " of %s %s, ", units_count(step_count(&c->series), a), step_word(c));
	put_rate(out, c->rate);
	buf_printf(out, " of garbage on average%s\n", c->windows.count ? "" : ".");
}

static void put_engine(struct buf *out, const struct churn_view *v)
{
	size_t counted = 0;
	for (size_t i = 0; i < v->churn->looks.count; i++)
		counted += v->churn->looks.list[i].counted;
	screen_engine(out, &v->view,
		counted < v->churn->looks.count
			? ", but what was garbage in a window that no GC ends, or whose GCs were "
			  "not "
			  "all accounted for, is an estimate from samples"
			: ": garbage that young GCs found was counted; what died old or outlived a "
			  "window, and callers, are estimates from samples");
}

int churn_screen_put(struct buf *out, const struct churn_view *v)
{
	int err = ERR_NONE;
	screen_title(out, &v->view);
	put_engine(out, v);
	put_summary(out, v);
	for (size_t i = 0; i < v->churn->windows.count && !err; i++)
		err = put_window(out, v, i);
	if (v->view.notes->list.count)
		buf_put_u8(out, '\n');
	screen_notes(out, &v->view);
	return err ? err : out->failed ? ERR_NOMEM : ERR_NONE;
}
