#include <math.h>

#include "report/document.h"
#include "report/notes_json.h"
#include "report/place_json.h"
#include "report/story_view.h"
#include "report/trace_json.h"

struct writer {
	const struct story_view *v;
	struct document d;
};

static void set(struct writer *w, json_t *o, const char *key, json_t *value)
{
	document_set(&w->d, o, key, value);
}

/* ns as ms; null where it is the number that means none. */
static json_t *moment(uint64_t ns)
{
	return document_number((double)ns / 1e6);
}

static json_t *round_number(uint64_t round)
{
	return round == STORY_NEVER ? json_null() : document_count(round);
}

static json_t *text(struct writer *w, uint32_t number)
{
	return document_text(texts_get(&w->v->story->model->defs.texts, number));
}

static json_t *side(struct writer *w, const struct story_side *s)
{
	json_t *o = json_object();
	set(w, o, "rounds", document_count(s->rounds));
	for (enum story_figure f = 0; f < STORY_FIGURES; f++) {
		const struct story_row *row = story_row(f);
		double value = s->value[f];
		set(w, o, row->word,
			row->unit == STORY_IN_BYTES && isfinite(value) ? document_whole(value)
			: row->unit == STORY_IN_NS ? document_number(value / 1e6)
						   : document_number(value));
	}
	set(w, o, "pauses", document_count(s->n[STORY_PAUSE]));
	set(w, o, "cpu_rounds", document_count(s->n[STORY_CPU]));
	return o;
}

/* `class` and `frames` of a place, the allocating one first. */
static void set_site(struct writer *w, json_t *o, uint32_t site)
{
	const struct model *m = w->v->story->model;
	json_t *frames = json_array();
	uint32_t frame = m->defs.sites.at[site].frame;
	for (; frame; frame = m->defs.frames.at[frame].parent)
		document_append(&w->d, frames, frame_json(&w->d, m, frame, true));
	set(w, o, "class",
		site ? document_text(defs_class_name(&m->defs, m->defs.sites.at[site].class))
		     : json_null());
	set(w, o, "frames", frames);
}

static json_t *place(struct writer *w, const struct story_place *p)
{
	json_t *o = json_object();
	set_site(w, o, p->site);
	set(w, o, "in_force", json_boolean(p->in_force));
	set(w, o, "gain_per_s", document_count(p->gain));
	set(w, o, "harm_per_s", document_count(p->harm));
	set(w, o, "round", document_count(p->round));
	set(w, o, "ms", moment(p->time));
	set(w, o, "reason", text(w, p->reason));
	return o;
}

static json_t *places(struct writer *w)
{
	const struct story *s = w->v->story;
	json_t *list = json_array();
	for (size_t i = 0; i < s->places.count; i++)
		document_append(&w->d, list, place(w, &s->places.at[i]));
	return list;
}

static json_t *decision(struct writer *w, const struct tenure_decision *d)
{
	static const char *const levers[TENURE_LEVERS] = {[TENURE_JUMP] = "jump",
		[TENURE_THRESHOLD] = "threshold",
		[TENURE_YOUNG] = "young-size",
		[TENURE_SAMPLING] = "sampling"};
	static const char *const actions[TENURE_ACTIONS] = {[TENURE_TAKE] = "take",
		[TENURE_KEEP] = "keep",
		[TENURE_TAKE_BACK] = "take-back",
		[TENURE_REST] = "rest",
		[TENURE_RESUME] = "resume",
		[TENURE_ADVISE] = "advise"};
	json_t *o = json_object();
	set(w, o, "round", document_count(d->round));
	set(w, o, "ms", moment(d->time));
	set(w, o, "lever", json_string(levers[d->lever]));
	set(w, o, "action", json_string(actions[d->action]));
	set(w, o, "value", document_count(d->value));
	set(w, o, "gain_per_s", document_count(d->gain));
	set(w, o, "harm_per_s", document_count(d->harm));
	set(w, o, "reason", text(w, d->reason));
	return o;
}

/* Of the levers that are not places. */
static json_t *moves(struct writer *w)
{
	const struct tenure *t = &w->v->story->model->tenure;
	json_t *list = json_array();
	for (size_t i = 0; i < t->decisions.count; i++)
		if (t->decisions.at[i].lever != TENURE_JUMP &&
			t->decisions.at[i].action != TENURE_ADVISE)
			document_append(&w->d, list, decision(w, &t->decisions.at[i]));
	return list;
}

static json_t *outcomes(struct writer *w)
{
	const struct tenure *t = &w->v->story->model->tenure;
	json_t *list = json_array();
	for (size_t i = 0; i < t->outcomes.count; i++) {
		const struct tenure_outcome *c = &t->outcomes.at[i];
		json_t *o = json_object();
		set(w, o, "round", document_count(c->round));
		set(w, o, "ms", moment(c->time));
		set(w, o, "predicted_per_s", document_count(c->predicted));
		set(w, o, "margin_per_s", c->margin ? document_count(c->margin) : json_null());
		set(w, o, "observed_per_s", document_count(c->observed));
		set(w, o, "error", document_number(story_error(c)));
		document_append(&w->d, list, o);
	}
	return list;
}

static json_t *why(struct writer *w)
{
	struct buf sentence = {0};
	story_put_why(&sentence, w->v->story);
	json_t *value = document_text(buf_slice(&sentence));
	buf_release(&sentence);
	return value;
}

static json_t *whole(struct writer *w)
{
	static const char *const asked[] = {[STORY_ASKED_NO] = "no",
		[STORY_ASKED_YES] = "yes",
		[STORY_ASKED_LEARN] = "learn",
		[STORY_ASKED_APPLY] = "apply",
		[STORY_ASKED_DRY_RUN] = "dry-run"};
	const struct story *s = w->v->story;
	json_t *o = json_object();
	set(w, o, "asked", json_string(asked[s->asked]));
	set(w, o, "acts", json_boolean(s->asked != STORY_ASKED_NO && s->acts));
	set(w, o, "rounds", document_count(s->model->tenure.rounds.count));
	set(w, o, "round_collections", document_count(s->round_length));
	set(w, o, "jumps", document_count(s->jumps));
	set(w, o, "threshold",
		s->threshold < TENURE_UNBOUND ? document_count(s->threshold) : json_null());
	set(w, o, "taken_back", document_count(s->taken_back));
	set(w, o, "first_change_round", round_number(s->first));
	set(w, o, "last_change_round", round_number(s->last));
	set(w, o, "heap_full", json_boolean(s->full_heap));
	set(w, o, "nothing", why(w));
	set(w, o, "test", document_text(s->test));
	set(w, o, "test_why", document_text(s->test_why));
	return o;
}

static json_t *advised(struct writer *w, const struct tenure_decision *d)
{
	return d ? decision(w, d) : json_null();
}

int story_json_put(struct buf *out, const struct story_view *v)
{
	struct writer w = {.v = v, .d = document_init(out)};
	const struct story *s = v->story;
	document_put(&w.d, "{\"mayfly\":", json_integer(1));
	document_put(&w.d, ",\n\"trace\":",
		trace_json(&w.d, s->model, v->view.file, view_allocated(s->model)));
	document_put(&w.d, ",\n\"tenure\":", whole(&w));
	document_put(&w.d, ",\n\"before\":", side(&w, &s->before));
	document_put(&w.d, ",\n\"rest\":", side(&w, &s->rest));
	document_put(&w.d, ",\n\"after\":", side(&w, &s->after));
	document_put(&w.d, ",\n\"places\":", places(&w));
	document_put(&w.d, ",\n\"moves\":", moves(&w));
	document_put(&w.d, ",\n\"outcomes\":", outcomes(&w));
	document_put(&w.d, ",\n\"advice\":", advised(&w, s->advice ? s->advice : s->young_advice));
	document_put(&w.d, ",\n\"larger_young\":", advised(&w, s->young_advice));
	document_put(&w.d, ",\n\"notes\":", notes_json(&w.d, v->view.notes));
	buf_put_str(out, "}\n");
	return document_error(&w.d);
}
