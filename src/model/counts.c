#include "model/counts.h"

#include <string.h>

#include "base/error.h"

enum { STRIPPED_PART = 100 };

static uint64_t sum(uint64_t a, uint64_t b)
{
	a = a < COUNTS_MOST ? a : COUNTS_MOST;
	b = b < COUNTS_MOST ? b : COUNTS_MOST;
	return a + b < COUNTS_MOST ? a + b : COUNTS_MOST;
}

void quantity_add(struct quantity *q, struct quantity more)
{
	q->objects = sum(q->objects, more.objects);
	q->bytes = sum(q->bytes, more.bytes);
}

struct quantity quantity_less(struct quantity q, struct quantity part)
{
	return (struct quantity){q.objects > part.objects ? q.objects - part.objects : 0,
		q.bytes > part.bytes ? q.bytes - part.bytes : 0};
}

static struct quantity least(struct quantity a, struct quantity b)
{
	return (struct quantity){a.objects < b.objects ? a.objects : b.objects,
		a.bytes < b.bytes ? a.bytes : b.bytes};
}

static bool is_some(struct quantity q)
{
	return q.objects || q.bytes;
}

void counts_release(struct counts *e)
{
	for (size_t i = 0; i < e->sites.count; i++)
		vec_release(&e->sites.at[i].ages);
	vec_release(&e->sites);
	vec_release(&e->by_site);
	vec_release(&e->active);
}

struct quantity counts_young(const struct site_counts *s)
{
	struct quantity all = {0};
	for (size_t k = 0; k < s->ages.count; k++)
		quantity_add(&all, s->ages.at[k].young);
	return all;
}

/* Takes as much of `older` from q as there is. */
static struct quantity without(struct quantity q, struct quantity *older)
{
	struct quantity left = quantity_less(q, *older);
	*older = quantity_less(*older, quantity_less(q, left));
	return left;
}

struct site_fates counts_fates(const struct site_counts *s)
{
	struct quantity older = quantity_less(s->found, s->lost);
	struct site_fates f = {.outside = s->outside, .lost = quantity_less(s->lost, s->found)};
	f.young = without(counts_young(s), &older);
	f.promoted = without(s->promoted, &older);
	f.died = without(s->died, &older);
	return f;
}

static int reach(struct counts *e, uint32_t site)
{
	if (site < e->by_site.count)
		return ERR_NONE;
	size_t more = site + 1 - e->by_site.count;
	if (vec_reserve(&e->by_site, more))
		return ERR_NOMEM;
	memset(e->by_site.at + e->by_site.count, 0, more * sizeof(*e->by_site.at));
	e->by_site.count += more;
	return ERR_NONE;
}

/* NULL: out of memory. */
static struct site_counts *site_of(struct counts *e, uint32_t site)
{
	if (reach(e, site))
		return NULL;
	if (!e->by_site.at[site]) {
		if (vec_push(&e->sites, (struct site_counts){.site = site}))
			return NULL;
		e->by_site.at[site] = (uint32_t)e->sites.count;
	}
	return &e->sites.at[e->by_site.at[site] - 1];
}

/* The same, and its accounts are looked at by the next collection. */
static struct site_counts *active_site(struct counts *e, uint32_t site)
{
	struct site_counts *s = site_of(e, site);
	if (!s || s->active)
		return s;
	if (vec_push(&e->active, e->by_site.at[site] - 1))
		return NULL;
	s->active = true;
	return s;
}

/* Makes age k be there. NULL: out of memory. Most of very many sites have but one age. */
static struct age_counts *age_of(struct site_counts *s, size_t k)
{
	if (s->ages.count <= k && vec_reserve_only(&s->ages, k + 1 - s->ages.count))
		return NULL;
	while (s->ages.count <= k)
		s->ages.at[s->ages.count++] = (struct age_counts){0};
	return &s->ages.at[k];
}

void counts_forgotten(struct counts *e, uint64_t young, bool torn)
{
	e->opening = true;
	e->open_young = young;
	e->torn = torn;
}

int counts_births(struct counts *e, uint32_t site, const struct record_site_births *r)
{
	if (counts_opens(e, r->young))
		return ERR_NONE;
	struct site_counts *s = active_site(e, site);
	struct age_counts *age = s ? age_of(s, 0) : NULL;
	struct quantity born = {r->objects, r->bytes},
			outside = {r->outside_objects, r->outside_bytes};
	outside = least(outside, born);
	if (!age)
		return ERR_NOMEM;
	quantity_add(&age->young, quantity_less(born, outside));
	quantity_add(&s->outside, outside);
	quantity_add(&s->outside_new, outside);
	quantity_add(&s->births, born);
	quantity_add(&e->births, born);
	return ERR_NONE;
}

struct quantity counts_births_of(const struct counts *e, uint32_t site)
{
	uint32_t at = site < e->by_site.count ? e->by_site.at[site] : 0;
	return at ? e->sites.at[at - 1].births : (struct quantity){0, 0};
}

static uint64_t element(const struct record_list *l, size_t i)
{
	return i < l->count ? l->at[i] : 0;
}

int counts_ages(struct counts *e, uint32_t site, const struct record_site_ages *r)
{
	if (counts_opens(e, r->young) && e->torn && !e->opened)
		return ERR_NONE;
	struct site_counts *s = active_site(e, site);
	if (!s)
		return ERR_NOMEM;
	for (size_t i = 0; i < COUNTS_AGES; i++) {
		struct quantity lived = {element(&r->objects, i), element(&r->bytes, i)};
		struct quantity moved = {
			element(&r->promoted_objects, i), element(&r->promoted_bytes, i)};
		if (!is_some(lived) && !is_some(moved))
			continue;
		struct age_counts *age = age_of(s, i + 1);
		if (!age)
			return ERR_NOMEM;
		quantity_add(&age->lived, lived);
		quantity_add(&age->moved, moved);
	}
	return ERR_NONE;
}

int counts_old(struct counts *e, uint32_t site, const struct record_site_old *r)
{
	struct site_counts *s = site_of(e, site);
	if (!s)
		return ERR_NOMEM;
	/* Records of one site at one clock are parts of a whole. */
	if (s->old_young != r->young)
		s->old = (struct quantity){0};
	s->old_young = e->old_young = r->young;
	quantity_add(&s->old, (struct quantity){r->objects, r->bytes});
	return ERR_NONE;
}

void counts_audit(struct counts *e, const struct record_audit *r)
{
	if (counts_opens(e, r->young))
		return;
	struct audit_counts *a = &e->audit;
	a->count++;
	a->walked = sum(a->walked, r->walked);
	a->seen = sum(a->seen, r->seen);
	a->attributed = sum(a->attributed, r->attributed);
	a->walked_bytes = sum(a->walked_bytes, r->walked_bytes);
	a->seen_bytes = sum(a->seen_bytes, r->seen_bytes);
	a->fillers = sum(a->fillers, r->fillers);
	a->filler_bytes = sum(a->filler_bytes, r->filler_bytes);
}

void counts_walks(struct counts *e, const struct record_walks *r)
{
	struct walk_counts *w = &e->walks;
	w->walks = sum(w->walks, r->walks);
	w->refused = sum(w->refused, r->refused);
	w->unnamed = sum(w->unnamed, r->unnamed);
	for (size_t i = 0; i < COUNTS_ENDS; i++)
		w->ends[i] = sum(w->ends[i], element(&r->ends, i));
}

/* -- The accounts of a collection -- */

/* What is told of one age after the collection, by one site: those that had survived k before. */
struct step {
	struct quantity before, lived, moved;
};

/* More came out than went in: what is too much was not known before. Returned. */
static struct quantity enter(
	struct site_counts *s, struct quantity out, struct quantity *before, struct odds *odds)
{
	struct quantity excess = quantity_less(out, *before);
	odd_if(odds, ODD_EXACT_SURVIVORS, is_some(excess));
	quantity_add(&s->found, excess);
	quantity_add(before, excess);
	return excess;
}

static void account_age(
	struct site_counts *s, struct age_counts *age, struct step step, struct odds *odds)
{
	struct quantity out = step.lived;
	quantity_add(&out, step.moved);
	quantity_add(&age->entered, enter(s, out, &step.before, odds));
	quantity_add(&age->risk, step.before);
	quantity_add(&age->survived, step.lived);
	quantity_add(&age->promoted, step.moved);
	quantity_add(&s->promoted, step.moved);
	quantity_add(&s->died, quantity_less(step.before, out));
}

/* Ages 15 and 16 or more are told as one where any stand at 16: how many of each died is known of
 * both together only, so that those of 15 count as lost for the curve. */
static void account_last(struct site_counts *s, struct step step, struct odds *odds)
{
	struct age_counts *age = &s->ages.at[COUNTS_AGES - 1], *last = &s->ages.at[COUNTS_AGES];
	struct quantity out = step.lived;
	quantity_add(&out, step.moved);
	quantity_add(&age->lost, step.before);
	quantity_add(&last->lost, last->young);
	quantity_add(&step.before, last->young);
	(void)enter(s, out, &step.before, odds);
	quantity_add(&last->entered, step.lived);
	quantity_add(&s->promoted, step.moved);
	quantity_add(&s->died, quantity_less(step.before, out));
}

static struct step step_from(const struct site_counts *s, size_t k)
{
	struct step step = {.before = s->ages.at[k].young};
	if (k + 1 < s->ages.count) {
		step.lived = s->ages.at[k + 1].lived;
		step.moved = s->ages.at[k + 1].moved;
	}
	return step;
}

static void account_site(struct site_counts *s, struct odds *odds)
{
	bool mixed = s->ages.count > COUNTS_AGES && is_some(s->ages.at[COUNTS_AGES].young);
	for (size_t k = 0; k < s->ages.count && k < COUNTS_AGES; k++) {
		struct step step = step_from(s, k);
		if (mixed && k == COUNTS_AGES - 1)
			account_last(s, step, odds);
		else
			account_age(s, &s->ages.at[k], step, odds);
	}
}

/* Whose births were not told. */
static void find_age(struct site_counts *s, struct age_counts *age)
{
	struct quantity out = age->lived;
	quantity_add(&out, age->moved);
	quantity_add(&age->entered, age->lived);
	quantity_add(&s->found, out);
	quantity_add(&s->promoted, age->moved);
}

/* The first account behind counts_begin: what is older was born before. */
static void begin_site(struct site_counts *s, struct odds *odds)
{
	if (s->ages.count)
		account_age(s, &s->ages.at[0], step_from(s, 0), odds);
	for (size_t k = 2; k < s->ages.count; k++)
		find_age(s, &s->ages.at[k]);
}

/* A collection that does not tell who died, or not well enough: all that stood is lost from sight,
 * and what is told to have outlived it is new. */
static void lose_site(struct site_counts *s)
{
	for (size_t k = 0; k < s->ages.count; k++) {
		struct age_counts *age = &s->ages.at[k];
		quantity_add(&age->lost, age->young);
		quantity_add(&s->lost, age->young);
		find_age(s, age);
	}
}

/* What outlived the collection stands now. Whether anything does. */
static bool turn(struct site_counts *s)
{
	bool any = false;
	for (size_t k = 0; k < s->ages.count; k++) {
		struct age_counts *age = &s->ages.at[k];
		age->young = age->lived;
		age->lived = age->moved = (struct quantity){0};
		any |= is_some(age->young);
	}
	return any;
}

/* tells: what there is; strips: not what has died, for the sites of what lives were taken. */
static void account(struct counts *e, bool tells, bool strips, struct odds *odds)
{
	size_t kept = 0;
	for (size_t i = 0; i < e->active.count; i++) {
		struct site_counts *s = &e->sites.at[e->active.at[i]];
		if (!tells || strips)
			lose_site(s);
		else if (e->begins)
			begin_site(s, odds);
		else
			account_site(s, odds);
		if (tells)
			quantity_add(&s->outside_met, s->outside_new);
		s->outside_new = (struct quantity){0};
		s->active = turn(s);
		if (s->active)
			e->active.at[kept++] = e->active.at[i];
	}
	e->active.count = kept;
	e->begins = false;
}

/* What outlived the collection is there from the begin on. */
static void open_site(struct site_counts *s)
{
	s->found = (struct quantity){0};
	for (size_t k = 0; k < s->ages.count; k++) {
		s->ages.at[k].entered = s->ages.at[k].lived;
		quantity_add(&s->found, s->ages.at[k].lived);
	}
	s->active = turn(s);
}

static void open_with(struct counts *e, const struct record_exact_gc *r)
{
	size_t kept = 0;
	for (size_t i = 0; i < e->active.count; i++) {
		open_site(&e->sites.at[e->active.at[i]]);
		if (e->sites.at[e->active.at[i]].active)
			e->active.at[kept++] = e->active.at[i];
	}
	e->active.count = kept;
	e->unseen = e->torn && !e->opened;
	e->opened = true;
	e->young = r->young;
}

/* Whether what the collection found without a site may never have had one, or have lost it to a
 * full collection: too long ago for anything young. */
static bool finds_older(const struct counts *e, const struct record_exact_gc *r)
{
	return r->young <= e->veiled + COUNTS_AGES || r->kind == COUNTS_MIXED;
}

static bool is_full(const struct record_exact_gc *r)
{
	return r->kind == COUNTS_FULL || r->kind == COUNTS_FOLLOWED;
}

/* Regions could not be evacuated, and what lives there got new marks. */
static bool takes_sites(const struct counts *e, const struct record_exact_gc *r)
{
	return r->failed && !is_full(r) && !e->keeps_marks;
}

/* So that for more than one birth in a hundred something was found alive without a site: with that
 * many counted as dead nothing can be said of lives. */
static bool strips(const struct counts *e, const struct record_exact_gc *r)
{
	return takes_sites(e, r) && r->unknown > r->births / STRIPPED_PART;
}

static void look_for_astray(struct counts *e, const struct record_exact_gc *r)
{
	if (strips(e, r))
		e->stripped++;
	else if (takes_sites(e, r))
		quantity_add(&e->stuck, (struct quantity){r->unknown, r->unknown_bytes});
	if (finds_older(e, r) || takes_sites(e, r))
		return;
	quantity_add(&e->astray, (struct quantity){r->unknown, r->unknown_bytes});
	quantity_add(&e->sited, (struct quantity){r->survivors, r->survivor_bytes});
	quantity_add(&e->sited, (struct quantity){r->promoted, r->promoted_bytes});
}

void counts_begin(struct counts *e, uint64_t young)
{
	if (e->collections || e->opening)
		return;
	e->begins = true;
	e->young = young;
	e->veiled = young;
}

void counts_gc(struct counts *e, const struct record_exact_gc *r, struct odds *odds)
{
	if (counts_opens(e, r->young)) {
		open_with(e, r);
		return;
	}
	e->opening = false;
	enum counts_kind kind = r->kind < COUNTS_KINDS ? (enum counts_kind)r->kind : COUNTS_OTHER;
	uint64_t missed = r->young > e->young ? r->young - e->young - 1 : 0;
	e->collections++;
	e->kinds[kind]++;
	quantity_add(&e->told, (struct quantity){r->births, r->birth_bytes});
	quantity_add(&e->survivors, (struct quantity){r->survivors, r->survivor_bytes});
	quantity_add(&e->promoted, (struct quantity){r->promoted, r->promoted_bytes});
	quantity_add(&e->unknown, (struct quantity){r->unknown, r->unknown_bytes});
	e->walked += r->flags & COUNTS_WALKED;
	if (!counts_tell(r))
		e->veiled = r->young;
	look_for_astray(e, r);
	if (is_full(r))
		e->behind += r->failed > 0;
	else
		e->failed = sum(e->failed, r->failed);
	e->cost = sum(e->cost, r->cost);
	e->cost_most = r->cost > e->cost_most ? r->cost : e->cost_most;
	e->young = r->young > e->young ? r->young : e->young;
	e->unaccounted = sum(e->unaccounted, missed);
	/* Where nothing was moved, what was born stands as it stood. */
	if (kind != COUNTS_OTHER || missed) {
		account(e, !missed && !e->unseen && counts_tell(r), strips(e, r), odds);
		e->unseen = false;
	}
}

void counts_end(struct counts *e, uint64_t young, struct odds *odds)
{
	if (!counts_any(e) || (e->opening && !e->opened) || young <= e->young)
		return;
	e->unaccounted = sum(e->unaccounted, young - e->young);
	account(e, false, false, odds);
}
