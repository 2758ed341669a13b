#include <math.h>

#include "analyze/path.h"
#include "report/churn_view.h"
#include "report/document.h"
#include "report/exact_view.h"
#include "report/notes_json.h"
#include "report/place_json.h"
#include "report/trace_json.h"

struct writer {
	const struct churn_view *v;
	struct document d;
	int err;
};

static void set(struct writer *w, json_t *o, const char *key, json_t *value)
{
	document_set(&w->d, o, key, value);
}

static json_t *milliseconds(uint64_t ns)
{
	return document_number((double)ns / 1e6);
}

static json_t *amount(struct writer *w, const struct total *t, double whole)
{
	json_t *o = total_json(&w->d, t);
	set(w, o, "share", document_number(whole > 0 ? t->bytes.sum / whole : (double)NAN));
	return o;
}

static double died_bytes(const struct tally *t)
{
	return t->died.bytes.sum;
}

static json_t *path(struct writer *w, const struct ledger *l, const struct row *r)
{
	const struct model *m = w->v->view.model;
	struct path p = path_find(m, l, r->class, row_frame(r, m, 0), died_bytes);
	return path_json(&w->d, m, &p);
}

/* The rows of one ledger, by what died (or is alive) in it. */
static json_t *rows(struct writer *w, const struct window *look, const struct ledger *l,
	struct query q, double whole)
{
	json_t *list = json_array();
	struct lifetimes found;
	w->err = w->err ? w->err : lifetimes_find(&found, w->v->view.model, l, &q);
	if (w->err)
		return list;
	for (size_t i = 0; i < found.rows.count; i++) {
		const struct row *r = &found.rows.at[i];
		bool alive = q.sort == SORT_ALIVE;
		json_t *o = json_object();
		place_json(&w->d, o, w->v->view.model, r);
		struct total part = alive ? r->tally.alive : window_garbage(look, &r->tally);
		set(w, o, alive ? "alive" : "garbage", amount(w, &part, whole));
		if (!alive && q.by == BY_SITE)
			set(w, o, "path", path(w, l, r));
		document_append(&w->d, list, o);
	}
	lifetimes_release(&found);
	return list;
}

static json_t *groups(struct writer *w, const struct window *look, double whole)
{
	json_t *list = json_array();
	for (int g = 0; g < GROUPS; g++) {
		const struct life_group *group = life_group(g);
		json_t *o = amount(w, &look->dead[g], whole);
		struct query classes = w->v->query, sites = w->v->query;
		classes.by = BY_CLASS;
		set(w, o, "from", document_count(group->first));
		set(w, o, "to",
			group->last == UINT64_MAX ? json_null() : document_count(group->last));
		set(w, o, "classes", rows(w, look, &look->groups[g], classes, whole));
		set(w, o, "rows", rows(w, look, &look->groups[g], sites, whole));
		document_append(&w->d, list, o);
	}
	return list;
}

static json_t *collections(struct writer *w, const struct churn_window *c)
{
	json_t *o = json_object();
	set(w, o, "first", c->collections ? document_count(c->first_gc) : json_null());
	set(w, o, "count", document_count(c->collections));
	set(w, o, "pause_ms", milliseconds(c->pause));
	set(w, o, "time_share", document_number((double)c->pause / (double)(c->to - c->from)));
	return o;
}

static void set_facts(struct writer *w, json_t *o, const struct churn_window *c)
{
	const struct churn *churn = w->v->churn;
	set(w, o, "from_ms", milliseconds(c->from));
	set(w, o, "to_ms", milliseconds(c->to));
	set(w, o, "garbage_bytes", document_whole(c->bytes));
	set(w, o, "garbage_per_s", document_whole(c->rate));
	set(w, o, "times_average",
		document_number(churn->rate > 0 ? c->rate / churn->rate : (double)NAN));
	set(w, o, "p", document_number(c->p));
	set(w, o, "gcs", collections(w, c));
}

static json_t *window(struct writer *w, size_t i)
{
	const struct window *look = &w->v->churn->looks.list[i];
	struct query left = w->v->query;
	struct total garbage = {0};
	json_t *o = json_object();
	left.sort = SORT_ALIVE;
	for (int g = 0; g < GROUPS; g++)
		total_merge(&garbage, &look->dead[g]);
	set_facts(w, o, &w->v->churn->windows.at[i]);
	if (w->v->view.model->exact.births.objects)
		set(w, o, "counted", json_boolean(look->counted));
	set(w, o, "garbage", amount(w, &garbage, garbage.bytes.sum));
	set(w, o, "lifetimes", groups(w, look, garbage.bytes.sum));
	set(w, o, "rows", rows(w, look, &look->garbage, w->v->query, garbage.bytes.sum));
	json_t *outlived = amount(w, &look->left, look->left.bytes.sum);
	set(w, outlived, "rows", rows(w, look, &look->outlived, left, look->left.bytes.sum));
	set(w, o, "outlived", outlived);
	return o;
}

static json_t *run(struct writer *w)
{
	static const char *const basis[] = {[SERIES_NONE] = "none",
		[SERIES_COLLECTIONS] = "collections",
		[SERIES_SECONDS] = "seconds"};
	const struct churn *c = w->v->churn;
	json_t *o = json_object();
	set(w, o, "basis", json_string(basis[c->series.basis]));
	set(w, o, "steps", document_count(c->series.steps.count));
	set(w, o, "garbage_per_s",
		c->series.basis == SERIES_NONE ? json_null() : document_whole(c->rate));
	return o;
}

int churn_json_put(struct buf *out, const struct churn_view *v)
{
	struct writer w = {.v = v, .d = document_init(out)};
	document_put(&w.d, "{\"mayfly\":", json_integer(1));
	document_put(&w.d, ",\n\"trace\":",
		trace_json(&w.d, v->view.model, v->view.file, view_allocated(v->view.model)));
	exact_json_put(&w.d, v->view.model);
	document_put(&w.d, ",\n\"run\":", run(&w));
	buf_put_str(out, ",\n\"windows\":[");
	for (size_t i = 0; i < v->churn->windows.count && !w.d.failed && !w.err; i++)
		document_put(&w.d, i ? ",\n" : "\n", window(&w, i));
	document_put(&w.d, "],\n\"notes\":", notes_json(&w.d, v->view.notes));
	buf_put_str(out, "}\n");
	return w.err ? w.err : document_error(&w.d);
}
