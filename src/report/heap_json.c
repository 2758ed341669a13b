#include <math.h>

#include "report/document.h"
#include "report/heap_view.h"
#include "report/notes_json.h"
#include "report/place_json.h"
#include "report/trace_json.h"
#include "stat/share.h"

struct writer {
	const struct heap_view *v;
	struct document d;
};

static void set(struct writer *w, json_t *o, const char *key, json_t *value)
{
	document_set(&w->d, o, key, value);
}

static json_t *moment(struct writer *w, const struct heap_moment *m)
{
	json_t *o = json_object();
	size_t gc = heap_gc(w->v->view.model, m->time);
	set(w, o, "ms", document_number((double)m->time / 1e6));
	set(w, o, "gc", gc ? document_count(gc) : json_null());
	set(w, o, "alive", m->untold ? json_null() : total_json(&w->d, &m->live));
	set(w, o, "of_unfollowed_bytes", document_whole(m->guessed));
	set(w, o, "vm_used", m->vm_used ? document_count(m->vm_used) : json_null());
	return o;
}

static json_t *row(struct writer *w, const struct row *r, const struct total *all)
{
	json_t *o = json_object(), *ages = json_array();
	double shares[HEAP_AGES];
	place_json(&w->d, o, w->v->view.model, r);
	set(w, o, "alive", total_json(&w->d, &r->tally.alive));
	set(w, o, "share", document_number(share_bytes(&r->tally.alive, all).value));
	heap_ages(r, shares);
	for (int i = 0; i < HEAP_AGES; i++)
		document_append(&w->d, ages, document_number(shares[i]));
	set(w, o, "ages", ages);
	return o;
}

static json_t *exact(struct writer *w)
{
	const struct heap_exact *e = w->v->exact;
	json_t *o = json_object();
	set(w, o, "gc",
		e->gc == GCS_NONE || e->end
			? json_null()
			: document_count(model_gc_number(w->v->view.model, (size_t)e->gc)));
	set(w, o, "objects", document_count(e->objects));
	set(w, o, "by_class_bytes", document_whole(e->bytes[SIZE_CLASS]));
	set(w, o, "by_told_bytes", document_whole(e->bytes[SIZE_TOLD]));
	set(w, o, "by_distance_bytes", document_whole(e->bytes[SIZE_DISTANCE]));
	set(w, o, "by_mean_bytes", document_whole(e->bytes[SIZE_MEAN]));
	set(w, o, "unsized_objects", document_count(e->unsized));
	return o;
}

int heap_json_put(struct buf *out, const struct heap_view *v)
{
	struct writer w = {.v = v, .d = document_init(out)};
	const struct heap *h = v->heap;
	const struct lifetimes *l = v->view.lifetimes;
	document_put(&w.d, "{\"mayfly\":", json_integer(1));
	document_put(&w.d, ",\n\"trace\":",
		trace_json(&w.d, v->view.model, v->view.file, view_allocated(v->view.model)));
	buf_put_str(out, ",\n\"moments\":[");
	for (size_t i = 0; i < h->moments.count && !w.d.failed; i++)
		document_put(&w.d, i ? ",\n" : "\n", moment(&w, &h->moments.at[i]));
	buf_put_str(out, "]");
	if (v->exact)
		document_put(&w.d, ",\n\"exact\":", exact(&w));
	document_put(&w.d, ",\n\"by\":", json_string(by_row(l->by)->word));
	buf_put_str(out, ",\n\"rows\":[");
	for (size_t i = 0; i < l->rows.count && !w.d.failed; i++)
		document_put(&w.d, i ? ",\n" : "\n",
			row(&w, &l->rows.at[i], &h->moments.at[h->moments.count - 1].live));
	document_put(&w.d, "],\n\"hidden\":", document_count(l->hidden));
	document_put(&w.d, ",\n\"notes\":", notes_json(&w.d, v->view.notes));
	buf_put_str(out, "}\n");
	return document_error(&w.d);
}
