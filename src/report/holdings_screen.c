#include "base/error.h"
#include "base/units.h"
#include "report/bars.h"
#include "report/column.h"
#include "report/screen.h"
#include "report/short.h"
#include "report/holdings_view.h"
#include "report/table.h"

static const struct record_heap_count *head(const struct holdings_view *v)
{
	return &v->view.model->heap.head;
}

static void put_quantity(struct buf *out, struct quantity q)
{
	char bytes[UNITS_MAX];
	buf_printf(out, "%s in ", units_bytes((double)q.bytes, bytes));
	text_count(out, q.objects, "object", "objects");
}

static void put_cost(struct buf *out, const struct holdings_view *v, const struct gc *gc)
{
	char pause[UNITS_MAX], cost[UNITS_MAX];
	units_time((double)head(v)->cost, cost);
	if (gc)
		buf_printf(out, "; the pause took %s, and the count %s",
			units_time((double)gc->pause, pause), cost);
	else
		buf_printf(out, "; the count took %s of the pause", cost);
}

static void put_head(struct buf *out, const struct holdings_view *v)
{
	char a[UNITS_MAX];
	const struct gc *gc = holdings_gc(v->view.model);
	const struct gc *first = v->view.model->gcs.list.at;
	if (gc)
		buf_printf(out, "after GC %llu",
			(unsigned long long)model_gc_number(v->view.model, (size_t)(gc - first)));
	else
		buf_put_str(out, "after a GC");
	buf_printf(out, " (%s), at %s: ",
		head(v)->flags & HOLDINGS_FORCED    ? "full, forced for this"
		: head(v)->flags & HOLDINGS_GARBAGE ? "young"
						    : "full",
		units_time((double)head(v)->time, a));
	put_quantity(out, v->holdings->all);
	if (gc && gc->heap_after)
		buf_printf(out, "; the VM had %s in use", units_bytes((double)gc->heap_after, a));
	put_cost(out, v, gc);
	buf_put_u8(out, '\n');
}

static void put_known(struct buf *out, const struct holdings_view *v)
{
	struct quantity known = {head(v)->known, head(v)->known_bytes},
			unknown = {head(v)->unknown, head(v)->unknown_bytes};
	put_quantity(out, known);
	buf_put_str(out, " known by site");
	if (unknown.objects) {
		buf_put_str(out, text_mark(&v->view.look, " · ", ", "));
		put_quantity(out, unknown);
		buf_put_str(out, " older than the recording, or without a site");
	}
	buf_put_u8(out, '\n');
}

/* Of its bytes with a site: those that survived 1, 2, … 15 collections, and those in the old
 * generation. */
static void put_ages(struct buf *out, const struct holdings_view *v, const struct holdings_row *r)
{
	double shares[BARS], known = (double)r->all.bytes - (double)r->unknown.bytes;
	struct quantity last = r->young[BARS - 2];
	if (!(known > 0))
		return;
	quantity_add(&last, r->young[BARS - 1]);
	for (int i = 0; i < BARS - 2; i++)
		shares[i] = (double)r->young[i].bytes / known;
	shares[BARS - 2] = (double)last.bytes / known;
	shares[BARS - 1] = (double)r->old.bytes / known;
	bars_put_shares(out, shares, &v->view.look);
}

static void put_place(struct buf *out, const struct holdings_view *v, const struct holdings_row *r)
{
	const struct model *m = v->view.model;
	bool packages = v->holdings->by == BY_PACKAGE;
	if (r->rest || packages)
		text_clean(out, slice_str(r->label));
	else if (v->holdings->by != BY_CLASS)
		short_frame(out, m, m->defs.sites.at[r->site].frame, v->holdings->by == BY_SITE);
}

static int put_cells(struct table *t, const struct holdings_view *v, const struct holdings_row *r)
{
	struct buf *cell = table_cell(t);
	char a[UNITS_MAX];
	double all = (double)v->holdings->all.bytes;
	put_percent(cell, &v->view.look, all > 0 ? (double)r->all.bytes / all : 0, 0);
	int err = table_next(t);
	buf_put_str(cell, units_bytes((double)r->all.bytes, a));
	err = err ? err : table_next(t);
	buf_put_str(cell, units_count(r->all.objects, a));
	err = err ? err : table_next(t);
	if (r->old.bytes)
		buf_put_str(cell, units_bytes((double)r->old.bytes, a));
	err = err ? err : table_next(t);
	if (r->unknown.bytes && !r->rest)
		buf_put_str(cell, units_bytes((double)r->unknown.bytes, a));
	err = err ? err : table_next(t);
	put_ages(cell, v, r);
	err = err ? err : table_next(t);
	if (r->class)
		short_simple(cell, defs_class_name(&v->view.model->defs, r->class));
	else if (v->holdings->by == BY_CLASS)
		text_clean(cell, slice_str(r->label));
	err = err ? err : table_next(t);
	put_place(cell, v, r);
	return err ? err : table_next(t);
}

static int put_rows(struct buf *out, const struct holdings_view *v)
{
	struct table t = {0};
	int err = ERR_NONE;
	const char *ages = text_mark(&v->view.look, "1………5……………10……old", "1...5....10..old");
	table_column(&t, "ALIVE", "", true, false);
	table_column(&t, "", "", true, false);
	table_column(&t, "OBJECTS", "", true, false);
	table_spares(&t, 1);
	table_column(&t, "OLD", "", true, false);
	table_column(&t, "OLDER", "", true, false);
	table_column(&t, "AGE", ages, false, false);
	table_column(&t, "OBJECT", "", false, false);
	table_gives(&t, TABLE_NAME_LEAST);
	table_column(&t, "MADE AT", "", false, true);
	for (size_t i = 0; i < v->holdings->rows.count && !err; i++)
		err = put_cells(&t, v, &v->holdings->rows.at[i]);
	err = err ? err : table_put(&t, out, &v->view.look);
	table_release(&t);
	return err;
}

static void put_hidden(struct buf *out, const struct holdings_view *v)
{
	const struct holdings *s = v->holdings;
	char count[UNITS_MAX];
	if (!s->hidden)
		return;
	buf_printf(out, "  %s more %s, together ", units_count(s->hidden, count),
		s->hidden == 1 ? by_row(s->by)->word : by_row(s->by)->plural);
	put_quantity(out, s->hidden_sum);
	buf_printf(out, " (%s to show)\n", s->limited ? "--limit" : "--min");
}

static void put_legend(struct buf *out, const struct holdings_view *v)
{
	bool old = false, older = false;
	for (size_t i = 0; i < v->holdings->rows.count; i++) {
		const struct holdings_row *r = &v->holdings->rows.at[i];
		old |= r->old.bytes > 0;
		older |= r->unknown.bytes && !r->rest;
	}
	if (old)
		screen_sentence(out, &v->view, "OLD: what of it is in the old generation.");
	if (older)
		screen_sentence(out, &v->view,
			"OLDER: what of it is older than the recording, or has no site.");
	screen_sentence(out, &v->view,
		"AGE: how many collections its bytes had survived in the young generation, and "
		"what is in the old one. Every object is counted; nothing is estimated.");
}

int holdings_screen_put(struct buf *out, const struct holdings_view *v)
{
	int err = ERR_NONE;
	screen_title(out, &v->view);
	put_head(out, v);
	put_known(out, v);
	buf_put_u8(out, '\n');
	if (v->holdings->rows.count)
		err = put_rows(out, v);
	else
		screen_nothing(out, v->holdings->hidden, "  Nothing passes the filter.\n");
	put_hidden(out, v);
	buf_put_u8(out, '\n');
	put_legend(out, v);
	screen_notes(out, &v->view);
	return err ? err : out->failed ? ERR_NOMEM : ERR_NONE;
}

int holdings_notes(struct notes *n, const struct model *m)
{
	const struct record_heap_count *h = &m->heap.head;
	char a[UNITS_MAX];
	int err = ERR_NONE;
	if (h->flags & HOLDINGS_SITES_LOST)
		err = notes_add(n,
			"Objects lost their sites in this full collection, for nothing had "
			"prepared "
			"them: they count as older than the recording. --gc prepares them.");
	if (!err && h->flags & (HOLDINGS_OLD_UNREAD | HOLDINGS_YOUNG_UNREAD))
		err = notes_add(n, "%s of the heap could not be read, and is not in here.",
			units_bytes((double)h->unread, a));
	if (!err && h->unstamped)
		err = notes_add(n,
			"%s objects of the old generation lost their sites in this collection: the "
			"VM "
			"would have needed more memory to keep them than there is.",
			units_count(h->unstamped, a));
	if (!err && h->flags & HOLDINGS_GARBAGE)
		err = notes_add(n,
			"The old generation is as it stood: what died in it counts until a "
			"collection "
			"finds it. --gc forces a full collection, and counts what lives.");
	return err;
}
