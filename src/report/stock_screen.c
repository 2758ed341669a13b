#include <math.h>

#include "base/error.h"
#include "base/units.h"
#include "report/bars.h"
#include "report/column.h"
#include "report/heap_view.h"
#include "report/screen.h"
#include "report/short.h"
#include "report/stock_view.h"
#include "report/table.h"

static bool is_open(const struct stock_view *v)
{
	return v->stock->no_bound || v->stock->astray;
}

const char *stock_basis(const struct stock_view *v, const struct stock_row *r)
{
	return r->sure ? "counted" : is_open(v) || r->sampled.n ? "estimate" : "at least";
}

static void put_quantity(struct buf *out, struct quantity q)
{
	char bytes[UNITS_MAX];
	text_count(out, q.objects, "object", "objects");
	buf_printf(out, " in %s", units_bytes((double)q.bytes, bytes));
}

static struct quantity young_of(const struct stock_row *r)
{
	return quantity_less(r->counted, r->old);
}

static void put_moment(struct buf *out, const struct stock_view *v)
{
	char at[UNITS_MAX];
	size_t gc = heap_gc(v->view.model, v->moment->time);
	units_time((double)v->moment->time, at);
	if (v->stock->end)
		buf_printf(out, "at the end, %s: ", at);
	else
		buf_printf(out, "after GC %zu, at %s: ", gc, at);
}

/* Half the wider side of the interval; not there where it is nothing, or open. */
static void put_half(struct buf *out, const struct stock_view *v, struct estimate e)
{
	char a[UNITS_MAX];
	double half = fmax(e.hi - e.value, e.value - e.lo);
	if (half >= 1 && isfinite(half))
		buf_printf(out, " %s%s", text_mark(&v->view.look, "±", "+-"), units_bytes(half, a));
}

static void put_old(struct buf *out, const struct stock_view *v)
{
	const struct stock_row *all = &v->rows->all;
	char most[UNITS_MAX];
	buf_printf(out, "%sin the old one ", text_mark(&v->view.look, " · ", ", "));
	put_quantity(out, all->old);
	if (all->sure) {
		buf_put_str(out, ", counted: all there is");
		return;
	}
	buf_put_str(out, " since it was last collected, counted; of what came before ");
	if (is_open(v))
		buf_put_str(out, "it is not known how much there can be");
	else
		buf_printf(out, "at most %s", units_bytes((double)all->most.bytes, most));
}

static void put_head(struct buf *out, const struct stock_view *v)
{
	const struct stock_row *all = &v->rows->all;
	struct buf line = {0};
	char a[UNITS_MAX];
	put_moment(&line, v);
	buf_put_str(&line, units_bytes(all->alive.bytes.value, a));
	put_half(&line, v, all->alive.bytes);
	buf_put_str(&line, " of what was allocated since recording began");
	if (v->moment->vm_used)
		buf_printf(&line, "; the VM had %s in use after GC %zu",
			units_bytes((double)v->moment->vm_used, a),
			heap_gc(v->view.model, v->moment->time));
	screen_line(out, &v->view.look, &line);
	buf_put_str(&line, "in the young generation ");
	put_quantity(&line, young_of(all));
	buf_put_str(&line, ", counted");
	put_old(&line, v);
	screen_line(out, &v->view.look, &line);
}

/* Of what is counted: those born since the last collection, or that survived 1, 2, … 13, or more in
 * the young generation; and those in the old one. */
static void put_ages(struct buf *out, const struct stock_view *v, const struct stock_row *r)
{
	double shares[BARS] = {0}, counted = (double)r->counted.bytes;
	if (!(counted > 0))
		return;
	for (size_t k = 0; k <= COUNTS_AGES; k++) {
		size_t bar = k < BARS - 2 ? k : BARS - 2;
		shares[bar] += (double)r->young[k].bytes / counted;
	}
	shares[BARS - 1] = (double)r->old.bytes / counted;
	bars_put_shares(out, shares, &v->view.look);
}

static void put_bytes(struct buf *out, struct quantity q)
{
	char a[UNITS_MAX];
	if (q.bytes)
		buf_put_str(out, units_bytes((double)q.bytes, a));
}

static void put_most(struct buf *out, const struct stock_view *v, const struct stock_row *r)
{
	if (is_open(v))
		buf_put_str(out, "?");
	else
		put_bytes(out, r->most);
}

static void put_alive(struct buf *out, const struct stock_view *v, const struct stock_row *r)
{
	char a[UNITS_MAX];
	if (!r->sure && !r->sampled.n)
		buf_put_str(out, text_mark(&v->view.look, "≥", ">="));
	buf_put_str(out, units_bytes(r->alive.bytes.value, a));
	if (r->sampled.n)
		put_half(out, v, r->alive.bytes);
}

static void put_place(struct buf *out, const struct stock_view *v, const struct stock_row *r)
{
	const struct model *m = v->view.model;
	enum by by = v->rows->by;
	if (by == BY_PACKAGE)
		text_clean(out, slice_str(r->label));
	else if (by != BY_CLASS)
		short_frame(out, m, m->defs.sites.at[r->site].frame, by == BY_SITE);
}

static void put_share(struct buf *cell, const struct stock_view *v, const struct stock_row *r)
{
	double all = v->rows->all.alive.bytes.value;
	put_percent(cell, &v->view.look, all > 0 ? r->alive.bytes.value / all : (double)NAN, 0);
}

static void put_objects(struct buf *cell, const struct stock_view *v, const struct stock_row *r)
{
	char a[UNITS_MAX];
	(void)v;
	buf_put_str(cell, units_count((uint64_t)llround(r->alive.objects.value), a));
}

static void put_young(struct buf *cell, const struct stock_view *v, const struct stock_row *r)
{
	(void)v;
	put_bytes(cell, young_of(r));
}

static void put_sure(struct buf *cell, const struct stock_view *v, const struct stock_row *r)
{
	(void)v;
	put_bytes(cell, r->old);
}

static void put_class(struct buf *cell, const struct stock_view *v, const struct stock_row *r)
{
	if (r->class)
		short_simple(cell, defs_class_name(&v->view.model->defs, r->class));
}

enum { AGE_SPARE = 3 };

static const struct {
	const char *head[2]; /* NULL: of the ages, by the look; of the place, column_made_at */
	bool right, gives;
	int spare; /* what is left out first of a narrow screen: what the others tell nearly */
	void (*put)(struct buf *, const struct stock_view *, const struct stock_row *);
} columns[] = {
	{{"ALIVE", ""}, true, false, 0, put_share},
	{{"", ""}, true, false, 0, put_alive},
	{{"OBJECTS", ""}, true, false, 2, put_objects},
	{{"YOUNG", "counted"}, true, false, 1, put_young},
	{{"OLD", "counted"}, true, false, 0, put_sure},
	{{"", "+ at most"}, true, false, 0, put_most},
	{{"AGE", NULL}, false, false, AGE_SPARE, put_ages},
	{{"OBJECT", ""}, false, true, 0, put_class},
	{{NULL, ""}, false, false, 0, put_place},
};

/* Whether the ages found room; what did not stands in `tell`. */
static int put_rows(struct buf *out, const struct stock_view *v, bool *ages_in, struct buf *tell)
{
	struct table t = {0};
	int err = ERR_NONE;
	const char *ages = text_mark(&v->view.look, "0………5…………10……old", "0....5....10..old");
	for (size_t c = 0; c < ARRAY_SIZE(columns); c++) {
		const char *second = columns[c].head[1] ? columns[c].head[1] : ages;
		const char *first = columns[c].put == put_place ? column_made_at(v->rows->by)
								: columns[c].head[0];
		table_column(&t, first, second, columns[c].right, c + 1 == ARRAY_SIZE(columns));
		if (columns[c].gives)
			table_gives(&t, TABLE_NAME_LEAST);
		if (columns[c].spare)
			table_spares(&t, columns[c].spare);
	}
	for (size_t i = 0; i < v->rows->rows.count; i++)
		for (size_t c = 0; c < ARRAY_SIZE(columns) && !err; c++) {
			columns[c].put(table_cell(&t), v, &v->rows->rows.at[i]);
			err = table_next(&t);
		}
	err = err ? err : table_put(&t, out, &v->view.look);
	table_tell(&t, tell, &v->view.look);
	for (size_t c = 0; c < t.count; c++)
		*ages_in &= !t.columns[c].left_out || t.columns[c].spare != AGE_SPARE;
	table_release(&t);
	return err;
}

static void put_hidden(struct buf *out, const struct stock_view *v)
{
	const struct stock_rows *r = v->rows;
	char count[UNITS_MAX], bytes[UNITS_MAX];
	if (!r->hidden)
		return;
	buf_printf(out, "  %s more %s, together %s (%s to show)\n", units_count(r->hidden, count),
		r->hidden == 1 ? by_row(r->by)->word : by_row(r->by)->plural,
		units_bytes(r->hidden_bytes, bytes), r->limited ? "--limit" : "--min");
}

static void put_legend(struct buf *out, const struct stock_view *v, bool ages_in)
{
	struct buf line = {0};
	screen_sentence(out, &v->view,
		"YOUNG, OLD counted: every object that stands in the young generation, and that "
		"came to the old one since anything there was found dead; the dead count until a "
		"GC finds them.");
	if (!v->rows->all.sure) {
		buf_printf(&line,
			"at most: what came to the old generation before, and may have been found "
			"dead there. ALIVE and OBJECTS with %s are estimates from samples, within "
			"these bounds; with %s nothing was sampled; the others are counted.",
			text_mark(&v->view.look, "±", "+-"), text_mark(&v->view.look, "≥", ">="));
		screen_sentence(out, &v->view, buf_text(&line));
	}
	if (ages_in)
		screen_sentence(out, &v->view,
			"AGE: of what is counted, how many GCs it had survived in the young "
			"generation, and what is in the old one.");
	buf_release(&line);
}

int stock_screen_put(struct buf *out, const struct stock_view *v)
{
	int err = ERR_NONE;
	bool ages_in = true;
	struct buf tell = {0};
	screen_title(out, &v->view);
	put_head(out, v);
	buf_put_u8(out, '\n');
	if (v->rows->rows.count)
		err = put_rows(out, v, &ages_in, &tell);
	else
		screen_nothing(
			out, v->rows->hidden, "  Nothing that passes the filter was there.\n");
	put_hidden(out, v);
	buf_put_u8(out, '\n');
	if (v->rows->rows.count)
		put_legend(out, v, ages_in);
	buf_put(out, tell.at, tell.len);
	out->failed = tell.failed ? tell.failed : out->failed;
	buf_release(&tell);
	screen_notes(out, &v->view);
	return err ? err : out->failed ? ERR_NOMEM : ERR_NONE;
}

int stock_notes(struct notes *n, const struct stock *s)
{
	char a[UNITS_MAX], b[UNITS_MAX];
	int err = ERR_NONE;
	if (s->unknown.objects)
		err = notes_add(n,
			"%s objects (%s) that this collection found alive have no site (they are "
			"older than the recording or than a full GC): they are not in what is "
			"counted.",
			units_count(s->unknown.objects, a),
			units_bytes((double)s->unknown.bytes, b));
	if (!err && s->strayed.objects)
		err = notes_add(n,
			"Objects lost their sites by then (found alive without one %s times): they "
			"count as dead, so bounds can be too low by as many.",
			units_count(s->strayed.objects, a));
	if (!err && s->no_bound)
		err = notes_add(n,
			"What came to the old generation before the stretch that is left of the "
			"recording is not told: there is no bound of it.");
	if (!err && s->astray)
		err = notes_add(n,
			"A full GC came behind a young one that could not move all, and how many "
			"objects lost their sites in it is not known: there is no bound of what is "
			"in the old generation.");
	return err;
}
