#include "page/data.h"

#include "analyze/leaf.h"
#include "analyze/votes.h"
#include "base/error.h"
#include "base/units.h"
#include "page/head.h"

#define MAGIC "MFLYPAGE"

enum { VERSION = 1, PREFIX = 16 };

static int find_callers(struct data *d, const uint32_t *accounts, size_t count)
{
	struct votes votes;
	double share;
	int err = vec_reserve(&d->callers, d->rows.list.count + 1);
	err = err ? err
		  : votes_find(&votes, d->model, &d->collect->ledger, accounts, d->rows.of.at,
			    count, d->rows.list.count);
	if (err)
		return err;
	for (size_t i = 0; i < d->rows.list.count; i++)
		d->callers.at[d->callers.count++] =
			votes_winner(&votes, d->model, i, &d->rows.list.at[i], &share);
	votes_release(&votes);
	return ERR_NONE;
}

static int find_rows(struct data *d)
{
	const struct ledger *l = &d->collect->ledger;
	size_t count = l->allocs.count; /* accounts that were sampled */
	uint32_t *all = mem_zalloc(count + 1, sizeof(*all));
	if (!all)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < count; i++)
		all[i] = i;
	int err = contexts_find(&d->rows, d->model, l, all, count, true);
	err = err ? err : find_callers(d, all, count);
	mem_free(all);
	return err;
}

/* The page shows lives of samples, whatever else tells of them. */
static int add_deaths(const struct data *d)
{
	const struct endings *e = d->collect->ledger.endings;
	if (!e || !e->told.objects)
		return ERR_NONE;
	return notes_add(d->notes,
		"The events of single objects, which this trace has, are not in this page's "
		"table: what died and what is alive is estimated there, and counted in mayfly "
		"report.");
}

/* What is counted of it, and what estimated. */
static int add_exact(const struct data *d)
{
	char bytes[UNITS_MAX];
	if (!d->model->exact.births.objects)
		return ERR_NONE;
	bool walked = d->model->exact.walks.every > 0;
	int err = notes_add(d->notes,
		"Exact engine: the samples of a %s are weighted so that their bytes sum up to "
		"what was counted there in the whole run%s; how that divides among %sthreads, "
		"times and lives is estimated from samples.",
		walked ? "call path" : "line",
		walked ? " (--every: by the paths that were walked)" : "",
		walked ? "" : "callers, ");
	if (!err && d->collect->unsampled > 0)
		err = notes_add(d->notes,
			"%s was counted where nothing was sampled: it is in the "
			"total, but in no row of this page.",
			units_bytes(d->collect->unsampled, bytes));
	err = err ? err : leaves_note_uncounted(d->notes, &d->collect->ledger);
	err = err ? err : leaves_note_no_endings(d->notes, &d->collect->ledger);
	return err ? err : add_deaths(d);
}

/* What of the trace is not in the page. */
static int add_notes(const struct data *d)
{
	const struct samples *s = &d->collect->samples;
	uint64_t seen = s->seen[STRATUM_PLAIN] + s->seen[STRATUM_FOLLOWED];
	char kept[UNITS_MAX], all[UNITS_MAX], run[UNITS_MAX];
	int err = ERR_NONE;
	if (seen > s->list.count)
		err = notes_add(d->notes,
			"%s of the trace's %s samples are in this page: drawn at random, and "
			"weighted for it.",
			units_count(s->list.count, kept), units_count(seen, all));
	if (!err && d->gcs.run > 1)
		err = notes_add(d->notes,
			"Of every %s collections in a row this page has the one with the longest "
			"pause.",
			units_count(d->gcs.run, run));
	return err ? err : add_exact(d);
}

int data_find(struct data *d, size_t gcs)
{
	d->rows = (struct contexts){0};
	d->used = (struct used){0};
	d->callers.at = NULL;
	d->callers.count = d->callers.room = 0;
	int err = gc_pick_find(&d->gcs, &d->model->gcs, gcs);
	err = err ? err : find_rows(d);
	err = err ? err
		  : used_find(&d->used, d->model, &d->collect->ledger, &d->collect->samples,
			    d->gcs.list.at, d->gcs.list.count);
	err = err ? err : add_notes(d);
	if (err)
		data_release(d);
	return err;
}

void data_release(struct data *d)
{
	contexts_release(&d->rows);
	vec_release(&d->callers);
	gc_pick_release(&d->gcs);
	used_release(&d->used);
}

/* The document with what stands before it, up to where the columns begin. */
static int put_head(struct buf *head, const struct data *d, const struct tables_layout *l)
{
	struct buf document = {0};
	int err = head_put(&document, d, l);
	if (!err && document.len > UINT32_MAX)
		err = ERR_LIMIT;
	if (!err) {
		buf_put_str(head, MAGIC);
		buf_put_le32(head, VERSION);
		buf_put_le32(head, (uint32_t)document.len);
		buf_put(head, document.at, document.len);
		while (!head->failed && head->len % TABLES_ALIGN)
			buf_put_u8(head, 0);
		err = head->failed;
	}
	buf_release(&document);
	return err;
}

int data_put(const struct data *d, const struct sink *out)
{
	struct tables_layout l;
	struct buf head = {0};
	tables_lay_out(&l, d);
	int err = put_head(&head, d, &l);
	if (!err)
		err = out->write(out->arg, head.at, head.len);
	buf_release(&head);
	return err ? err : tables_put(&l, d, out);
}
