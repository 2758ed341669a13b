#include "page/head.h"

#include <math.h>

#include "analyze/coarsest.h"
#include "analyze/lifetime.h"
#include "report/document.h"
#include "report/exact_view.h"
#include "report/trace_json.h"
#include "report/view.h"

enum { NS_PER_MS = 1000000 };

static json_t *trace(struct document *doc, const struct data *d)
{
	json_t *o = trace_json(doc, d->model, d->file, view_allocated(d->model));
	document_set(doc, o, "wall_ms", document_count(d->model->wall.v / NS_PER_MS));
	return o;
}

static json_t *notes(struct document *doc, const struct data *d)
{
	json_t *list = json_array();
	for (size_t i = 0; i < d->notes->list.count; i++)
		document_append(doc, list, document_text(slice_str(d->notes->list.at[i])));
	return list;
}

/* Of what was counted the page has samples only: it can't know the share. */
static json_t *outlived(struct document *doc, const struct curve *curve)
{
	json_t *o = json_object();
	struct curve_point one = curve_at(curve, 1);
	bool known = curve->points.count && !isnan(one.p);
	document_set(doc, o, "share", document_number(known ? one.p : (double)NAN));
	document_set(doc, o, "lo", document_number(known ? one.lo : (double)NAN));
	document_set(doc, o, "hi", document_number(known ? one.hi : (double)NAN));
	return o;
}

/* The share of all bytes that stand behind what outlived a collection, and that. */
static void put_outlived(struct document *doc, const struct data *d)
{
	struct curve curve;
	double known = 0;
	if (lifetimes_outlived(&curve, &known, d->model, &d->collect->ledger)) {
		doc->failed = true;
		return;
	}
	document_put(doc, ",\n\"known\":", document_number(known));
	if (d->model->exact.births.objects)
		document_put(doc, ",\n\"outlived\":", outlived(doc, &curve));
	curve_release(&curve);
}

/* When what was counted was born. */
static json_t *told(struct document *doc, const struct data *d)
{
	json_t *o = json_object();
	document_set(doc, o, "from_ms", document_number((double)model_births_from(d->model) / 1e6));
	document_set(doc, o, "to_ms", document_number((double)model_births_until(d->model) / 1e6));
	return o;
}

/* Where a limit is told. */
static void put_large(struct document *doc, const struct data *d)
{
	uint64_t large = d->model->facts.follow_max;
	if (large != UINT64_MAX)
		document_put(doc, ",\n\"large\":", document_count(large));
}

/* As coarse as the page's own thinning makes it. */
static void put_coarse(struct document *doc, const struct data *d)
{
	struct total_coarse coarse = coarsest_of(d->model);
	double thinned = samples_thinned(&d->collect->samples);
	if (!(coarse.odds > 0))
		return;
	json_t *o = json_object();
	document_set(doc, o, "odds", document_number((double)coarse.odds * thinned));
	document_set(doc, o, "interval", document_number((double)coarse.interval));
	document_put(doc, ",\n\"coarse\":", o);
}

static void put_counted(struct document *doc, const struct data *d)
{
	exact_json_put(doc, d->model);
	if (!d->model->exact.births.objects)
		return;
	document_put(doc, ",\n\"told\":", told(doc, d));
}

static const char *lives(const struct data *d)
{
	static const char *const words[] = {
		[DEATHS_COLLECTION] = "each", [DEATHS_OLD] = "old", [DEATHS_NONE] = "none"};
	return words[d->model->facts.deaths];
}

/* One by one: there may be many. */
static void put_texts(struct document *doc, const struct data *d)
{
	const struct texts *texts = &d->model->defs.texts;
	document_put(doc, ",\n\"texts\":[", json_string(""));
	for (size_t i = 1; i < d->used.texts.used.count && !doc->failed; i++)
		document_put(doc, ",", document_text(texts_get(texts, d->used.texts.used.at[i])));
	buf_put_str(doc->out, "]");
}

static json_t *column(struct document *doc, const struct tables_place *p, enum strip_form form)
{
	json_t *o = json_object();
	document_set(doc, o, "type", json_string(strip_type_word(p->type)));
	document_set(doc, o, "count", document_count(p->count));
	document_set(doc, o, "offset", document_count(p->offset));
	if (form == STRIP_RISING)
		document_set(doc, o, "delta", json_true());
	return o;
}

static json_t *columns(struct document *doc, const struct tables_layout *l)
{
	json_t *o = json_object();
	for (int c = 0; c < TABLES_COLUMNS; c++) {
		const struct strip *s = tables_strip((enum tables_column)c);
		document_set(doc, o, s->name, column(doc, &l->at[c], s->form));
	}
	return o;
}

static void put_parts(struct document *doc, const struct data *d)
{
	for (size_t i = 0; i < d->part_count; i++) {
		const struct data_part *p = &d->parts[i];
		if (!p->json.len)
			continue;
		buf_printf(doc->out, ",\n\"%s\":", p->key);
		buf_put(doc->out, p->json.at, p->json.len);
	}
}

int head_put(struct buf *out, const struct data *d, const struct tables_layout *l)
{
	const struct samples *s = &d->collect->samples;
	bool old = row_gc_clock(d->model) == CLOCK_FULL;
	struct document doc = document_init(out);
	document_put(&doc, "{\"page\":", json_integer(1));
	document_put(&doc, ",\n\"trace\":", trace(&doc, d));
	put_counted(&doc, d);
	put_outlived(&doc, d);
	put_large(&doc, d);
	document_put(&doc, ",\n\"notes\":", notes(&doc, d));
	document_put(&doc, ",\n\"lives\":", json_string(lives(d)));
	document_put(&doc, ",\n\"clock\":", json_string(old ? "full" : "young"));
	document_put(&doc, ",\n\"tenuring\":", document_count(d->model->facts.tenuring_max));
	document_put(&doc, ",\n\"thinned\":", document_number(samples_thinned(s)));
	document_put(&doc,
		",\n\"thinned_lives\":", document_whole(sieve_weight(&s->sieve, STRATUM_FOLLOWED)));
	put_coarse(&doc, d);
	document_put(&doc, ",\n\"thinned_gcs\":", document_count(d->gcs.run));
	put_texts(&doc, d);
	document_put(&doc, ",\n\"columns\":", columns(&doc, l));
	put_parts(&doc, d);
	buf_put_str(out, "}\n");
	return document_error(&doc);
}
