#include "report/json.h"

#include <math.h>

#include "report/document.h"
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

static json_t *fact(const struct model *m, const char *key)
{
	return document_text(facts_get(&m->facts, &m->defs.texts, key));
}

static json_t *gcs(struct writer *w, const struct model *m)
{
	json_t *o = json_object();
	static const char *const names[GC_KINDS] = {[GC_KIND_YOUNG] = "young",
		[GC_KIND_MIXED] = "mixed",
		[GC_KIND_FULL] = "full",
		[GC_KIND_CONCURRENT] = "concurrent"};
	for (int i = 0; i < GC_KINDS; i++)
		set(w, o, names[i], document_count(m->gcs.count[i]));
	return o;
}

/* Of the sampling that was in force last. */
static json_t *interval(const struct model *m)
{
	const struct config_def *c = &m->facts.configs.at[m->facts.configs.count - 1];
	return c->valid ? document_count(c->interval) : json_null();
}

static json_t *trace(struct writer *w)
{
	const struct model *m = w->v->model;
	json_t *o = json_object();
	set(w, o, "file", document_text(slice_str(w->v->file)));
	set(w, o, "engine", fact(m, "engine"));
	set(w, o, "jdk", fact(m, "jdk.version"));
	set(w, o, "gc", fact(m, "gc"));
	set(w, o, "duration_ms", document_number((double)m->now.time / 1e6));
	set(w, o, "interval", interval(m));
	set(w, o, "gcs", gcs(w, m));
	set(w, o, "alloc_bytes", document_whole(w->v->lifetimes->alloc.bytes.sum));
	set(w, o, "samples", document_count(view_samples(m)));
	set(w, o, "tracked", document_count(m->tallies.born));
	set(w, o, "lost", document_count(view_lost(m)));
	set(w, o, "complete", json_boolean(m->complete));
	return o;
}

static json_t *frame(struct writer *w, const struct row *r, uint32_t index)
{
	const struct model *m = w->v->model;
	const struct method_def *method = defs_frame_method(&m->defs, index);
	uint32_t line = r->by == BY_METHOD ? 0 : m->defs.frames.at[index].line;
	json_t *o = json_object();
	set(w, o, "class", document_text(texts_get(&m->defs.texts, method->class_name)));
	set(w, o, "method", document_text(texts_get(&m->defs.texts, method->name)));
	set(w, o, "line", line ? document_count(line) : json_null());
	return o;
}

static json_t *frames(struct writer *w, const struct row *r)
{
	json_t *list = json_array();
	uint32_t index;
	for (uint32_t i = 0; (index = row_frame(r, w->v->model, i)); i++)
		append(w, list, frame(w, r, index));
	return list;
}

static json_t *total(struct writer *w, const struct total *t)
{
	json_t *o = json_object();
	set(w, o, "bytes", document_whole(t->bytes.sum));
	set(w, o, "objects", document_whole(t->objects.sum));
	return o;
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

struct arrays {
	json_t *t, *p, *lo, *hi;
};

static void point(
	struct writer *w, const struct arrays *a, const struct curve_point *p, double scale)
{
	append(w, a->t, scale < 1 ? document_number((double)p->t * scale) : document_count(p->t));
	append(w, a->p, document_number(p->p));
	append(w, a->lo, document_number(p->lo));
	append(w, a->hi, document_number(p->hi));
}

/* Every age up to DENSE, then the points where the curve falls, up to where it is known or 0. */
static void points(
	struct writer *w, const struct arrays *a, const struct curve *c, enum clock clock)
{
	uint64_t from = 0;
	for (uint64_t t = 1; c->counts && t <= DENSE && t <= c->known; t++) {
		struct curve_point p = curve_at(c, t);
		point(w, a, &p, 1);
		from = t;
		if (p.p <= 0)
			return;
	}
	for (size_t i = 0; i < c->points.count; i++) {
		const struct curve_point *p = &c->points.at[i];
		if (p->t <= from)
			continue;
		point(w, a, p, scale_of(clock));
		if (p->p <= 0)
			return;
	}
}

static bool is_known(const struct curve *c)
{
	return c->points.count && c->known > 0;
}

static json_t *curve(struct writer *w, const struct curve *c, enum clock clock)
{
	if (!is_known(c)) {
		w->blank = true;
		return json_null();
	}
	struct arrays a = {json_array(), json_array(), json_array(), json_array()};
	points(w, &a, c, clock);
	json_t *o = json_object();
	set(w, o, "t", a.t);
	set(w, o, "p", a.p);
	set(w, o, "lo", a.lo);
	set(w, o, "hi", a.hi);
	return o;
}

static json_t *survival(struct writer *w, const struct row *r, enum clock clock)
{
	return curve(w, &r->curves[clock], clock);
}

static json_t *survival_bytes(struct writer *w, const struct row *r, enum clock clock)
{
	return curve(w, &r->by_bytes[clock], clock);
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

static const char *const clock_keys[CLOCKS] = {[CLOCK_YOUNG] = "young_gcs",
	[CLOCK_FULL] = "full_gcs",
	[CLOCK_BYTES] = "mb",
	[CLOCK_NS] = "ms"};

/* The clocks before `clocks`. */
static json_t *by_clock(struct writer *w, const struct row *r, int clocks,
	json_t *(*of)(struct writer *, const struct row *, enum clock))
{
	json_t *o = json_object();
	for (int c = 0; c < clocks; c++)
		set(w, o, clock_keys[c], of(w, r, (enum clock)c));
	return o;
}

static json_t *split(struct writer *w, const struct context *c)
{
	json_t *o = json_object();
	set(w, o, "p", document_number(c->p));
	set(w, o, "effect", document_number(c->effect));
	set(w, o, "t", document_count(c->t));
	return o;
}

static void set_place(struct writer *w, json_t *o, const struct row *r)
{
	const struct model *m = w->v->model;
	set(w, o, "class",
		r->class ? document_text(defs_class_name(&m->defs, r->class)) : json_null());
	set(w, o, "frames", frames(w, r));
	if (by_row(r->by)->key && r->by != BY_CLASS)
		set(w, o, by_row(r->by)->key, document_text(slice_str(r->label)));
	if (r->caller)
		set(w, o, "caller", frame(w, r, r->caller));
	if (r->context.callers)
		set(w, o, "callers", document_count(r->context.callers));
	if (r->context.split)
		set(w, o, "split", split(w, &r->context));
}

static json_t *row(struct writer *w, const struct row *r)
{
	json_t *o = json_object();
	set_place(w, o, r);
	set(w, o, "alloc", alloc(w, &r->tally.alloc));
	set(w, o, "died", total(w, &r->tally.died));
	set(w, o, "alive", total(w, &r->tally.alive));
	set(w, o, "untracked", total(w, &r->tally.untracked));
	set(w, o, "survival", by_clock(w, r, CLOCKS, survival));
	set(w, o, "survival_bytes", by_clock(w, r, CLOCKS_GC, survival_bytes));
	set(w, o, "lifetime", by_clock(w, r, CLOCKS, quantiles));
	set(w, o, "shape", json_string(shape_text(r->shape)));
	return o;
}

static json_t *notes(struct writer *w)
{
	json_t *list = json_array();
	for (size_t i = 0; i < w->v->notes->list.count; i++)
		append(w, list, document_text(slice_str(w->v->notes->list.at[i])));
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
	document_put(&w.d, ",\n\"trace\":", trace(&w));
	document_put(&w.d, ",\n\"by\":", json_string(by_row(l->by)->word));
	buf_put_str(out, ",\n\"rows\":[");
	for (size_t i = 0; i < l->rows.count && !w.d.failed; i++)
		document_put(&w.d, i ? ",\n" : "\n", row(&w, &l->rows.at[i]));
	document_put(&w.d, "],\n\"hidden\":", document_count(l->hidden));
	document_put(&w.d, ",\n\"notes\":", notes(&w));
	buf_put_str(out, "}\n");
	return document_error(&w.d);
}
