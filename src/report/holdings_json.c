#include "report/document.h"
#include "report/notes_json.h"
#include "report/place_json.h"
#include "report/holdings_view.h"
#include "report/trace_json.h"

struct writer {
	const struct holdings_view *v;
	struct document d;
};

static void set(struct writer *w, json_t *o, const char *key, json_t *value)
{
	document_set(&w->d, o, key, value);
}

static json_t *quantity(struct writer *w, uint64_t objects, uint64_t bytes)
{
	json_t *o = json_object();
	set(w, o, "objects", document_count(objects));
	set(w, o, "bytes", document_count(bytes));
	return o;
}

static json_t *heap(struct writer *w)
{
	const struct record_heap_count *h = &w->v->view.model->heap.head;
	const struct gc *gc = holdings_gc(w->v->view.model);
	json_t *o = json_object();
	set(w, o, "ms", document_number((double)h->time / 1e6));
	set(w, o, "young", document_count(h->young));
	set(w, o, "full", document_count(h->full));
	set(w, o, "forced", json_boolean(h->flags & HOLDINGS_FORCED));
	set(w, o, "garbage", json_boolean(h->flags & HOLDINGS_GARBAGE));
	set(w, o, "sites_lost", json_boolean(h->flags & HOLDINGS_SITES_LOST));
	set(w, o, "known", quantity(w, h->known, h->known_bytes));
	set(w, o, "unknown", quantity(w, h->unknown, h->unknown_bytes));
	set(w, o, "used", document_count(h->used));
	set(w, o, "vm_used", gc && gc->heap_after ? document_count(gc->heap_after) : json_null());
	set(w, o, "unread", document_count(h->unread));
	set(w, o, "unstamped", document_count(h->unstamped));
	set(w, o, "pause_ms", gc ? document_number((double)gc->pause / 1e6) : json_null());
	set(w, o, "cost_ms", document_number((double)h->cost / 1e6));
	return o;
}

static json_t *row(struct writer *w, const struct holdings_row *r)
{
	const struct holdings *s = w->v->holdings;
	json_t *o = json_object(), *young = json_array();
	double all = (double)s->all.bytes;
	set(w, o, "class",
		r->class ? document_text(defs_class_name(&w->v->view.model->defs, r->class))
			 : json_null());
	set(w, o, "frames", site_frames_json(&w->d, w->v->view.model, s->by, r->site));
	if (s->by == BY_PACKAGE)
		set(w, o, "package", r->rest ? json_null() : document_text(slice_str(r->label)));
	set(w, o, "older", json_boolean(r->rest));
	set(w, o, "objects", document_count(r->all.objects));
	set(w, o, "bytes", document_count(r->all.bytes));
	set(w, o, "share", document_number(all > 0 ? (double)r->all.bytes / all : 0));
	for (size_t i = 0; i < COUNTS_AGES; i++)
		document_append(&w->d, young, quantity(w, r->young[i].objects, r->young[i].bytes));
	set(w, o, "young", young);
	set(w, o, "old", quantity(w, r->old.objects, r->old.bytes));
	set(w, o, "unknown", quantity(w, r->unknown.objects, r->unknown.bytes));
	return o;
}

int holdings_json_put(struct buf *out, const struct holdings_view *v)
{
	struct writer w = {.v = v, .d = document_init(out)};
	const struct holdings *s = v->holdings;
	document_put(&w.d, "{\"mayfly\":", json_integer(1));
	document_put(&w.d, ",\n\"trace\":",
		trace_json(&w.d, v->view.model, v->view.file, view_allocated(v->view.model)));
	document_put(&w.d, ",\n\"heap\":", heap(&w));
	document_put(&w.d, ",\n\"by\":", json_string(by_row(s->by)->word));
	buf_put_str(out, ",\n\"rows\":[");
	for (size_t i = 0; i < s->rows.count && !w.d.failed; i++)
		document_put(&w.d, i ? ",\n" : "\n", row(&w, &s->rows.at[i]));
	document_put(&w.d, "],\n\"hidden\":", document_count(s->hidden));
	document_put(&w.d, ",\n\"notes\":", notes_json(&w.d, v->view.notes));
	buf_put_str(out, "}\n");
	return document_error(&w.d);
}
