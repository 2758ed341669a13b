#include "analyze/story.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/full.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/map.h"
#include "base/units.h"
#include "stat/median.h"

#define GB          1e9
#define MOSTLY_FULL 0.5  /* of the time in pauses */
#define COME_TRUE   0.15 /* of what was foretold to be copied */

enum { NUMBER_ROOM = 24, IDLE_MOST = 3 };

static const struct story_row rows[STORY_FIGURES] = {
#define FIGURE(name, word, unit, what) [STORY_##name] = {word, unit, what},
#include "analyze/story_figure.def"
#undef FIGURE
};

const struct story_row *story_row(enum story_figure f)
{
	return &rows[f];
}

void story_release(struct story *s)
{
	vec_release(&s->places);
	vec_release(&s->moves);
	vec_release(&s->young);
}

/* ---- what was asked for ---- */

static struct slice fact(const struct model *m, const char *key)
{
	return facts_get(&m->facts, &m->defs.texts, key);
}

static enum story_asked asked(const struct model *m)
{
	static const char *const words[] = {[STORY_ASKED_NO] = "no",
		[STORY_ASKED_YES] = "yes",
		[STORY_ASKED_LEARN] = "learn",
		[STORY_ASKED_APPLY] = "apply",
		[STORY_ASKED_DRY_RUN] = "dry-run"};
	struct slice word = fact(m, "tenure");
	const struct tenure *t = &m->tenure;
	for (size_t i = STORY_ASKED_YES; i < ARRAY_SIZE(words); i++)
		if (slice_equal(word, slice_str(words[i])))
			return (enum story_asked)i;
	return t->rounds.count || t->decisions.count || t->outcomes.count ? STORY_ASKED_YES
									  : STORY_ASKED_NO;
}

/* 0: not known, or more than `most`. */
static uint64_t fact_count(const struct model *m, const char *key, uint64_t most)
{
	struct slice text = fact(m, key);
	char number[NUMBER_ROOM] = "";
	uint64_t count = 0;
	if (text.len && text.len < sizeof(number))
		memcpy(number, text.at, text.len);
	return units_parse_count(number, most, &count) ? 0 : count;
}

static uint64_t round_length(const struct model *m)
{
	uint64_t length = fact_count(m, "tenure.round", UINT32_MAX);
	if (length)
		return length;
	return m->tenure.rounds.count && m->tenure.rounds.at[0].collections
		       ? m->tenure.rounds.at[0].collections
		       : STORY_ROUND_DEFAULT;
}

static bool has_ages(const struct model *m)
{
	static const char *const collectors[] = {"G1", "Serial", "Parallel"};
	struct slice gc = fact(m, "gc");
	for (size_t i = 0; i < ARRAY_SIZE(collectors); i++)
		if (slice_equal(gc, slice_str(collectors[i])))
			return true;
	return !gc.len;
}

/* ---- what was decided ---- */

static bool moves_lever(const struct tenure_decision *d)
{
	return d->lever != TENURE_SAMPLING &&
	       (d->action == TENURE_TAKE || d->action == TENURE_TAKE_BACK);
}

/* Of a decisions file, and there is no such place in the program: each is one of its own. */
static bool is_nowhere(const struct tenure_decision *d)
{
	return d->lever == TENURE_JUMP && d->action == TENURE_TAKE_BACK && !d->site;
}

/* The place's row, made where it is new; NULL: out of memory. */
static struct story_place *place_of(struct story *s, struct map *index, uint32_t site)
{
	uint64_t *known = map_find(index, site);
	if (known && (site || s->places.at[*known].in_force))
		return &s->places.at[*known];
	if (map_put(index, site, s->places.count) ||
		vec_push(&s->places, (struct story_place){.site = site}))
		return NULL;
	return &s->places.at[s->places.count - 1];
}

static int take_jump(struct story *s, struct map *index, const struct tenure_decision *d)
{
	struct story_place *p = place_of(s, index, d->site);
	if (!p)
		return ERR_NOMEM;
	p->in_force = d->action == TENURE_TAKE;
	p->reason = d->reason;
	p->time = d->time;
	p->round = d->round;
	if (p->in_force) {
		p->gain = d->gain;
		p->harm = d->harm;
	}
	return ERR_NONE;
}

/* That a threshold does as well was said of what was decided in that round; what is taken back
 * before the next one is over has the same number. */
static void outdate_advice(struct story *s, const struct tenure_decision *d)
{
	bool back = d->lever == TENURE_THRESHOLD && d->action == TENURE_TAKE_BACK;
	if (s->advice && s->advice->lever == TENURE_THRESHOLD &&
		(d->round > s->advice->round || back))
		s->advice = NULL;
}

static int take_decision(struct story *s, struct map *index, size_t i)
{
	const struct tenure_decision *d = &s->model->tenure.decisions.at[i];
	if (d->action == TENURE_ADVISE)
		*(d->lever == TENURE_YOUNG ? &s->young_advice : &s->advice) = d;
	if (!moves_lever(d))
		return ERR_NONE;
	if (d->lever == TENURE_YOUNG)
		return vec_push(&s->young, (uint32_t)i);
	outdate_advice(s, d);
	s->taken_back += d->action == TENURE_TAKE_BACK;
	s->nowhere += is_nowhere(d);
	if (d->lever == TENURE_JUMP)
		return take_jump(s, index, d);
	s->threshold =
		d->action == TENURE_TAKE && d->value < TENURE_UNBOUND ? d->value : TENURE_UNBOUND;
	return vec_push(&s->moves, (uint32_t)i);
}

static int by_gain(const void *left, const void *right)
{
	const struct story_place *a = left, *b = right;
	if (a->in_force != b->in_force)
		return a->in_force ? -1 : 1;
	if (a->in_force && a->gain != b->gain)
		return a->gain > b->gain ? -1 : 1;
	if (!a->in_force && a->round != b->round)
		return a->round > b->round ? -1 : 1;
	if (a->site != b->site)
		return a->site > b->site ? 1 : -1;
	return (a->reason > b->reason) - (a->reason < b->reason);
}

/* What stands alone is another threshold, and it is that one's flag which gives it. */
static bool gives_another(const struct story *s)
{
	return s->advice && s->advice->lever == TENURE_THRESHOLD && !s->jumps &&
	       s->threshold < TENURE_UNBOUND && s->advice->value != s->threshold;
}

static int find_decisions(struct story *s)
{
	struct map index = {0};
	int err = ERR_NONE;
	const struct tenure *t = &s->model->tenure;
	s->threshold =
		t->rounds.count ? t->rounds.at[t->rounds.count - 1].threshold : TENURE_UNBOUND;
	for (size_t i = 0; i < t->decisions.count && !err; i++)
		err = take_decision(s, &index, i);
	map_release(&index);
	if (s->places.count)
		qsort(s->places.at, s->places.count, sizeof(*s->places.at), by_gain);
	while (s->in_force < s->places.count && s->places.at[s->in_force].in_force)
		s->in_force++;
	s->jumps = s->places.count || !t->rounds.count ? s->in_force
						       : t->rounds.at[t->rounds.count - 1].jumps;
	if (gives_another(s))
		s->advice = NULL;
	return err;
}

static void find_changes(struct story *s)
{
	const struct tenure *t = &s->model->tenure;
	uint64_t end = t->rounds.count ? t->rounds.at[t->rounds.count - 1].round : 0;
	s->first = s->last = STORY_NEVER;
	if (!s->acts)
		return;
	/* Decisions of an earlier run need not be told of. */
	if (t->rounds.count && t->rounds.at[0].jumps)
		s->first = s->last = 0;
	for (size_t i = 0; i < t->decisions.count; i++) {
		const struct tenure_decision *d = &t->decisions.at[i];
		/* The young generation's size is the same all the while. */
		if (!moves_lever(d) || is_nowhere(d) || d->lever == TENURE_YOUNG)
			continue;
		if (s->first == STORY_NEVER || d->round < s->first)
			s->first = d->round;
		s->unfollowed |= d->round >= end;
		if (d->round < end && (s->last == STORY_NEVER || d->round > s->last))
			s->last = d->round;
	}
	s->unfollowed &= s->last != STORY_NEVER;
}

/* ---- before and after ---- */

enum side { SIDE_NONE, SIDE_BEFORE, SIDE_REST, SIDE_AFTER };

/* In the first of two such rounds what was born under the levers is still among the old ones. */
static bool is_last_probe(const struct story *s, const struct tenure_round *r)
{
	const struct tenure *t = &s->model->tenure;
	return r + 1 == t->rounds.at + t->rounds.count || r[1].state != TENURE_PROBES;
}

static bool is_whole(const struct story *s, const struct tenure_round *r)
{
	bool second = r > s->model->tenure.rounds.at && r[-1].state == TENURE_PROBES;
	return second || r->collections >= s->round_length;
}

/* Where the program ended in its first collections what was born under the levers is most of what
 * is young, and was promoted where it would have been copied again. */
static bool is_look(const struct story *s, const struct tenure_round *r)
{
	const struct tenure *t = &s->model->tenure;
	bool last = r + 1 == t->rounds.at + t->rounds.count;
	return is_last_probe(s, r) && (!last || is_whole(s, r));
}

/* Once something was moved. Whether there is one since the last change. */
static bool find_look(struct story *s)
{
	const struct tenure *t = &s->model->tenure;
	bool since = false, whole = false;
	for (size_t i = 0; i < t->rounds.count; i++) {
		const struct tenure_round *r = &t->rounds.at[i];
		if (r->state != TENURE_PROBES || r->round <= s->first || !is_look(s, r))
			continue;
		whole = (whole && since) || is_whole(s, r);
		since = r->round > s->last;
		s->looked = since ? 0 : r->round;
		s->brief = !whole;
	}
	return since;
}

/* All had been taken back, and the next was not taken yet. */
static bool is_idle(const struct story *s, const struct tenure_round *r)
{
	return r->round > s->first && s->last != STORY_NEVER && r->round <= s->last &&
	       (r->state == TENURE_LEARNS || r->state == TENURE_WAITS);
}

/* The last of these rounds but for the first one, in which what was born under the levers is still
 * among the old; as many as a wait and the learning behind it have at least: before them the
 * program may have done something else. */
static void find_idle(struct story *s)
{
	const struct tenure *t = &s->model->tenure;
	size_t from = 0, to = 0; /* indices, `to` behind the last one */
	for (size_t i = 0; i < t->rounds.count; i++) {
		if (!is_idle(s, &t->rounds.at[i]))
			continue;
		from = to && to == i ? from : i;
		to = i + 1;
	}
	if (!to || t->rounds.at[to - 1].round < s->looked)
		return;
	from += to - from > 1;
	from = to - from > IDLE_MOST ? to - IDLE_MOST : from;
	s->idle_from = t->rounds.at[from].round;
	s->idle_to = t->rounds.at[to - 1].round;
	s->looked = 0;
	s->brief = false;
}

static enum side side_of(const struct story *s, const struct tenure_round *r)
{
	if (r->round <= s->first)
		return r->jumps && s->acts ? SIDE_NONE : SIDE_BEFORE;
	if (s->looked && r->round == s->looked)
		return SIDE_REST;
	if (s->idle_to && r->round >= s->idle_from && r->round <= s->idle_to)
		return SIDE_REST;
	if (s->last == STORY_NEVER || r->round <= s->last || r->state == TENURE_SETTLES)
		return SIDE_NONE;
	if (r->state == TENURE_PROBES)
		return is_look(s, r) && (s->brief || is_whole(s, r)) ? SIDE_REST : SIDE_NONE;
	return SIDE_AFTER;
}

/* ns that the i-th round took; 0: not known. */
static double length_of(const struct tenure *t, size_t i)
{
	const struct tenure_round *r = &t->rounds.at[i];
	if (i == 0)
		return r->round == 1 ? (double)r->time : 0;
	bool follows = r->round == t->rounds.at[i - 1].round + 1;
	return follows ? (double)(r->time - t->rounds.at[i - 1].time) : 0;
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : (double)NAN;
}

/* A figure of one round; NaN: not known. STORY_PAUSE and STORY_FULL are not of rounds. Where 0 was
 * copied, what was could not be told from what died in the old generation. */
static double figure_of(const struct tenure *t, size_t i, enum story_figure f)
{
	const struct tenure_round *r = &t->rounds.at[i];
	double gb = (double)r->allocated / GB;
	switch (f) {
	case STORY_COPIED:
		return r->copied ? ratio((double)r->copied, gb) : (double)NAN;
	case STORY_PROMOTED:
		return r->copied ? ratio((double)r->promoted, gb) : (double)NAN;
	case STORY_CPU:
		return r->cpu ? ratio((double)r->cpu, gb) : (double)NAN;
	case STORY_LONGEST:
	case STORY_MOST:
		return r->collections ? (double)r->longest : (double)NAN;
	case STORY_RATE:
		return ratio((double)r->collections * 60e9, length_of(t, i));
	case STORY_SHARE:
		return ratio((double)r->pause, length_of(t, i));
	case STORY_PAUSE:
	case STORY_FULL:
	case STORY_FIGURES:
	default:
		return (double)NAN;
	}
}

struct numbers {
	VEC(double) list;
};

static void set_value(struct story_side *side, enum story_figure f, struct numbers *n)
{
	size_t count = n->list.count;
	median_sort(n->list.at, count);
	side->n[f] = count;
	side->value[f] =
		f == STORY_MOST && count ? n->list.at[count - 1] : median_of(n->list.at, count);
}

static int find_figure(
	struct story *s, struct story_side *side, enum side which, enum story_figure f)
{
	const struct tenure *t = &s->model->tenure;
	struct numbers n = {.list = {0}};
	int err = ERR_NONE;
	for (size_t i = 0; i < t->rounds.count && !err; i++) {
		double value =
			side_of(s, &t->rounds.at[i]) == which ? figure_of(t, i, f) : (double)NAN;
		if (!isnan(value))
			err = vec_push(&n.list, value);
	}
	set_value(side, f, &n);
	vec_release(&n.list);
	return err;
}

/* The round that a collection of that young clock was in; NULL: none that was told of. */
static const struct tenure_round *round_at(const struct tenure *t, uint64_t young)
{
	size_t lo = 0, hi = t->rounds.count;
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		if (t->rounds.at[middle].young < young)
			lo = middle + 1;
		else
			hi = middle;
	}
	if (lo == t->rounds.count)
		return NULL;
	const struct tenure_round *r = &t->rounds.at[lo];
	return r->young - young < r->collections ? r : NULL;
}

static int find_pauses(struct story *s, struct story_side *side, enum side which)
{
	const struct model *m = s->model;
	struct numbers n = {.list = {0}};
	int err = ERR_NONE;
	for (size_t i = 0; i < m->gcs.list.count && !err; i++) {
		const struct gc *gc = &m->gcs.list.at[i];
		const struct tenure_round *r =
			gc->raised_young ? round_at(&m->tenure, gc->young) : NULL;
		if (r && side_of(s, r) == which)
			err = vec_push(&n.list, (double)gc->pause);
	}
	set_value(side, STORY_PAUSE, &n);
	vec_release(&n.list);
	return err;
}

static void find_full(const struct story *s, struct story_side *side, enum side which)
{
	const struct model *m = s->model;
	double full = 0, all = 0;
	for (size_t i = 0; i < m->gcs.list.count; i++) {
		const struct gc *gc = &m->gcs.list.at[i];
		const struct tenure_round *r = round_at(&m->tenure, gc->young);
		if (!r || side_of(s, r) != which)
			continue;
		side->n[STORY_FULL]++;
		all += (double)gc->pause;
		full += gc->kind == GC_KIND_FULL ? (double)gc->pause : 0;
	}
	side->value[STORY_FULL] = ratio(full, all);
}

static int find_side(struct story *s, struct story_side *side, enum side which)
{
	const struct tenure *t = &s->model->tenure;
	int err = ERR_NONE;
	for (size_t i = 0; i < t->rounds.count; i++)
		side->rounds += side_of(s, &t->rounds.at[i]) == which;
	for (enum story_figure f = 0; f < STORY_FIGURES && !err; f++)
		err = f == STORY_PAUSE ? find_pauses(s, side, which)
				       : find_figure(s, side, which, f);
	find_full(s, side, which);
	return err;
}

/* Where most of the full ones were asked for they say nothing of room. */
static bool is_heap_full(const struct model *m)
{
	double pause = 0, for_room = 0, left = 0;
	uint64_t count = 0;
	for (size_t i = 0; i < m->gcs.list.count; i++) {
		const struct gc *gc = &m->gcs.list.at[i];
		pause += gc->kind == GC_KIND_FULL ? (double)gc->pause : 0;
		if (!full_for_room(m, gc))
			continue;
		count++;
		for_room += (double)gc->pause;
		left += (double)gc->heap_after;
	}
	return for_room >= pause / 2 &&
	       full_of_what_lives(count, left, (double)fact_count(m, "heap.max", UINT64_MAX));
}

/* ---- why not ---- */

static enum story_why why(const struct story *s)
{
	if (s->places.count > s->nowhere || s->moves.count || s->young.count || s->jumps ||
		s->first == 0)
		return STORY_DONE;
	if (s->asked == STORY_ASKED_NO)
		return STORY_UNASKED;
	if (s->off.len)
		return STORY_OFF;
	if (!has_ages(s->model))
		return STORY_COLLECTOR;
	if (s->asked == STORY_ASKED_APPLY)
		return STORY_NOTHING;
	if (s->advice)
		return STORY_ADVISED;
	/* Which is no other way to the same. */
	if (s->young_advice)
		return STORY_NOTHING;
	if (s->model->tenure.rounds.count < STORY_ROUNDS_LEAST)
		return STORY_FEW;
	return STORY_NOTHING;
}

/* The exact engine tests what jumps by itself (doc/tenure.md): where nothing did, it had nothing to
 * look at, and that is no test without an end. */
static void find_test(struct story *s)
{
	const struct model *m = s->model;
	bool open = slice_equal(s->test, slice_str("open"));
	bool engines = slice_equal(fact(m, "engine"), slice_str("exact"));
	if (open && engines && !s->places.count)
		s->test = s->test_why = (struct slice){0};
}

int story_find(struct story *s, const struct model *m)
{
	*s = (struct story){.model = m,
		.asked = asked(m),
		.off = fact(m, "tenure.why"),
		.test = fact(m, "tenure.test"),
		.test_why = fact(m, "tenure.test.why"),
		.round_length = round_length(m)};
	s->acts = s->asked != STORY_ASKED_LEARN && s->asked != STORY_ASKED_DRY_RUN;
	int err = find_decisions(s);
	find_test(s);
	find_changes(s);
	s->why = why(s);
	if (!find_look(s))
		find_idle(s);
	s->full_heap = is_heap_full(m);
	err = err ? err : find_side(s, &s->before, SIDE_BEFORE);
	err = err ? err : find_side(s, &s->rest, SIDE_REST);
	err = err ? err : find_side(s, &s->after, SIDE_AFTER);
	if (err)
		story_release(s);
	return err;
}

const struct story_side *story_without(const struct story *s)
{
	return s->rest.rounds && s->after.rounds ? &s->rest : &s->before;
}

bool story_is_of_full(const struct story *s)
{
	return story_without(s)->value[STORY_FULL] >= MOSTLY_FULL ||
	       s->after.value[STORY_FULL] >= MOSTLY_FULL;
}

/* Bytes a second in the round of that number; NaN. */
static double copying_in(const struct tenure *t, uint64_t round)
{
	for (size_t i = 1; i < t->rounds.count; i++) {
		const struct tenure_round *r = &t->rounds.at[i], *before = r - 1;
		if (r->round == round && before->round + 1 == round && r->time > before->time)
			return (double)r->copied / (double)(r->time - before->time) * 1e9;
	}
	return (double)NAN;
}

/* At a threshold stands what all that was taken with it saves, at a place its own. */
double story_spared(const struct story *s)
{
	const struct tenure *t = &s->model->tenure;
	double gain = 0;
	uint64_t round = 0;
	for (size_t i = 0; i < s->in_force; i++) {
		gain += (double)s->places.at[i].gain;
		round = s->places.at[i].round > round ? s->places.at[i].round : round;
	}
	for (size_t i = 0; s->threshold < TENURE_UNBOUND && i < s->moves.count; i++) {
		const struct tenure_decision *d = &t->decisions.at[s->moves.at[i]];
		if (d->action != TENURE_TAKE)
			continue;
		gain = (double)d->gain;
		round = d->round;
	}
	double copying = copying_in(t, round);
	return gain > 0 && copying > 0 ? fmin(gain / copying, 1) : (double)NAN;
}

double story_error(const struct tenure_outcome *o)
{
	return o->predicted ? (double)o->observed / (double)o->predicted - 1 : (double)NAN;
}

/* The last one since a lever was moved. */
bool story_came_true(const struct story *s)
{
	const struct tenure *t = &s->model->tenure;
	double error = (double)NAN;
	for (size_t i = 0; i < t->outcomes.count; i++)
		if (t->outcomes.at[i].lever != TENURE_YOUNG && t->outcomes.at[i].round > s->last)
			error = story_error(&t->outcomes.at[i]);
	return fabs(error) <= COME_TRUE;
}
