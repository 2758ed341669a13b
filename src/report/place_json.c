#include "report/place_json.h"

json_t *frame_json(struct document *d, const struct model *m, uint32_t frame, bool with_line)
{
	const struct method_def *method = defs_frame_method(&m->defs, frame);
	uint32_t line = with_line ? m->defs.frames.at[frame].line : 0;
	json_t *o = json_object();
	document_set(d, o, "class", document_text(texts_get(&m->defs.texts, method->class_name)));
	document_set(d, o, "method", document_text(texts_get(&m->defs.texts, method->name)));
	document_set(d, o, "line", line ? document_count(line) : json_null());
	return o;
}

json_t *site_frames_json(struct document *d, const struct model *m, enum by by, uint32_t site)
{
	uint32_t frame = m->defs.sites.at[site].frame;
	json_t *list = json_array();
	if (frame && (by == BY_SITE || by == BY_METHOD))
		document_append(d, list, frame_json(d, m, frame, by == BY_SITE));
	return list;
}

static json_t *frames(struct document *d, const struct model *m, const struct row *r)
{
	json_t *list = json_array();
	uint32_t frame;
	for (uint32_t i = 0; (frame = row_frame(r, m, i)); i++)
		document_append(d, list, frame_json(d, m, frame, r->by != BY_METHOD));
	return list;
}

static json_t *split(struct document *d, const struct context *c)
{
	json_t *o = json_object();
	document_set(d, o, "p", document_number(c->p));
	document_set(d, o, "effect", document_number(c->effect));
	document_set(d, o, "t", document_count(c->t));
	return o;
}

void place_json(struct document *d, json_t *o, const struct model *m, const struct row *r)
{
	document_set(d, o, "class",
		r->class ? document_text(defs_class_name(&m->defs, r->class)) : json_null());
	document_set(d, o, "frames", frames(d, m, r));
	if (by_row(r->by)->key && r->by != BY_CLASS)
		document_set(d, o, by_row(r->by)->key, document_text(slice_str(r->label)));
	if (r->caller)
		document_set(d, o, "caller", frame_json(d, m, r->caller, r->by != BY_METHOD));
	if (r->context.callers)
		document_set(d, o, "callers", document_count(r->context.callers));
	if (r->context.split)
		document_set(d, o, "split", split(d, &r->context));
}

json_t *total_json(struct document *d, const struct total *t)
{
	struct estimate e = estimate_ratio(total_bytes(t));
	json_t *o = json_object(), *ci = json_array();
	document_set(d, o, "bytes", document_whole(t->bytes.sum));
	document_set(d, o, "objects", document_whole(t->objects.sum));
	document_append(d, ci, document_number(e.lo));
	document_append(d, ci, document_number(e.hi));
	document_set(d, o, "ci95", ci);
	document_set(d, o, "samples", document_count(t->n));
	return o;
}

json_t *path_json(struct document *d, const struct model *m, const struct path *p)
{
	json_t *list = json_array();
	for (size_t i = 0; i < p->count; i++) {
		json_t *o = frame_json(d, m, p->frames[i], true);
		document_set(d, o, "share", document_number(p->shares[i]));
		document_append(d, list, o);
	}
	return list;
}
