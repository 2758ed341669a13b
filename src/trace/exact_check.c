#include "trace/exact_check.h"

#include <inttypes.h>
#include <string.h>

#include "base/error.h"

enum { KIND_FULL = 2, KIND_OTHER = 3 };

void exact_check_release(struct exact_check *a)
{
	vec_release(&a->sites);
	vec_release(&a->open);
	map_release(&a->index);
}

void exact_check_forgotten(struct exact_check *a)
{
	a->torn = a->torn_heap = true;
}

/* NULL: out of memory. */
static struct site_account *find(struct exact_check *a, uint64_t site)
{
	uint64_t *known = map_find(&a->index, site);
	size_t i = known ? (size_t)*known - 1 : a->sites.count;
	if (!known &&
		(map_put(&a->index, site, i + 1) || vec_push(&a->sites, (struct site_account){0})))
		return NULL;
	if (!a->sites.at[i].open && vec_push(&a->open, (uint32_t)i))
		return NULL;
	a->sites.at[i].open = true;
	return &a->sites.at[i];
}

/* What belongs to one collection names one clock. */
static int take_young(struct exact_check *a, uint64_t young, const char *name, struct diag *d)
{
	uint64_t open = a->young;
	a->young = young;
	if (open && open != young)
		return diag_set(d, ERR_FORMAT,
			"%s of collection %" PRIu64 " stands among those of %" PRIu64, name, young,
			open);
	if (young < a->last)
		return diag_set(d, ERR_FORMAT,
			"%s of collection %" PRIu64 " stands behind %" PRIu64, name, young,
			a->last);
	return ERR_NONE;
}

static int take_births(struct exact_check *a, const struct record *r, struct diag *d)
{
	const struct record_site_births *b = &r->site_births;
	struct site_account *s = find(a, b->site);
	if (!s)
		return ERR_NOMEM;
	s->births +=
		b->objects - (b->outside_objects < b->objects ? b->outside_objects : b->objects);
	a->sums.births += b->objects;
	a->sums.birth_bytes += b->bytes;
	int err = take_young(a, b->young, "site_births", d);
	if (!err && (b->outside_objects > b->objects || b->outside_bytes > b->bytes))
		err = diag_set(d, ERR_FORMAT, "site_births: more were born outside than in all");
	return err;
}

static uint64_t sum(const struct record_list *l)
{
	uint64_t all = 0;
	for (uint32_t i = 0; i < l->count; i++)
		all += l->at[i];
	return all;
}

static void add_list(uint64_t *to, const struct record_list *l)
{
	for (uint32_t i = 0; i < l->count && i < ACCOUNT_AGES; i++)
		to[i] += l->at[i];
}

static int take_ages(struct exact_check *a, const struct record *r, struct diag *d)
{
	const struct record_site_ages *t = &r->site_ages;
	const struct record_list *lists[] = {
		&t->objects, &t->bytes, &t->promoted_objects, &t->promoted_bytes};
	struct site_account *s = find(a, t->site);
	if (!s)
		return ERR_NOMEM;
	add_list(s->lives, &t->objects);
	add_list(s->moves, &t->promoted_objects);
	a->sums.survivors += sum(&t->objects);
	a->sums.survivor_bytes += sum(&t->bytes);
	a->sums.promoted += sum(&t->promoted_objects);
	a->sums.promoted_bytes += sum(&t->promoted_bytes);
	int err = take_young(a, t->young, "site_ages", d);
	for (size_t i = 0; i < ARRAY_SIZE(lists) && !err; i++)
		if (lists[i]->count > ACCOUNT_AGES)
			err = diag_set(d, ERR_FORMAT,
				"site_ages: a list of %" PRIu32 " ages, there are %d",
				lists[i]->count, ACCOUNT_AGES);
	return err;
}

/* More than were found and what looked like fillers. Differences, since sums may wrap. */
static bool too_many(uint64_t seen, uint64_t walked, uint64_t fillers)
{
	return seen > walked && seen - walked > fillers;
}

static int take_audit(struct exact_check *a, const struct record *r, struct diag *d)
{
	const struct record_audit *t = &r->audit;
	int err = take_young(a, t->young, "audit", d);
	if (err)
		return err;
	if (too_many(t->seen, t->walked, t->fillers) ||
		too_many(t->seen_bytes, t->walked_bytes, t->filler_bytes))
		return diag_set(d, ERR_FORMAT, "audit: more objects seen than there were");
	if (t->attributed > t->seen)
		return diag_set(d, ERR_FORMAT, "audit: more objects attributed than seen");
	return ERR_NONE;
}

/* -- The end of a collection's accounts -- */

static int check_sums(const struct exact_check *a, const struct record_exact_gc *g, struct diag *d)
{
	const struct {
		const char *name;
		uint64_t says, sum;
	} pairs[] = {{"births", g->births, a->sums.births},
		{"birth_bytes", g->birth_bytes, a->sums.birth_bytes},
		{"survivors", g->survivors, a->sums.survivors},
		{"survivor_bytes", g->survivor_bytes, a->sums.survivor_bytes},
		{"promoted", g->promoted, a->sums.promoted},
		{"promoted_bytes", g->promoted_bytes, a->sums.promoted_bytes}};
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
		if (pairs[i].says != pairs[i].sum)
			return diag_set(d, ERR_FORMAT,
				"exact_gc %" PRIu64 ": it says %" PRIu64
				" %s, its sites have %" PRIu64,
				g->young, pairs[i].says, pairs[i].name, pairs[i].sum);
	return ERR_NONE;
}

/* Those that could have become the survivors of index i. */
static uint64_t before(const struct site_account *s, size_t i)
{
	if (i == 0)
		return s->births;
	return s->stands[i - 1] + (i == ACCOUNT_AGES - 1 ? s->stands[i] : 0);
}

static int check_site(const struct site_account *s, uint64_t young, struct diag *d)
{
	for (size_t i = 0; i < ACCOUNT_AGES; i++)
		if (s->lives[i] + s->moves[i] > before(s, i))
			return diag_set(d, ERR_FORMAT,
				"exact_gc %" PRIu64 ": %" PRIu64
				" objects of a site survived %zu collections, %" PRIu64
				" were there",
				young, s->lives[i] + s->moves[i], i + 1, before(s, i));
	return ERR_NONE;
}

/* What outlived the collection stands now. Whether anything does. */
static bool turn(struct site_account *s)
{
	bool any = false;
	for (size_t i = 0; i < ACCOUNT_AGES; i++)
		any |= s->lives[i] != 0;
	memcpy(s->stands, s->lives, sizeof(s->stands));
	memset(s->lives, 0, sizeof(s->lives));
	memset(s->moves, 0, sizeof(s->moves));
	s->births = 0;
	return s->open = any;
}

static int turn_all(struct exact_check *a, bool tells, uint64_t young, struct diag *d)
{
	size_t kept = 0;
	int err = ERR_NONE;
	for (size_t i = 0; i < a->open.count; i++) {
		struct site_account *s = &a->sites.at[a->open.at[i]];
		if (tells && !err)
			err = check_site(s, young, d);
		if (turn(s))
			a->open.at[kept++] = a->open.at[i];
	}
	a->open.count = kept;
	return err;
}

static int take_gc(struct exact_check *a, const struct record *r, struct diag *d)
{
	const struct record_exact_gc *g = &r->exact_gc;
	bool missed = g->young > a->last && g->young - a->last > 1, moved = g->kind != KIND_OTHER;
	int err = take_young(a, g->young, "exact_gc", d);
	bool torn = a->torn, unseen = a->unseen;
	err = err || torn ? err : check_sums(a, g, d);
	a->unseen = torn || (unseen && !moved);
	a->torn = false;
	a->sums = (struct account_sums){0};
	a->young = 0;
	a->last = g->young;
	if (!missed && !moved)
		return err;
	/* After one that was missed, or a full one, it is not known what was there. */
	bool tells = !err && !missed && !torn && !unseen && g->kind != KIND_FULL;
	int found = turn_all(a, tells, g->young, d);
	return err ? err : found;
}

/* Heap counts. */

static int take_heap_young(struct exact_check *a, uint64_t young, const char *name, struct diag *d)
{
	uint64_t before = a->heap.young;
	a->heap.young = young;
	if (before && before != young)
		return diag_set(d, ERR_FORMAT,
			"%s of collection %" PRIu64 " among those of %" PRIu64, name, young,
			before);
	return ERR_NONE;
}

static int take_old(struct exact_check *a, const struct record *r, struct diag *d)
{
	a->heap.known += r->site_old.objects;
	a->heap.known_bytes += r->site_old.bytes;
	return take_heap_young(a, r->site_old.young, "site_old", d);
}

static int take_site_young(struct exact_check *a, const struct record *r, struct diag *d)
{
	a->heap.known += sum(&r->site_young.objects);
	a->heap.known_bytes += sum(&r->site_young.bytes);
	return take_heap_young(a, r->site_young.young, "site_young", d);
}

static int take_older(struct exact_check *a, const struct record *r, struct diag *d)
{
	a->heap.unknown += r->class_older.objects;
	a->heap.unknown_bytes += r->class_older.bytes;
	return take_heap_young(a, r->class_older.young, "class_older", d);
}

static int take_heap(struct exact_check *a, const struct record *r, struct diag *d)
{
	const struct record_heap_count *h = &r->heap_count;
	int err = take_heap_young(a, h->young, "heap_count", d);
	struct heap_sums s = a->heap;
	bool torn = a->torn_heap;
	a->heap = (struct heap_sums){0};
	a->torn_heap = false;
	if (err || torn ||
		(h->known == s.known && h->known_bytes == s.known_bytes &&
			h->unknown == s.unknown && h->unknown_bytes == s.unknown_bytes))
		return err;
	return diag_set(d, ERR_FORMAT,
		"heap_count %" PRIu64 ": it says %" PRIu64 " and %" PRIu64
		" objects, its sites and classes have %" PRIu64 " and %" PRIu64,
		h->young, h->known, h->unknown, s.known, s.unknown);
}

int exact_check_take(struct exact_check *a, const struct record *r, struct diag *d)
{
	static int (*const takers[256])(
		struct exact_check *, const struct record *, struct diag *) = {
		[RECORD_site_births] = take_births,
		[RECORD_site_ages] = take_ages,
		[RECORD_audit] = take_audit,
		[RECORD_exact_gc] = take_gc,
		[RECORD_site_old] = take_old,
		[RECORD_site_young] = take_site_young,
		[RECORD_class_older] = take_older,
		[RECORD_heap_count] = take_heap,
	};
	return takers[r->kind] ? takers[r->kind](a, r, d) : ERR_NONE;
}
