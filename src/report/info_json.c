#include "analyze/filling.h"
#include "analyze/story.h"
#include "report/document.h"
#include "report/exact_view.h"
#include "report/info.h"
#include "report/notes_json.h"
#include "report/trace_json.h"

struct writer {
	const struct view *v;
	struct document d;
};

static void set(struct writer *w, json_t *object, const char *key, json_t *value)
{
	document_set(&w->d, object, key, value);
}

static json_t *facts(struct writer *w)
{
	const struct model *m = w->v->model;
	json_t *o = json_object();
	for (size_t i = 0; i < m->facts.facts.count; i++) {
		const struct fact *f = &m->facts.facts.at[i];
		struct buf key = {0};
		text_clean(&key, texts_get(&m->defs.texts, f->key));
		set(w, o, buf_text(&key), document_text(texts_get(&m->defs.texts, f->value)));
		buf_release(&key);
	}
	return o;
}

static json_t *configs(struct writer *w)
{
	const struct facts *f = &w->v->model->facts;
	json_t *list = json_array();
	for (size_t i = 0; i < f->turns.count; i++) {
		const struct config_def *c = &f->configs.at[f->turns.at[i].config];
		json_t *o = json_object();
		set(w, o, "time_ms", document_number((double)f->turns.at[i].time / 1e6));
		set(w, o, "interval", document_count(c->interval));
		set(w, o, "walk", document_number(c->walk));
		set(w, o, "track", document_number(c->track));
		set(w, o, "capacity", document_count(c->capacity));
		document_append(&w->d, list, o);
	}
	return list;
}

static json_t *gcs(struct writer *w)
{
	const struct gcs *g = &w->v->model->gcs;
	json_t *o = gcs_json(&w->d, w->v->model);
	set(w, o, "forced", g->untold ? json_null() : document_count(g->forced));
	set(w, o, "pause_ms", document_number((double)g->pause_total / 1e6));
	set(w, o, "pause_max_ms", document_number((double)g->pause_max / 1e6));
	return o;
}

static json_t *filling(struct writer *w)
{
	struct filling f = filling_of(w->v->model);
	if (!f.spans)
		return json_null();
	json_t *o = json_object();
	set(w, o, "heap_bytes", document_number(f.bytes));
	set(w, o, "sampled_bytes", document_number(f.sampled));
	set(w, o, "spans", document_count(f.spans));
	return o;
}

static json_t *lives(struct writer *w)
{
	const struct tallies *t = &w->v->model->tallies;
	json_t *o = json_object();
	set(w, o, "tracked", document_count(t->born));
	set(w, o, "died", document_count(t->died));
	set(w, o, "alive", document_count(t->alive));
	set(w, o, "untracked", document_count(t->untracked));
	return o;
}

static json_t *events(struct writer *w)
{
	const struct model *m = w->v->model;
	json_t *o = json_object();
	set(w, o, "count", document_count(m->events.records));
	set(w, o, "births", document_count(m->exact.births.objects));
	set(w, o, "file_bytes", document_count(m->events.bytes));
	set(w, o, "checkpoint_bytes", document_count(m->checkpoints.bytes));
	return o;
}

/* NULL: it was not recorded with tenure. */
static json_t *tenure(struct writer *w)
{
	struct story s;
	json_t *o = NULL;
	if (story_find(&s, w->v->model)) {
		w->d.failed = true;
		return NULL;
	}
	if (s.why != STORY_UNASKED) {
		o = json_object();
		set(w, o, "rounds", document_count(w->v->model->tenure.rounds.count));
		set(w, o, "jumps", document_count(s.jumps));
		set(w, o, "threshold",
			s.threshold < TENURE_UNBOUND ? document_count(s.threshold) : json_null());
		set(w, o, "taken_back", document_count(s.taken_back));
	}
	story_release(&s);
	return o;
}

static json_t *places(struct writer *w)
{
	const struct defs *d = &w->v->model->defs;
	json_t *o = json_object();
	set(w, o, "sites", document_count(d->sites.count - 1));
	set(w, o, "frames", document_count(d->frames.count - 1));
	set(w, o, "methods", document_count(d->methods.count - 1));
	set(w, o, "classes", document_count(d->classes.count - 1));
	set(w, o, "threads", document_count(d->threads.count - 1));
	return o;
}

/* Of a cyclic trace: what is not in it any more. */
static json_t *forgotten(struct writer *w)
{
	const struct begin *b = &w->v->model->begin;
	json_t *o = json_object();
	set(w, o, "blocks", document_count(b->forgotten.blocks));
	set(w, o, "bytes", document_count(b->forgotten.bytes));
	set(w, o, "ms", document_number((double)b->time / 1e6));
	set(w, o, "gcs", document_count(b->gcs));
	return o;
}

static json_t *document(struct writer *w)
{
	const struct model *m = w->v->model;
	json_t *o = json_object();
	set(w, o, "mayfly", json_integer(1));
	set(w, o, "file", document_text(slice_str(w->v->file)));
	set(w, o, "format", json_sprintf("%u.%u", m->major, m->minor));
	set(w, o, "began_unix_ms", m->wall.v ? document_count(m->wall.v / 1000000) : json_null());
	set(w, o, "duration_ms", document_number((double)m->now.time / 1e6));
	set(w, o, "complete", json_boolean(m->complete));
	set(w, o, "ending", json_string(info_ending(m)));
	if (m->begin.forgotten.blocks)
		set(w, o, "forgotten", forgotten(w));
	set(w, o, "facts", facts(w));
	set(w, o, "sampling", configs(w));
	set(w, o, "gcs", gcs(w));
	set(w, o, "samples", document_count(view_samples(m)));
	set(w, o, "lost", document_count(view_lost(m)));
	set(w, o, "filling", filling(w));
	set(w, o, "lives", lives(w));
	json_t *exact = exact_json(&w->d, m);
	if (exact)
		set(w, o, "exact", exact);
	if (m->events.blocks)
		set(w, o, "events", events(w));
	json_t *t = tenure(w);
	if (t)
		set(w, o, "tenure", t);
	set(w, o, "places", places(w));
	set(w, o, "alloc_clock_bytes", document_count(m->now.alloc));
	set(w, o, "heap_peak_bytes", document_count(m->standing.heap_peak));
	set(w, o, "agent_peak_bytes", document_count(m->standing.agent_peak));
	set(w, o, "blocks", document_count(m->blocks));
	set(w, o, "records", document_count(m->records));
	set(w, o, "notes", notes_json(&w->d, w->v->notes));
	return o;
}

int info_json(struct buf *out, const struct view *v)
{
	struct writer w = {.v = v, .d = document_init(out)};
	document_put(&w.d, "", document(&w));
	buf_put_u8(out, '\n');
	return document_error(&w.d);
}
