#include "report/json.h"

#include <math.h>

#include "base/error.h"
#include "report/document.h"
#include "report/exact_view.h"
#include "report/notes_json.h"
#include "report/number.h"
#include "report/place_json.h"
#include "report/trace_json.h"
#include "stat/lifetime.h"

enum { DENSE = 15 }; /* every age up to it has its own point */

struct writer {
	const struct view *v;
	struct document d;
	bool blank; /* some value of a row is null */
};

static void set(struct writer *w, json_t *object, const char *key, json_t *value)
{
	document_set(&w->d, object, key, value);
}

static void append(struct writer *w, json_t *array, json_t *value)
{
	document_append(&w->d, array, value);
}

static json_t *amount(struct writer *w, struct amount a)
{
	json_t *o = json_object();
	set(w, o, "bytes", document_whole(a.bytes));
	set(w, o, "objects", document_whole(a.objects));
	return o;
}

static json_t *total(struct writer *w, const struct total *t)
{
	return amount(w, (struct amount){t->objects.sum, t->bytes.sum});
}

static json_t *alloc(struct writer *w, const struct total *t)
{
	json_t *o = total(w, t), *ci = json_array();
	struct estimate e = estimate_ratio(total_bytes(t));
	append(w, ci, document_number(e.lo));
	append(w, ci, document_number(e.hi));
	set(w, o, "ci95", ci);
	set(w, o, "samples", document_count(t->n));
	return o;
}

static double scale_of(enum clock clock)
{
	return clock == CLOCK_BYTES || clock == CLOCK_NS ? 1e-6 : 1; /* MB, ms */
}

/* The points that are shown of a curve. */
struct shown {
	VEC(struct curve_point) points;
};

/* Every age up to DENSE, then the points where the curve falls, up to where it is known or 0. */
static int pick(struct shown *s, const struct curve *c)
{
	uint64_t from = 0;
	if (vec_reserve(&s->points, DENSE + c->points.count))
		return ERR_NOMEM;
	for (uint64_t t = 1; c->counts && t <= DENSE && t <= c->known; t++) {
		struct curve_point p = curve_at(c, t);
		s->points.at[s->points.count++] = p;
		from = t;
		if (p.p <= 0)
			return ERR_NONE;
	}
	for (size_t i = 0; i < c->points.count; i++) {
		const struct curve_point *p = &c->points.at[i];
		if (p->t <= from)
			continue;
		s->points.at[s->points.count++] = *p;
		if (p->p <= 0)
			return ERR_NONE;
	}
	return ERR_NONE;
}

static void put_t(struct buf *out, const struct curve_point *p, double scale)
{
	if (scale < 1)
		number_put(out, (double)p->t * scale);
	else
		number_put_count(out, p->t);
}

static void put_p(struct buf *out, const struct curve_point *p, double scale MF_UNUSED)
{
	number_put(out, p->p);
}

static void put_lo(struct buf *out, const struct curve_point *p, double scale MF_UNUSED)
{
	number_put(out, p->lo);
}

static void put_hi(struct buf *out, const struct curve_point *p, double scale MF_UNUSED)
{
	number_put(out, p->hi);
}

/* A report is mostly curves: their numbers go straight into the text. */
static const struct {
	const char *before;
	void (*put)(struct buf *out, const struct curve_point *p, double scale);
} arrays[] = {
	{"{\"t\":[", put_t}, {"],\"p\":[", put_p}, {"],\"lo\":[", put_lo}, {"],\"hi\":[", put_hi}};

static void put_points(struct buf *out, const struct shown *s, double scale)
{
	for (size_t k = 0; k < ARRAY_SIZE(arrays); k++) {
		buf_put_str(out, arrays[k].before);
		for (size_t i = 0; i < s->points.count; i++) {
			if (i)
				buf_put_u8(out, ',');
			arrays[k].put(out, &s->points.at[i], scale);
		}
	}
	buf_put_str(out, "]}");
}

static bool is_known(const struct curve *c)
{
	return c->points.count && c->known > 0;
}

static void put_curve(struct writer *w, const struct curve *c, enum clock clock)
{
	struct shown shown = {0};
	if (!is_known(c)) {
		w->blank = true;
		buf_put_str(w->d.out, "null");
		return;
	}
	if (pick(&shown, c))
		w->d.failed = true;
	else
		put_points(w->d.out, &shown, scale_of(clock));
	vec_release(&shown.points);
}

static const char *const clock_keys[CLOCKS] = {[CLOCK_YOUNG] = "young_gcs",
	[CLOCK_FULL] = "full_gcs",
	[CLOCK_BYTES] = "mb",
	[CLOCK_NS] = "ms"};

/* One curve for each clock. */
static void put_curves(struct writer *w, const char *before, const struct curve *curves, int clocks)
{
	buf_put_str(w->d.out, before);
	for (int c = 0; c < clocks; c++) {
		buf_printf(w->d.out, "%s\"%s\":", c ? "," : "{", clock_keys[c]);
		put_curve(w, &curves[c], (enum clock)c);
	}
	buf_put_u8(w->d.out, '}');
}

static json_t *quantiles(struct writer *w, const struct row *r, enum clock clock)
{
	static const struct {
		const char *key;
		double q;
	} which[] = {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}};
	if (!is_known(&r->curves[clock])) {
		w->blank = true;
		return json_null();
	}
	json_t *o = json_object();
	for (size_t i = 0; i < ARRAY_SIZE(which); i++) {
		double value = lifetime_quantile(&r->curves[clock], which[i].q).value;
		bool counts = r->curves[clock].counts;
		w->blank |= !isfinite(value);
		set(w, o, which[i].key,
			counts && isfinite(value) ? document_whole(value)
						  : document_number(value * scale_of(clock)));
	}
	return o;
}

static json_t *lifetimes(struct writer *w, const struct row *r)
{
	json_t *o = json_object();
	for (int c = 0; c < CLOCKS; c++)
		set(w, o, clock_keys[c], quantiles(w, r, (enum clock)c));
	return o;
}

static json_t *totals(struct writer *w, const struct row *r)
{
	json_t *o = json_object();
	place_json(&w->d, o, w->v->model, r);
	set(w, o, "alloc", alloc(w, &r->tally.alloc));
	set(w, o, "died", total(w, &r->tally.died));
	set(w, o, "alive", total(w, &r->tally.alive));
	set(w, o, "untracked", total(w, &r->tally.untracked));
	set(w, o, "too_large", amount(w, row_too_large(r, w->v->model)));
	if (w->v->model->exact.births.objects)
		set(w, o, "deaths",
			json_string(counted_known(&r->tally.counted) ? "counted" : "estimated"));
	return o;
}

static void put_row(struct writer *w, const char *before, const struct row *r)
{
	document_put_members(&w->d, before, totals(w, r));
	put_curves(w, ",\"survival\":", r->curves, CLOCKS);
	put_curves(w, ",\"survival_bytes\":", r->by_bytes, CLOCKS_GC);
	document_put(&w->d, ",\"lifetime\":", lifetimes(w, r));
	document_put(&w->d, ",\"shape\":", json_string(shape_text(r->shape)));
	buf_put_u8(w->d.out, '}');
}

static json_t *notes(struct writer *w)
{
	json_t *list = notes_json(&w->d, w->v->notes);
	if (w->blank)
		append(w, list,
			json_string("A survival or lifetime is null where none of its objects was "
				    "followed, or not long enough to tell."));
	return list;
}

int json_put(struct buf *out, const struct view *v)
{
	const struct lifetimes *l = v->lifetimes;
	struct writer w = {.v = v, .d = document_init(out)};
	document_put(&w.d, "{\"mayfly\":", json_integer(1));
	document_put(&w.d,
		",\n\"trace\":", trace_json(&w.d, v->model, v->file, view_allocated(v->model)));
	exact_json_put(&w.d, v->model);
	document_put(&w.d, ",\n\"by\":", json_string(by_row(l->by)->word));
	buf_put_str(out, ",\n\"rows\":[");
	for (size_t i = 0; i < l->rows.count && !w.d.failed; i++)
		put_row(&w, i ? ",\n{" : "\n{", &l->rows.at[i]);
	document_put(&w.d, "],\n\"hidden\":", document_count(l->hidden));
	document_put(&w.d, ",\n\"notes\":", notes(&w));
	buf_put_str(out, "}\n");
	return document_error(&w.d);
}
