#include "tenure/watch.h"

#include <math.h>

#include "stat/conflict.h"
#include "tenure/snapshot.h"

#define MIXED_LEAST   0.15 /* of what survives once, that dies young, and that does not */
#define SAMPLES_MOST  1000 /* of a fate: more say no more */
#define MIXED_SAMPLES 40   /* survivors, for a place to be looked at */

void watches_init(struct watches *w)
{
	for (uint32_t i = 0; i < WATCH_PLACES; i++)
		w->at[i] = (struct watch){.place = ROW_NONE};
}

static struct watch *watch_of(struct watches *w, const struct row *place)
{
	return place->watch ? &w->at[place->watch - 1] : NULL;
}

bool watches_told(const struct watches *w, const struct row *place)
{
	return place->watch && w->at[place->watch - 1].told;
}

/* All others have one caller, which no method is. */
static struct place_context others_of(const struct place_context *at, uint32_t depth)
{
	struct place_context others = {.place = at->place, .depth = depth};
	return others;
}

static uint32_t add_caller(struct watch *w, struct rows *r, const struct place_context *key)
{
	uint32_t row = rows_add(r, key, w->place);
	if (row != ROW_NONE) {
		r->at[row].flags = r->at[w->place].flags;
		w->caller[w->count++] = row;
	}
	return row;
}

static uint32_t find_or_add(
	struct watch *w, struct rows *r, const struct place_context *key, uint32_t room)
{
	uint32_t row = rows_find(r, key);
	return row != ROW_NONE || w->count >= room ? row : add_caller(w, r, key);
}

uint32_t watches_row(struct watches *w, struct rows *r, uint32_t place,
	const struct place_context *at, bool *other)
{
	struct watch *watch = watch_of(w, &r->at[place]);
	*other = false;
	if (!watch || !at->depth)
		return place;
	struct place_context key = place_context_cut(at, watch->depth);
	uint32_t row = find_or_add(watch, r, &key, WATCH_CALLERS);
	if (row != ROW_NONE)
		return row;
	*other = true;
	key = others_of(at, watch->depth);
	row = find_or_add(watch, r, &key, WATCH_CALLERS + 1);
	return row != ROW_NONE ? row : place;
}

static void drop_callers(struct watch *w, struct rows *r)
{
	for (uint32_t i = 0; i < w->count; i++)
		r->at[w->caller[i]].going = !(r->at[w->caller[i]].flags & SNAPSHOT_JUMPS);
	w->count = 0;
	w->rounds = 0;
	w->told = false;
}

static void drop(struct watch *w, struct rows *r)
{
	drop_callers(w, r);
	r->at[w->place].watch = 0;
	r->at[w->place].tired = WATCH_TIRED;
	w->place = ROW_NONE;
}

void watches_drop(struct watches *w, struct rows *r, uint32_t place)
{
	struct watch *watch = watch_of(w, &r->at[place]);
	if (watch)
		drop(watch, r);
}

/* Objects that survived their first collection, as lives that begin there: what dies before it is
 * nobody's concern. Each sample with the weight that samples have in effect. */
static int add_fates(struct ages *a, enum fate fate, uint32_t age, double objects, double weight)
{
	uint32_t samples = (uint32_t)fmin(round(objects / weight), SAMPLES_MOST);
	for (uint32_t i = 0; i < samples; i++)
		if (ages_add(a, fate, 0, age, fmax(weight, 1)))
			return ERR_NOMEM;
	return ERR_NONE;
}

static int add_ages(struct ages *a, const struct passage *p)
{
	struct passage_curve c = passage_curve_of(p);
	double weight = passage_weight(p);
	if (c.known < 2 || weight <= 0)
		return ERR_NONE;
	int err = ERR_NONE;
	for (uint32_t age = 1; age < c.known && !err; age++)
		err = add_fates(a, FATE_DIED, age - 1,
			c.reach[age].objects - c.reach[age + 1].objects, weight);
	return err ? err : add_fates(a, FATE_LOST, c.known - 1, c.reach[c.known].objects, weight);
}

static bool compare(struct ages *ages, uint32_t count)
{
	const struct ages *of[CONFLICT_CALLERS];
	struct conflict c;
	for (uint32_t i = 0; i < count; i++)
		of[i] = &ages[i];
	return count >= 2 && !conflict_test(of, count, &c) && c.df && conflict_decide(&c, c.p);
}

/* The callers with most survivors first, as far as the test takes them. */
static uint32_t first_callers(const struct watch *w, const struct rows *r, uint32_t *first)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < w->count; i++) {
		uint32_t at = count < CONFLICT_CALLERS ? count++ : count;
		float survivors = r->at[w->caller[i]].passage.survivors;
		for (; at && r->at[first[at - 1]].passage.survivors < survivors; at--)
			if (at < CONFLICT_CALLERS)
				first[at] = first[at - 1];
		if (at < CONFLICT_CALLERS)
			first[at] = w->caller[i];
	}
	return count;
}

static bool tells(const struct watch *w, const struct rows *r)
{
	struct ages ages[CONFLICT_CALLERS] = {0};
	uint32_t first[CONFLICT_CALLERS];
	uint32_t count = first_callers(w, r, first);
	int err = ERR_NONE;
	for (uint32_t i = 0; i < count && !err; i++)
		err = add_ages(&ages[i], &r->at[first[i]].passage);
	bool apart = !err && compare(ages, count);
	for (uint32_t i = 0; i < CONFLICT_CALLERS; i++)
		ages_release(&ages[i]);
	return apart;
}

static double share_of_old(const struct passage *p)
{
	struct passage_curve c = passage_curve_of(p);
	return c.known > 1 && c.reach[1].bytes > 0 ? c.reach[c.known].bytes / c.reach[1].bytes : 0;
}

static bool is_mixed(const struct row *row)
{
	double old = share_of_old(&row->passage);
	return row->passage.survivors >= MIXED_SAMPLES && old >= MIXED_LEAST &&
	       old <= 1 - MIXED_LEAST;
}

/* One caller more, or the place is left. */
static void deepen(struct watch *w, struct rows *r)
{
	if (w->depth == PLACE_CALLERS) {
		drop(w, r);
		return;
	}
	drop_callers(w, r);
	w->depth++;
}

static void step(struct watch *w, struct rows *r)
{
	w->rounds++;
	if (r->at[w->place].quiet >= WATCH_ROUNDS)
		drop(w, r);
	else if (w->told || w->rounds < WATCH_ROUNDS)
		return;
	else if (tells(w, r))
		w->told = true;
	else
		deepen(w, r);
}

/* The place with most at stake; ROW_NONE: there is none. */
static uint32_t next_place(const struct rows *r)
{
	uint32_t best = ROW_NONE;
	float most = 0;
	for (uint32_t i = 0; i < r->top; i++) {
		const struct row *row = &r->at[i];
		if (!row->used || row->going || row->at.depth || row->watch || row->tired)
			continue;
		if (row->passage.bytes.stood[0] > most && is_mixed(row)) {
			most = row->passage.bytes.stood[0];
			best = i;
		}
	}
	return best;
}

static void begin(struct watch *w, uint32_t number, struct rows *r)
{
	uint32_t place = next_place(r);
	if (place == ROW_NONE)
		return;
	*w = (struct watch){.place = place, .depth = 1};
	r->at[place].watch = number + 1;
}

bool watches_round(struct watches *w, struct rows *r)
{
	bool going = false;
	for (uint32_t i = 0; i < WATCH_PLACES; i++) {
		if (w->at[i].place != ROW_NONE)
			step(&w->at[i], r);
		else
			begin(&w->at[i], i, r);
	}
	for (uint32_t i = 0; i < r->top; i++)
		going |= r->at[i].going;
	return going;
}
