#include <math.h>

#include "report/diff_view.h"
#include "report/document.h"
#include "report/notes_json.h"
#include "report/trace_json.h"
#include "report/view.h"

struct writer {
	const struct diff_view *v;
	struct document d;
};

static void set(struct writer *w, json_t *o, const char *key, json_t *value)
{
	document_set(&w->d, o, key, value);
}

static json_t *side(struct writer *w, const struct diff_side *s)
{
	json_t *list = json_array();
	for (size_t i = 0; i < s->group->count; i++) {
		const struct model *m = s->group->runs[i].model;
		document_append(&w->d, list, trace_json(&w->d, m, s->files[i], view_allocated(m)));
	}
	return list;
}

static json_t *change(struct writer *w, const struct change *c, double p)
{
	json_t *o = json_object();
	set(w, o, "a", document_number(c->a));
	set(w, o, "b", document_number(c->b));
	set(w, o, "ratio", document_number(c->ratio));
	set(w, o, "lo", document_number(c->lo));
	set(w, o, "hi", document_number(c->hi));
	set(w, o, "p", document_number(isnan(c->p) ? c->p : p));
	return o;
}

static json_t *figures(struct writer *w)
{
	json_t *o = json_object();
	for (enum figure f = 0; f < FIGURES; f++)
		set(w, o, figure_row(f)->word,
			change(w, &w->v->diff->figures[f], w->v->diff->figures[f].p));
	return o;
}

static json_t *line(uint32_t n)
{
	return n ? document_count(n) : json_null();
}

static json_t *row(struct writer *w, const struct diff_row *r)
{
	json_t *o = json_object(), *one = json_object();
	set(w, o, "class", r->class ? document_text(slice_str(r->class)) : json_null());
	set(w, o, by_row(w->v->diff->by)->word, document_text(slice_str(r->place)));
	set(w, o, "line_a", line(r->line_a));
	set(w, o, "line_b", line(r->line_b));
	set(w, o, "alloc", change(w, &r->alloc, r->p));
	set(w, o, "survived", change(w, &r->survived, r->survived_p));
	set(w, one, "a", document_number(r->one_a));
	set(w, one, "b", document_number(r->one_b));
	set(w, one, "p", document_number(r->life_p));
	set(w, o, "survives_one", one);
	set(w, o, "changed", json_boolean(r->changed));
	set(w, o, "lives_changed", json_boolean(r->lives_changed));
	return o;
}

int diff_json_put(struct buf *out, const struct diff_view *v)
{
	struct writer w = {.v = v, .d = document_init(out)};
	size_t all = v->diff->rows.count, count = v->limit && v->limit < all ? v->limit : all;
	document_put(&w.d, "{\"mayfly\":", json_integer(1));
	document_put(&w.d, ",\n\"a\":", side(&w, &v->a));
	document_put(&w.d, ",\n\"b\":", side(&w, &v->b));
	document_put(&w.d, ",\n\"per\":", json_string(v->diff->per == PER_RUN ? "run" : "second"));
	document_put(&w.d, ",\n\"figures\":", figures(&w));
	document_put(&w.d, ",\n\"by\":", json_string(by_row(v->diff->by)->word));
	buf_put_str(out, ",\n\"rows\":[");
	for (size_t i = 0; i < count && !w.d.failed; i++)
		document_put(&w.d, i ? ",\n" : "\n", row(&w, &v->diff->rows.at[i]));
	document_put(&w.d, "],\n\"hidden\":", document_count(all - count));
	document_put(&w.d, ",\n\"failed\":", notes_json(&w.d, v->failures));
	document_put(&w.d, ",\n\"notes\":", notes_json(&w.d, v->notes));
	buf_put_str(out, "}\n");
	return document_error(&w.d);
}
