#include <math.h>

#include "report/document.h"
#include "report/heap_view.h"
#include "report/notes_json.h"
#include "report/place_json.h"
#include "report/stock_view.h"
#include "report/trace_json.h"

struct writer {
	const struct stock_view *v;
	struct document d;
};

static void set(struct writer *w, json_t *o, const char *key, json_t *value)
{
	document_set(&w->d, o, key, value);
}

static json_t *quantity(struct writer *w, struct quantity q)
{
	json_t *o = json_object();
	set(w, o, "objects", document_count(q.objects));
	set(w, o, "bytes", document_count(q.bytes));
	return o;
}

static json_t *interval(struct writer *w, struct estimate e)
{
	struct estimate ratio = estimate_ratio(e);
	json_t *list = json_array();
	document_append(&w->d, list, document_number(ratio.lo));
	document_append(&w->d, list, document_number(ratio.hi));
	return list;
}

static json_t *alive(struct writer *w, const struct stock_row *r)
{
	json_t *o = json_object();
	set(w, o, "bytes", document_whole(r->alive.bytes.value));
	set(w, o, "objects", document_whole(r->alive.objects.value));
	set(w, o, "ci95", interval(w, r->alive.bytes));
	set(w, o, "samples", document_count(r->sampled.n));
	return o;
}

static json_t *most(struct writer *w, struct quantity q)
{
	const struct stock *s = w->v->stock;
	return s->no_bound || s->astray ? json_null() : quantity(w, q);
}

/* What is exact of it, what a bound, and what the figure is. */
static void set_parts(struct writer *w, json_t *o, const struct stock_row *r)
{
	json_t *young = json_array();
	for (size_t k = 0; k <= COUNTS_AGES; k++)
		document_append(&w->d, young, quantity(w, r->young[k]));
	set(w, o, "alive", alive(w, r));
	set(w, o, "alive_is", json_string(stock_basis(w->v, r)));
	set(w, o, "counted", quantity(w, r->counted));
	set(w, o, "young", young);
	set(w, o, "old", quantity(w, r->old));
	set(w, o, "old_at_most", most(w, r->most));
}

static json_t *moment(struct writer *w)
{
	const struct heap_moment *m = w->v->moment;
	json_t *o = json_object();
	size_t gc = heap_gc(w->v->view.model, m->time);
	set(w, o, "ms", document_number((double)m->time / 1e6));
	set(w, o, "gc", gc ? document_count(gc) : json_null());
	set_parts(w, o, &w->v->rows->all);
	set(w, o, "of_unfollowed_bytes", document_whole(m->guessed));
	set(w, o, "vm_used", m->vm_used ? document_count(m->vm_used) : json_null());
	set(w, o, "unknown", quantity(w, w->v->stock->unknown));
	return o;
}

static json_t *row(struct writer *w, const struct stock_row *r)
{
	const struct model *m = w->v->view.model;
	double all = w->v->rows->all.alive.bytes.value;
	json_t *o = json_object();
	set(w, o, "class",
		r->class ? document_text(defs_class_name(&m->defs, r->class)) : json_null());
	set(w, o, "frames", site_frames_json(&w->d, m, w->v->rows->by, r->site));
	if (w->v->rows->by == BY_PACKAGE)
		set(w, o, "package", document_text(slice_str(r->label)));
	set_parts(w, o, r);
	set(w, o, "share", document_number(all > 0 ? r->alive.bytes.value / all : (double)NAN));
	return o;
}

int stock_json_put(struct buf *out, const struct stock_view *v)
{
	struct writer w = {.v = v, .d = document_init(out)};
	const struct stock_rows *r = v->rows;
	document_put(&w.d, "{\"mayfly\":", json_integer(1));
	document_put(&w.d, ",\n\"trace\":",
		trace_json(&w.d, v->view.model, v->view.file, view_allocated(v->view.model)));
	buf_put_str(out, ",\n\"moments\":[");
	document_put(&w.d, "\n", moment(&w));
	buf_put_str(out, "]");
	document_put(&w.d, ",\n\"by\":", json_string(by_row(r->by)->word));
	buf_put_str(out, ",\n\"rows\":[");
	for (size_t i = 0; i < r->rows.count && !w.d.failed; i++)
		document_put(&w.d, i ? ",\n" : "\n", row(&w, &r->rows.at[i]));
	document_put(&w.d, "],\n\"hidden\":", document_count(r->hidden));
	document_put(&w.d, ",\n\"notes\":", notes_json(&w.d, v->view.notes));
	buf_put_str(out, "}\n");
	return document_error(&w.d);
}
