#include "analyze/stock_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* What rows are made from. */
struct making {
	struct stock_rows *out;
	const struct stock *stock;
	const struct ledger *alive;
	const struct where *where; /* NULL: no filter */
	struct buf scratch;
};

bool stock_rows_can(const struct query *q)
{
	return q->by != BY_THREAD && !where_has(&q->where, WHERE_THREAD) &&
	       !where_has(&q->where, WHERE_STACK) && !where_has(&q->where, WHERE_SHAPE);
}

static void clear(struct stock_rows *r)
{
	for (size_t i = 0; i < r->rows.count; i++)
		mem_free(r->rows.at[i].label);
	r->rows.count = 0;
}

void stock_rows_release(struct stock_rows *r)
{
	clear(r);
	vec_release(&r->rows);
}

/* `row` but for where it is, by a site; left out where the filter says so. */
static int add_row(struct making *k, uint32_t site, struct stock_row row)
{
	const struct model *m = k->out->model;
	enum by by = k->out->by;
	if (k->where && !where_account(k->where, m, site, 0, &k->scratch))
		return k->scratch.failed ? ERR_NOMEM : ERR_NONE;
	buf_clear(&k->scratch);
	label_put(&k->scratch, m, site, 0, by);
	row.site = site;
	row.class = by == BY_SITE || by == BY_CLASS ? m->defs.sites.at[site].class : 0;
	row.label = k->scratch.failed ? NULL : mem_strndup(buf_text(&k->scratch), k->scratch.len);
	if (row.label && !vec_push(&k->out->rows, row))
		return ERR_NONE;
	mem_free(row.label);
	return ERR_NOMEM;
}

static int add_sites(struct making *k)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < k->stock->sites.count && !err; i++) {
		const struct stock_site *s = &k->stock->sites.at[i];
		struct stock_row row = {
			.old = s->old, .most = s->most, .counted = stock_counted(s)};
		memcpy(row.young, s->young, sizeof(row.young));
		err = add_row(k, s->site, row);
	}
	return err;
}

static int add_samples(struct making *k)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < k->alive->accounts.count && !err; i++) {
		const struct account *a = &k->alive->accounts.at[i];
		struct stock_row row = {.sampled = a->tally.alive};
		if (a->tally.alive.n)
			err = add_row(k, a->site, row);
	}
	return err;
}

static int by_place(const void *left, const void *right)
{
	const struct stock_row *a = left, *b = right;
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	return strcmp(a->label, b->label);
}

static int by_bytes(const void *left, const void *right)
{
	const struct stock_row *a = left, *b = right;
	double x = a->alive.bytes.value, y = b->alive.bytes.value;
	return x > y ? -1 : x < y ? 1 : by_place(left, right);
}

static void add(struct stock_row *to, const struct stock_row *more)
{
	for (size_t i = 0; i <= COUNTS_AGES; i++)
		quantity_add(&to->young[i], more->young[i]);
	quantity_add(&to->old, more->old);
	quantity_add(&to->most, more->most);
	quantity_add(&to->counted, more->counted);
	total_merge(&to->sampled, &more->sampled);
}

static void merge_all(struct stock_rows *r)
{
	size_t kept = 0;
	if (r->rows.count)
		qsort(r->rows.at, r->rows.count, sizeof(*r->rows.at), by_place);
	for (size_t i = 0; i < r->rows.count; i++) {
		if (!kept || by_place(&r->rows.at[kept - 1], &r->rows.at[i]) != 0) {
			r->rows.at[kept++] = r->rows.at[i];
			continue;
		}
		add(&r->rows.at[kept - 1], &r->rows.at[i]);
		mem_free(r->rows.at[i].label);
	}
	r->rows.count = kept;
}

static double between(double x, double lo, double hi)
{
	return fmax(lo, fmin(x, hi));
}

/* The truth is within the bounds: so what is nearest in them is nearer to it than the estimate, and
 * an interval that held it holds it still. */
static struct estimate within(struct estimate e, double lo, double hi)
{
	return (struct estimate){
		between(e.value, lo, hi), between(e.lo, lo, hi), between(e.hi, lo, hi)};
}

static void bring_in(struct stock_row *r, const struct stock *s)
{
	double objects = (double)r->counted.objects, bytes = (double)r->counted.bytes;
	bool open = s->no_bound || s->astray;
	r->sure = !open && !r->most.objects && !r->most.bytes;
	r->alive.objects = within(total_objects(&r->sampled), objects,
		open ? HUGE_VAL : objects + (double)r->most.objects);
	r->alive.bytes = within(
		total_bytes(&r->sampled), bytes, open ? HUGE_VAL : bytes + (double)r->most.bytes);
}

static int make(struct making *k)
{
	int err = add_sites(k);
	err = err ? err : add_samples(k);
	if (err)
		return err;
	merge_all(k->out);
	for (size_t i = 0; i < k->out->rows.count; i++)
		bring_in(&k->out->rows.at[i], k->stock);
	return ERR_NONE;
}

/* Rows sum up to all: so its value is their sum. Its limits are those of all samples together,
 * which are nearer than sums of limits. */
static void sum_up(struct stock_rows *r, const struct stock *s)
{
	double objects = 0, bytes = 0;
	for (size_t i = 0; i < r->rows.count; i++) {
		add(&r->all, &r->rows.at[i]);
		objects += r->rows.at[i].alive.objects.value;
		bytes += r->rows.at[i].alive.bytes.value;
	}
	bring_in(&r->all, s);
	struct stock_amount *a = &r->all.alive;
	a->objects = (struct estimate){
		objects, fmin(a->objects.lo, objects), fmax(a->objects.hi, objects)};
	a->bytes = (struct estimate){bytes, fmin(a->bytes.lo, bytes), fmax(a->bytes.hi, bytes)};
}

static void hide(struct stock_rows *r, const struct query *q)
{
	size_t keep = 0;
	double least = q->least * r->all.alive.bytes.value;
	if (r->rows.count)
		qsort(r->rows.at, r->rows.count, sizeof(*r->rows.at), by_bytes);
	while (keep < r->rows.count && (!q->limit || keep < q->limit) &&
		r->rows.at[keep].alive.bytes.value >= least)
		keep++;
	r->hidden = r->rows.count - keep;
	r->limited = r->hidden && q->limit && keep == q->limit;
	for (size_t i = keep; i < r->rows.count; i++) {
		r->hidden_bytes += r->rows.at[i].alive.bytes.value;
		mem_free(r->rows.at[i].label);
	}
	r->rows.count = keep;
}

int stock_rows_find(struct stock_rows *out, const struct model *m, const struct stock *s,
	const struct ledger *alive, const struct query *q)
{
	*out = (struct stock_rows){.model = m, .by = q->by};
	struct making k = {.out = out, .stock = s, .alive = alive};
	int err = make(&k);
	sum_up(out, s);
	if (!err && q->where.count) {
		clear(out);
		k.where = &q->where;
		err = make(&k);
	}
	buf_release(&k.scratch);
	if (err)
		stock_rows_release(out);
	else
		hide(out, q);
	return err;
}
