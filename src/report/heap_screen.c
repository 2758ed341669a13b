#include <math.h>

#include "base/units.h"
#include "report/bars.h"
#include "report/column.h"
#include "report/heap_view.h"
#include "report/screen.h"
#include "report/short.h"
#include "report/table.h"
#include "stat/share.h"

void heap_ages(const struct row *r, double shares[HEAP_AGES])
{
	const struct ages *ages = &r->tally.lives[MEASURE_BYTES].young;
	for (int i = 0; i < HEAP_AGES; i++)
		shares[i] = 0;
	for (size_t i = 0; i < ages->rows.count; i++) {
		const struct ages_row *row = &ages->rows.at[i];
		uint32_t age = row->age < HEAP_AGES - 1 ? row->age : HEAP_AGES - 1;
		shares[age] += row->lost.w / ages->all.w;
	}
}

size_t heap_gc(const struct model *m, uint64_t time)
{
	size_t i = m->gcs.list.count;
	while (i && m->gcs.list.at[i - 1].end > time)
		i--;
	return i ? (size_t)model_gc_number(m, i - 1) : 0;
}

static void put_amount(struct buf *out, const struct heap_view *v, const struct total *t)
{
	char a[UNITS_MAX];
	struct estimate e = total_bytes(t);
	buf_put_str(out, units_bytes(e.value, a));
	double half = fmax(e.hi - e.value, e.value - e.lo);
	if (half > 0 && isfinite(half))
		buf_printf(out, " %s%s", text_mark(&v->view.look, "±", "+-"), units_bytes(half, a));
}

static void put_vm(struct buf *out, const struct heap_view *v, const struct heap_moment *m)
{
	char a[UNITS_MAX];
	size_t gc = heap_gc(v->view.model, m->time);
	if (!gc)
		buf_put_str(out, "; no collection had been by then");
	else if (m->vm_used)
		buf_printf(out, "; the VM had %s in use after GC %zu",
			units_bytes((double)m->vm_used, a), gc);
}

static void put_head(struct buf *out, const struct heap_view *v, const struct heap_moment *m)
{
	char a[UNITS_MAX];
	buf_printf(out, "at %s: ", units_time((double)m->time, a));
	put_amount(out, v, &m->live);
	buf_put_str(out, " alive of what was allocated since recording began");
	put_vm(out, v, m);
}

/* What the VM had and the engine did not follow, or takes for smaller than it is. */
static void put_rest(struct buf *out, const struct heap_view *v, const struct heap_moment *m)
{
	char a[UNITS_MAX];
	double rest = (double)m->vm_used - m->live.bytes.sum;
	if (m->vm_used && rest > 0)
		buf_printf(out,
			", %s more: %sobjects older than the recording or not followed, or "
			"what fills gaps",
			units_bytes(rest, a),
			v->exact->bytes[SIZE_MEAN] >= 1 ? "means that are too low, " : "");
}

/* What was followed, and what is not in it. */
static void put_absent(struct buf *out, const struct heap_exact *e)
{
	char a[UNITS_MAX];
	if (e->absent)
		buf_printf(out,
			": of what the exact engine followed; up to %s more were let go or lost",
			units_count(e->absent, a));
	else
		buf_put_str(out, e->partly ? ": of what the exact engine followed"
					   : ": every object, followed by the exact engine");
	if (e->whole_tells)
		buf_put_str(out, " (--whole counts what it let go before the checkpoint that was "
				 "read from)");
}

static void put_exact_head(struct buf *out, const struct heap_view *v, const struct heap_moment *m)
{
	char a[UNITS_MAX], b[UNITS_MAX];
	if (v->exact->end)
		buf_printf(out, "at the end, %s: ", units_time((double)m->time, a));
	else
		buf_printf(out, "after GC %llu, at %s: ",
			(unsigned long long)model_gc_number(v->view.model, (size_t)v->exact->gc),
			units_time((double)m->time, a));
	text_count(out, v->exact->objects, "object", "objects");
	buf_printf(out, " in %s", units_bytes(m->live.bytes.sum, b));
	if (v->exact->bytes[SIZE_MEAN] >= 1)
		buf_printf(out, " (%s of it by their lines' means)",
			units_bytes(v->exact->bytes[SIZE_MEAN], a));
	put_absent(out, v->exact);
	put_vm(out, v, m);
	put_rest(out, v, m);
}

/* Events are told with the collection that follows. */
static void put_head_of(struct buf *out, const struct heap_view *v)
{
	const struct heap_moment *m = &v->heap->moments.at[v->heap->moments.count - 1];
	struct buf line = {0};
	if (!v->exact)
		put_head(&line, v, m);
	else if (v->exact->gc == GCS_NONE && !v->exact->end)
		buf_put_str(&line,
			"before the first collection: births are told with it, so nothing is known "
			"before");
	else
		put_exact_head(&line, v, m);
	screen_line(out, &v->view.look, &line);
}

static void put_bytes(struct buf *out, double bytes)
{
	char a[UNITS_MAX];
	buf_put_str(out, units_bytes(bytes, a));
}

static int put_cells(struct table *t, const struct heap_view *v, const struct row *r)
{
	const struct heap_moment *m = &v->heap->moments.at[v->heap->moments.count - 1];
	struct buf *cell = table_cell(t);
	struct estimate share = share_bytes(&r->tally.alive, &m->live);
	double ages[HEAP_AGES];
	char a[UNITS_MAX];
	put_percent(cell, &v->view.look, share.value,
		fmax(share.hi - share.value, share.value - share.lo));
	int err = table_next(t);
	put_bytes(cell, r->tally.alive.bytes.sum);
	err = err ? err : table_next(t);
	buf_put_str(cell, units_count((uint64_t)llround(r->tally.alive.objects.sum), a));
	err = err ? err : table_next(t);
	heap_ages(r, ages);
	bars_put_shares(cell, ages, &v->view.look);
	err = err ? err : table_next(t);
	if (r->class)
		short_simple(cell, defs_class_name(&v->view.model->defs, r->class));
	err = err ? err : table_next(t);
	if (r->by == BY_SITE)
		short_place(cell, v->view.model, r, &v->view.look);
	else if (r->by != BY_CLASS)
		text_clean(cell, slice_str(r->label));
	return err ? err : table_next(t);
}

static int put_rows(struct buf *out, const struct heap_view *v)
{
	const struct lifetimes *l = v->view.lifetimes;
	struct table t = {0};
	int err = ERR_NONE;
	table_column(&t, "ALIVE", "", true, false);
	table_column(&t, "", "", true, false);
	table_column(&t, "OBJECTS", "", true, false);
	table_spares(&t, 1);
	table_column(&t, "AGE", bars_head(&v->view.look), false, false);
	table_column(&t, "OBJECT", "", false, false);
	table_gives(&t, TABLE_NAME_LEAST);
	table_column(&t, column_made_at(l->by), "", false, true);
	for (size_t r = 0; r < l->rows.count && !err; r++)
		err = put_cells(&t, v, &l->rows.at[r]);
	err = err ? err : table_put(&t, out, &v->view.look);
	table_release(&t);
	return err;
}

static int put_moment(struct buf *out, const struct heap_view *v)
{
	int err = ERR_NONE;
	put_head_of(out, v);
	buf_put_u8(out, '\n');
	if (v->view.lifetimes->rows.count)
		err = put_rows(out, v);
	else
		screen_nothing(out, v->view.lifetimes->hidden,
			v->exact ? "  Nothing that was followed and passes the filter was there.\n"
				 : "  Nothing that was sampled and passes the filter was "
				   "alive.\n");
	screen_hidden(out, &v->view, "--limit");
	buf_put_u8(out, '\n');
	if (v->view.lifetimes->rows.count)
		screen_sentence(out, &v->view,
			v->exact ? "AGE: how many GCs had found its bytes alive; 15+: 15 or more. "
				   "Those that did not look at it don't count, and the dead count "
				   "until a GC finds them."
				 : "AGE: how many young GCs its bytes had survived; 15+: 15 or "
				   "more. The dead "
				   "count "
				   "until a GC finds them.");
	return err;
}

static int put_time_cells(struct table *t, const struct heap_view *v, const struct heap_moment *m)
{
	struct buf *cell = table_cell(t);
	char a[UNITS_MAX];
	size_t gc = heap_gc(v->view.model, m->time);
	buf_put_str(cell, units_time((double)m->time, a));
	int err = table_next(t);
	if (gc)
		buf_printf(cell, "%zu", gc);
	err = err ? err : table_next(t);
	if (m->untold)
		buf_put_str(cell, "?");
	else
		put_amount(cell, v, &m->live);
	err = err ? err : table_next(t);
	if (m->untold)
		buf_put_str(cell, "?");
	else
		buf_put_str(cell, units_count((uint64_t)llround(m->live.objects.sum), a));
	err = err ? err : table_next(t);
	if (m->vm_used)
		put_bytes(cell, (double)m->vm_used);
	return err ? err : table_next(t);
}

static int put_over_time(struct buf *out, const struct heap_view *v)
{
	struct table t = {0};
	int err = ERR_NONE;
	static const char *const heads[][2] = {
		{"TIME", ""}, {"GC", ""}, {"ALIVE", ""}, {"OBJECTS", ""}, {"VM", "after GC"}};
	for (size_t i = 0; i < ARRAY_SIZE(heads); i++)
		table_column(&t, heads[i][0], heads[i][1], true, false);
	for (size_t i = 0; i < v->heap->moments.count && !err; i++)
		err = put_time_cells(&t, v, &v->heap->moments.at[i]);
	buf_put_u8(out, '\n');
	err = err ? err : table_put(&t, out, &v->view.look);
	table_release(&t);
	return err;
}

int heap_screen_put(struct buf *out, const struct heap_view *v)
{
	screen_title(out, &v->view);
	if (!v->exact)
		screen_engine(out, &v->view,
			", but this is an estimate from samples (after a collection, --at GC:N, "
			"the young generation is counted; --exact=survivors tells "
			"of every object that outlives one)");
	else if (v->over_time)
		screen_engine(out, &v->view,
			": every object that was followed, as the last collection before left it");
	int err = v->over_time ? put_over_time(out, v) : put_moment(out, v);
	if (v->over_time && v->view.notes->list.count)
		buf_put_u8(out, '\n');
	screen_notes(out, &v->view);
	return err ? err : out->failed ? ERR_NOMEM : ERR_NONE;
}
