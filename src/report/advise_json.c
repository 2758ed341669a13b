#include <math.h>

#include "analyze/path.h"
#include "report/advise_view.h"
#include "report/document.h"
#include "report/exact_view.h"
#include "report/notes_json.h"
#include "report/place_json.h"
#include "report/trace_json.h"

struct writer {
	const struct advise_view *v;
	struct document d;
};

static void set(struct writer *w, json_t *o, const char *key, json_t *value)
{
	document_set(&w->d, o, key, value);
}

static double alloc_bytes(const struct tally *t)
{
	return t->alloc.bytes.sum;
}

static json_t *path(struct writer *w, const struct row *r)
{
	const struct model *m = w->v->view.model;
	struct path p = path_find(m, w->v->ledger, r->class, row_frame(r, m, 0), alloc_bytes);
	return path_json(&w->d, m, &p);
}

/* ns a second, as ms a second. */
static json_t *milliseconds(double ns)
{
	return document_number(ns / 1e6);
}

static json_t *interval(struct writer *w, struct estimate e)
{
	json_t *list = json_array();
	document_append(&w->d, list, document_number(e.lo));
	document_append(&w->d, list, document_number(e.hi));
	return list;
}

static json_t *finding(struct writer *w, const struct finding *f)
{
	json_t *o = json_object();
	set(w, o, "rule", json_string(rule_word(f->rule)));
	set(w, o, "title", json_string(rule_title(f->rule)));
	set(w, o, "sure", json_string(sure_word(f->sure)));
	set(w, o, "gc_ms_per_s", milliseconds(f->gc));
	set(w, o, "gc_ms_per_s_most", milliseconds(f->gc_most));
	set(w, o, "bytes_per_s", document_whole(f->bytes));
	set(w, o, "value", document_number(f->share.value));
	set(w, o, "ci95", interval(w, f->share));
	if (f->row) {
		place_json(&w->d, o, w->v->view.model, f->row);
		set(w, o, "path", path(w, f->row));
	}
	set(w, o, "is", document_text(slice_str(f->facts)));
	set(w, o, "do", document_text(slice_str(f->todo)));
	set(w, o, "option", document_text(slice_str(f->option)));
	set(w, o, "then", document_text(slice_str(f->outcome)));
	return o;
}

static json_t *whatif(struct writer *w, unsigned threshold, unsigned times)
{
	struct whatif f = advise_whatif(&w->v->advise->run, threshold, times);
	json_t *o = json_object();
	set(w, o, times > 1 ? "young_times" : "threshold",
		document_count(times > 1 ? times : threshold));
	set(w, o, "copied", document_whole(f.copied));
	set(w, o, "promoted", document_whole(f.promoted));
	set(w, o, "at_most", json_boolean(f.at_most));
	return o;
}

static json_t *whatifs(struct writer *w)
{
	const struct advise_run *r = &w->v->advise->run;
	json_t *list = json_array();
	for (unsigned t = 0; r->ages_known && t <= r->held_most; t++)
		document_append(&w->d, list, whatif(w, t, 1));
	for (unsigned k = 2; r->ages_known && k <= COPIES_TIMES; k *= 2)
		document_append(&w->d, list, whatif(w, TENURING_MOST, k));
	return list;
}

static json_t *cost(struct writer *w)
{
	const struct advise_run *r = &w->v->advise->run;
	json_t *o = json_object();
	if (!r->cost_known) {
		json_decref(o);
		return json_null();
	}
	/* ns a byte are ms a million bytes. */
	set(w, o, "ms_per_mb", document_number(r->cost.value));
	set(w, o, "ci95", interval(w, (struct estimate){r->cost.value, r->cost.lo, r->cost.hi}));
	set(w, o, "ms_per_gc", milliseconds(r->fixed));
	return o;
}

static json_t *run(struct writer *w)
{
	const struct advise_run *r = &w->v->advise->run;
	struct whatif now = advise_whatif(r, TENURING_MOST, 1);
	const double unknown = (double)NAN;
	json_t *o = json_object();
	set(w, o, "pause_ms_per_s", milliseconds(r->seconds > 0 ? r->pause / r->seconds : unknown));
	set(w, o, "copy_cost", cost(w));
	set(w, o, "threshold", document_number(r->young ? r->held_mean : unknown));
	set(w, o, "copied", r->ages_known ? document_whole(now.copied) : json_null());
	set(w, o, "promoted", r->ages_known ? document_whole(now.promoted) : json_null());
	set(w, o, "copied_by_vm",
		r->vm_known ? document_whole(r->survivors + r->promoted) : json_null());
	set(w, o, "fit", document_number(r->vm_known && r->ages_known ? r->fit : unknown));
	set(w, o, "what_if", whatifs(w));
	if (w->v->view.model->exact.births.objects)
		set(w, o, "counted", json_boolean(r->counted));
	return o;
}

int advise_json_put(struct buf *out, const struct advise_view *v)
{
	struct writer w = {.v = v, .d = document_init(out)};
	const struct advise *a = v->advise;
	document_put(&w.d, "{\"mayfly\":", json_integer(1));
	document_put(&w.d, ",\n\"trace\":",
		trace_json(&w.d, v->view.model, v->view.file, view_allocated(v->view.model)));
	exact_json_put(&w.d, v->view.model);
	document_put(&w.d, ",\n\"run\":", run(&w));
	buf_put_str(out, ",\n\"findings\":[");
	for (size_t i = 0; i < a->findings.count && !w.d.failed; i++)
		document_put(&w.d, i ? ",\n" : "\n", finding(&w, &a->findings.at[i]));
	document_put(&w.d, "],\n\"hidden\":", document_count(a->hidden));
	document_put(&w.d, ",\n\"small\":", document_count(a->small));
	document_put(&w.d, ",\n\"notes\":", notes_json(&w.d, v->view.notes));
	buf_put_str(out, "}\n");
	return document_error(&w.d);
}
