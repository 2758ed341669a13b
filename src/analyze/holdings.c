#include "analyze/holdings.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

void holdings_release(struct holdings *s)
{
	for (size_t i = 0; i < s->rows.count; i++)
		mem_free(s->rows.at[i].label);
	vec_release(&s->rows);
}

/* `row` is taken over. */
static int add_row(struct holdings *s, struct holdings_row row, struct buf *label)
{
	buf_put_u8(label, 0);
	row.label = label->failed ? NULL : mem_alloc(label->len);
	if (!row.label)
		return ERR_NOMEM;
	memcpy(row.label, label->at, label->len);
	int err = vec_push(&s->rows, row);
	if (err)
		mem_free(row.label);
	return err;
}

static struct holdings_row row_of_site(const struct holdings *s, const struct heap_site *site)
{
	struct holdings_row row = {.site = site->site, .old = site->old, .all = site->old};
	if (s->by == BY_SITE || s->by == BY_CLASS)
		row.class = s->model->defs.sites.at[site->site].class;
	for (size_t i = 0; i < COUNTS_AGES; i++) {
		row.young[i] = site->young[i];
		quantity_add(&row.all, site->young[i]);
	}
	return row;
}

static int add_sites(struct holdings *s, const struct where *w, struct buf *scratch)
{
	const struct heap_counts *h = &s->model->heap;
	int err = ERR_NONE;
	for (size_t i = 0; i < h->sites.count && !err; i++) {
		struct holdings_row row = row_of_site(s, &h->sites.at[i]);
		quantity_add(&s->all, row.all);
		if (!where_account(w, s->model, row.site, 0, scratch))
			continue;
		buf_clear(scratch);
		label_put(scratch, s->model, row.site, 0, s->by);
		err = add_row(s, row, scratch);
	}
	return err;
}

static int add_class(struct holdings *s, const struct heap_rest *rest, struct buf *scratch)
{
	struct holdings_row row = {.class = rest->class, .all = rest->all, .unknown = rest->all};
	struct slice name = defs_class_name(&s->model->defs, rest->class);
	buf_clear(scratch);
	buf_put(scratch, name.at, name.len);
	if (!name.len)
		buf_put_str(scratch, "(unknown)");
	return add_row(s, row, scratch);
}

/* What has no site passes no filter. */
static int add_rest(struct holdings *s, const struct where *w, struct buf *scratch)
{
	const struct heap_counts *h = &s->model->heap;
	struct holdings_row row = {.rest = true};
	int err = ERR_NONE;
	for (size_t i = 0; i < h->rest.count && !err; i++) {
		quantity_add(&row.all, h->rest.at[i].all);
		if (s->by == BY_CLASS && !w->count)
			err = add_class(s, &h->rest.at[i], scratch);
	}
	row.unknown = row.all;
	quantity_add(&s->all, row.all);
	if (err || s->by == BY_CLASS || w->count || !row.all.objects)
		return err;
	buf_clear(scratch);
	buf_put_str(scratch, "(older than the recording, or without a site)");
	return add_row(s, row, scratch);
}

static int by_place(const void *left, const void *right)
{
	const struct holdings_row *a = left, *b = right;
	if (a->rest != b->rest)
		return a->rest ? 1 : -1;
	if (a->class != b->class)
		return a->class < b->class ? -1 : 1;
	return strcmp(a->label, b->label);
}

static int by_bytes(const void *left, const void *right)
{
	const struct holdings_row *a = left, *b = right;
	if (a->all.bytes != b->all.bytes)
		return a->all.bytes > b->all.bytes ? -1 : 1;
	return by_place(left, right);
}

static void merge(struct holdings_row *to, struct holdings_row *more)
{
	quantity_add(&to->all, more->all);
	quantity_add(&to->old, more->old);
	quantity_add(&to->unknown, more->unknown);
	for (size_t i = 0; i < COUNTS_AGES; i++)
		quantity_add(&to->young[i], more->young[i]);
	to->site = to->site ? to->site : more->site;
	mem_free(more->label);
}

static void merge_all(struct holdings *s)
{
	size_t kept = 0;
	if (s->rows.count)
		qsort(s->rows.at, s->rows.count, sizeof(*s->rows.at), by_place);
	for (size_t i = 0; i < s->rows.count; i++)
		if (kept && by_place(&s->rows.at[kept - 1], &s->rows.at[i]) == 0)
			merge(&s->rows.at[kept - 1], &s->rows.at[i]);
		else
			s->rows.at[kept++] = s->rows.at[i];
	s->rows.count = kept;
	if (kept)
		qsort(s->rows.at, kept, sizeof(*s->rows.at), by_bytes);
}

/* Of what has rows: in a program that ran long before the recording most has no site, and what it
 * allocated since is still to be seen. */
static double told_bytes(const struct holdings *s)
{
	uint64_t told = s->all.bytes;
	for (size_t i = 0; i < s->rows.count; i++)
		told -= s->rows.at[i].rest ? s->rows.at[i].all.bytes : 0;
	return (double)told;
}

static void hide(struct holdings *s, const struct query *q)
{
	size_t keep = 0;
	double least = q->least * told_bytes(s);
	while (keep < s->rows.count && (!q->limit || keep < q->limit) &&
		(double)s->rows.at[keep].all.bytes >= least)
		keep++;
	s->hidden = s->rows.count - keep;
	s->limited = s->hidden && q->limit && keep == q->limit;
	for (size_t i = keep; i < s->rows.count; i++) {
		quantity_add(&s->hidden_sum, s->rows.at[i].all);
		mem_free(s->rows.at[i].label);
	}
	s->rows.count = keep;
}

int holdings_find(struct holdings *out, const struct model *m, const struct query *q)
{
	struct buf scratch = {0};
	*out = (struct holdings){.model = m, .by = q->by};
	int err = add_sites(out, &q->where, &scratch);
	err = err ? err : add_rest(out, &q->where, &scratch);
	err = err || !scratch.failed ? err : ERR_NOMEM;
	buf_release(&scratch);
	if (err) {
		holdings_release(out);
		return err;
	}
	merge_all(out);
	hide(out, q);
	return ERR_NONE;
}

const struct gc *holdings_gc(const struct model *m)
{
	const struct record_heap_count *h = &m->heap.head;
	for (size_t i = m->gcs.list.count; i-- > 0;)
		if (m->gcs.list.at[i].young == h->young && m->gcs.list.at[i].full == h->full)
			return &m->gcs.list.at[i];
	return NULL;
}
