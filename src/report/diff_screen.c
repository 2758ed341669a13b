#include <math.h>
#include <stdio.h>

#include "base/units.h"
#include "report/column.h"
#include "report/diff_view.h"
#include "report/short.h"
#include "report/table.h"

static double percent(double ratio)
{
	return 100 * (ratio - 1);
}

/* Wider ratios are told as factors. */
#define FACTOR 3.0

static void put_ratio(struct buf *out, const struct look *look, double ratio)
{
	double p = percent(ratio);
	if (ratio >= FACTOR)
		buf_printf(out, "%s%.*f", text_mark(look, "×", "x"), ratio < 9.95, ratio);
	else if (fabs(p) < 0.05)
		buf_put_str(out, text_mark(look, "±0 %", "+-0 %"));
	else
		buf_printf(out, "%s%.*f %%", p < 0 ? text_mark(look, "−", "-") : "+",
			fabs(p) < 9.95, fabs(p));
}

void diff_put_change(struct buf *out, const struct look *look, const struct change *c)
{
	if (isnan(c->ratio)) {
		buf_put_str(out, text_mark(look, "–", "-"));
		return;
	}
	if (isinf(c->ratio) || c->ratio <= 0) {
		buf_put_str(out, c->ratio > 0 ? "new" : "gone");
		return;
	}
	put_ratio(out, look, c->ratio);
	if (!isnan(c->lo) && c->ratio < FACTOR) {
		char text[32];
		double half = 100 * fmax(c->hi - c->ratio, c->ratio - c->lo);
		if (half > 100)
			snprintf(text, sizeof(text), " %s>100", text_mark(look, "±", "+-"));
		else
			snprintf(text, sizeof(text), " %s%.*f", text_mark(look, "±", "+-"),
				half < 0.95, half < 0.95 ? ceil(10 * half) / 10 : ceil(half));
		text_tone(out, look, TONE_DIM, text);
	}
}

static void put_side(
	struct buf *out, const struct diff_view *v, const char *name, const struct diff_side *s)
{
	const struct model *m = s->group->runs[0].model;
	char length[UNITS_MAX];
	text_tone(out, &v->look, TONE_BOLD, name);
	buf_put_str(out, "  ");
	for (size_t i = 0; i < s->group->count; i++) {
		buf_put_str(out, i ? " " : "");
		text_clean(out, slice_str(s->files[i]));
	}
	const char *dot = text_mark(&v->look, " · ", ", ");
	buf_printf(out, "   %s", units_time((double)m->now.time, length));
	static const char *const keys[] = {"jdk.version", "gc"};
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++) {
		struct slice value = facts_get(&m->facts, &m->defs.texts, keys[i]);
		buf_put_str(out, value.len ? dot : "");
		buf_put_str(out, value.len && !i ? "JDK " : "");
		text_clean(out, value);
	}
	if (m->exact.births.objects)
		buf_printf(out, "%sexact engine", dot);
	buf_put_u8(out, '\n');
}

static void put_value(struct buf *out, const struct look *look, enum unit unit, double value)
{
	char text[UNITS_MAX];
	if (isnan(value)) {
		buf_put_str(out, text_mark(look, "–", "-"));
		return;
	}
	switch (unit) {
	case UNIT_BYTES:
		buf_put_str(out, units_bytes(value, text));
		break;
	case UNIT_NS:
		buf_put_str(out, units_time(value, text));
		break;
	case UNIT_COUNT:
	default:
		buf_printf(out, "%.*f", value < 99.5 && value > 0 && value != floor(value), value);
		break;
	}
}

static bool per_second(const struct diff_view *v, enum figure f)
{
	return v->diff->per == PER_SECOND && figure_row(f)->rate;
}

static int put_figure(struct table *t, const struct diff_view *v, enum figure f)
{
	const struct change *c = &v->diff->figures[f];
	const struct figure_row *row = figure_row(f);
	struct buf *cell = table_cell(t);
	buf_printf(cell, "%s%s", row->what, per_second(v, f) ? " a second" : "");
	int err = table_next(t);
	put_value(cell, &v->look, row->unit, c->a);
	err = err ? err : table_next(t);
	put_value(cell, &v->look, row->unit, c->b);
	err = err ? err : table_next(t);
	diff_put_change(cell, &v->look, c);
	err = err ? err : table_next(t);
	if (!isnan(c->p) && c->p > DIFF_ALPHA)
		buf_put_str(cell, "may be chance");
	return err ? err : table_next(t);
}

static bool has_figure(const struct change *c)
{
	return c->a > 0 || c->b > 0;
}

static int put_figures(struct buf *out, const struct diff_view *v)
{
	struct table t = {0};
	int err = ERR_NONE;
	static const char *const heads[] = {"", "A", "B", "CHANGE", ""};
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		table_column(&t, heads[i], "", i > 0 && i < 4, false);
	for (enum figure f = 0; f < FIGURES && !err; f++)
		if (has_figure(&v->diff->figures[f]))
			err = put_figure(&t, v, f);
	err = err ? err : table_put(&t, out, &v->look);
	table_release(&t);
	return err;
}

static void put_place(struct buf *out, const struct diff_view *v, const struct diff_row *r)
{
	if (v->diff->by == BY_CLASS)
		return;
	if (v->diff->by == BY_SITE || v->diff->by == BY_METHOD)
		short_method(out, slice_str(r->place));
	else
		text_clean(out, slice_str(r->place));
	if (r->line_b || r->line_a)
		buf_printf(out, ":%u", r->line_b ? r->line_b : r->line_a);
	if (r->line_a && r->line_b && r->line_a != r->line_b)
		buf_printf(out, " (was :%u)", r->line_a);
}

static void put_lives(struct buf *out, const struct diff_view *v, const struct diff_row *r)
{
	if (isnan(r->one_a) || isnan(r->one_b) || !(r->one_a > 0 || r->one_b > 0))
		return;
	if (r->lives_changed || r->changed) {
		put_percent(out, &v->look, r->one_a, 0);
		buf_put_str(out, text_mark(&v->look, " → ", " -> "));
		put_percent(out, &v->look, r->one_b, 0);
	}
}

static void put_more(struct buf *out, const struct look *look, double more)
{
	char text[UNITS_MAX];
	if (isnan(more))
		buf_put_str(out, text_mark(look, "–", "-"));
	else
		buf_printf(out, "%s%s", more < 0 ? text_mark(look, "−", "-") : "+",
			units_bytes(fabs(more), text));
}

static int put_cells(struct table *t, const struct diff_view *v, const struct diff_row *r)
{
	struct buf *cell = table_cell(t);
	put_more(cell, &v->look, r->alloc.b - r->alloc.a);
	int err = table_next(t);
	diff_put_change(cell, &v->look, &r->alloc);
	err = err ? err : table_next(t);
	put_value(cell, &v->look, UNIT_BYTES, r->alloc.a);
	err = err ? err : table_next(t);
	put_value(cell, &v->look, UNIT_BYTES, r->alloc.b);
	err = err ? err : table_next(t);
	put_lives(cell, v, r);
	err = err ? err : table_next(t);
	if (r->class)
		short_simple(cell, slice_str(r->class));
	err = err ? err : table_next(t);
	put_place(cell, v, r);
	return err ? err : table_next(t);
}

static bool shown(const struct diff_view *v, const struct diff_row *r)
{
	return v->all || r->changed || r->lives_changed;
}

/* What the table had no room for stands in `tell`. */
static int put_rows(struct buf *out, const struct diff_view *v, size_t *put, struct buf *tell)
{
	struct table t = {0};
	int err = ERR_NONE;
	const char *unit = v->diff->per == PER_SECOND ? "bytes/s" : "bytes";
	table_column(&t, "MORE", unit, true, false);
	table_column(&t, "CHANGE", "", true, false);
	table_column(&t, "A", unit, true, false);
	table_spares(&t, 1); /* MORE and B tell it */
	table_column(&t, "B", unit, true, false);
	table_column(&t, "SURVIVES", "1 GC", true, false);
	table_spares(&t, 2);
	table_column(&t, "OBJECT", "", false, false);
	table_gives(&t, TABLE_NAME_LEAST);
	table_column(&t, column_made_at(v->diff->by), "", false, true);
	for (size_t i = 0; i < v->diff->rows.count && !err; i++) {
		if (!shown(v, &v->diff->rows.at[i]) || (v->limit && *put >= v->limit))
			continue;
		err = put_cells(&t, v, &v->diff->rows.at[i]);
		++*put;
	}
	err = err || !*put ? err : table_put(&t, out, &v->look);
	table_tell(&t, tell, &v->look);
	table_release(&t);
	return err;
}

static void put_folded(struct buf *out, const struct diff_view *v, size_t put)
{
	const struct by_row *by = by_row(v->diff->by);
	size_t all = v->diff->rows.count, wanted = v->all ? all : v->diff->changed;
	char text[UNITS_MAX];
	if (wanted > put)
		buf_printf(out, "  %s more %s (--limit to show)\n", units_count(wanted - put, text),
			wanted - put == 1 ? by->word : by->plural);
	if (all <= wanted)
		return;
	buf_printf(out,
		wanted ? "  %s other %s did not change by more than chance explains (--all to "
			 "show)\n"
		       : "  None of %s %s changed by more than chance explains (--all to show)\n",
		units_count(all - wanted, text), all - wanted == 1 ? by->word : by->plural);
}

static void put_sentences(
	struct buf *out, const struct diff_view *v, const struct notes *n, const char *before)
{
	for (size_t i = 0; i < n->list.count; i++) {
		struct buf line = {0};
		buf_put_str(&line, before);
		text_clean(&line, slice_str(n->list.at[i]));
		text_blanks(out, 2);
		text_wrap(out, &v->look, buf_text(&line), 2, 4);
		buf_release(&line);
	}
}

int diff_screen_put(struct buf *out, const struct diff_view *v)
{
	size_t put = 0;
	struct buf tell = {0};
	put_side(out, v, "A", &v->a);
	put_side(out, v, "B", &v->b);
	buf_put_u8(out, '\n');
	int err = put_figures(out, v);
	buf_put_u8(out, '\n');
	err = err ? err : put_rows(out, v, &put, &tell);
	put_folded(out, v, put);
	buf_put(out, tell.at, tell.len);
	out->failed = tell.failed ? tell.failed : out->failed;
	buf_release(&tell);
	if (v->notes->list.count || v->failures->list.count)
		buf_put_u8(out, '\n');
	put_sentences(out, v, v->notes, "note: ");
	put_sentences(out, v, v->failures, "FAILED: ");
	return err ? err : out->failed ? ERR_NOMEM : ERR_NONE;
}
