#include "model/endings.h"

#include <string.h>

#include "base/error.h"
#include "model/followed.h"
#include "stat/ages.h"

enum {
	ARRAY_LEAST = 16, /* bytes: no array is smaller */
	OBJECT_LEAST = 8, /* and nothing else: compact headers, and no fields */
	MEANS_MOST = 100, /* one object in so many may count with a mean size */
};

void endings_release(struct endings *e)
{
	for (size_t i = 0; i < e->sites.count; i++)
		vec_release(&e->sites.at[i].rows);
	vec_release(&e->sites);
}

const struct site_endings *endings_of(const struct endings *e, uint32_t site)
{
	if (e->from != ENDINGS_EVENTS || site >= e->sites.count || !e->sites.at[site].told)
		return NULL;
	return &e->sites.at[site];
}

/* -- One object after the other -- */

/* Where the row of this age is, or would be. */
static size_t place_of(const struct site_endings *s, uint32_t age)
{
	size_t lo = 0, hi = s->rows.count;
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		if (s->rows.at[middle].age < age)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

/* NULL: out of memory. */
static struct ending_row *row_of(struct site_endings *s, uint32_t age)
{
	if (age < s->rows.count && s->rows.at[age].age == age)
		return &s->rows.at[age];
	size_t at = place_of(s, age);
	if (at < s->rows.count && s->rows.at[at].age == age)
		return &s->rows.at[at];
	if (vec_reserve(&s->rows, 1))
		return NULL;
	struct ending_row *row = s->rows.at + at;
	memmove(row + 1, row, (s->rows.count++ - at) * sizeof(*row));
	*row = (struct ending_row){.age = age};
	return row;
}

/* NULL: out of memory. */
static struct site_endings *site_of(struct endings *e, uint32_t site)
{
	size_t more = site < e->sites.count ? 0 : site + 1 - e->sites.count;
	if (more && vec_reserve(&e->sites, more))
		return NULL;
	for (; more; more--)
		e->sites.at[e->sites.count++] = (struct site_endings){.told = false};
	return &e->sites.at[site];
}

static void take(
	struct endings *e, const struct image_object *o, enum ending_kind ending, uint64_t young)
{
	uint32_t age = young > o->young ? ages_round((uint32_t)(young - o->young)) : 0;
	struct site_endings *s = site_of(e, o->site);
	struct ending_row *row = s ? row_of(s, age) : NULL;
	if (!row) {
		e->failed = true;
		return;
	}
	row->of[ending].objects++;
	if (o->told)
		row->of[ending].bytes += 8ull * o->eighths;
	else
		row->unsized[ending]++;
}

struct reading {
	struct endings *e;
	const struct heap_image *image; /* that the objects are of */
};

static void on_gone(void *arg, const struct image_object *o, bool died)
{
	const struct reading *g = arg;
	take(g->e, o, died ? ENDING_DIED : ENDING_FORGOTTEN, g->image->young);
}

static int on_alive(void *arg, uint64_t address, const struct image_object *o)
{
	struct endings *e = arg;
	(void)address;
	take(e, o, ENDING_ALIVE, e->young);
	return e->failed ? ERR_NOMEM : ERR_NONE;
}

static int on_end(void *arg, struct followed *f, size_t i)
{
	struct reading *g = arg;
	(void)i;
	return heap_image_each(&f->image, on_alive, g->e);
}

/* -- Whether it is all, and its bytes -- */

static struct quantity sum_of(const struct site_endings *s)
{
	struct quantity sum = {0};
	for (size_t i = 0; i < s->rows.count; i++)
		for (int k = 0; k < ENDINGS; k++)
			quantity_add(&sum, s->rows.at[i].of[k]);
	return sum;
}

/* Births that no collection accounted for came after: they stand. */
static struct quantity open_of(const struct site_counts *c)
{
	struct quantity open = c->outside_new;
	if (c->ages.count)
		quantity_add(&open, c->ages.at[0].young);
	return open;
}

static bool is_array(const struct model *m, uint32_t site)
{
	return m->defs.classes.at[m->defs.sites.at[site].class].flags & CLASS_ARRAY;
}

/* Arrays that were born since the last collection: their bytes were counted by themselves. */
static void size_open(struct site_endings *s, struct quantity open)
{
	struct ending_row *row = s->rows.count && !s->rows.at[0].age ? &s->rows.at[0] : NULL;
	struct quantity *alive = row ? &row->of[ENDING_ALIVE] : NULL;
	if (!row || !row->unsized[ENDING_ALIVE] || alive->objects != open.objects ||
		alive->bytes + ARRAY_LEAST * row->unsized[ENDING_ALIVE] > open.bytes)
		return;
	alive->bytes = open.bytes;
	row->unsized[ENDING_ALIVE] = 0;
}

/* What has no size yet. */
struct rest {
	struct quantity all; /* with the bytes that are left for it */
	uint64_t later;      /* of the objects: all but those that died at once */
	unsigned kinds;      /* rows by what became of them: how many have any */
};

static struct rest rest_of(const struct site_endings *s, struct quantity births)
{
	struct rest r = {.all.bytes = quantity_less(births, sum_of(s)).bytes};
	for (size_t i = 0; i < s->rows.count; i++)
		for (int k = 0; k < ENDINGS; k++) {
			uint64_t n = s->rows.at[i].unsized[k];
			r.all.objects += n;
			r.later += s->rows.at[i].age || k != ENDING_DIED ? n : 0;
			r.kinds += n > 0;
		}
	return r;
}

/* All of it is taken to be of one size; what is over goes to the last. */
static void spread(struct site_endings *s, struct quantity rest)
{
	uint64_t each = rest.objects ? rest.bytes / rest.objects : 0;
	for (size_t i = 0; i < s->rows.count; i++)
		for (int k = 0; k < ENDINGS; k++) {
			uint64_t n = s->rows.at[i].unsized[k];
			bool last = n && n == rest.objects;
			struct quantity part = {n, last ? rest.bytes : n * each};
			rest = quantity_less(rest, part);
			s->rows.at[i].of[k].bytes += part.bytes;
		}
}

/*
 * All instances of a class are alike, and arrays tell their size when they outlive a step. So what
 * is left of the bytes is of arrays that died in their first, but for a few that were let go before
 * they told it: these count with the mean of both.
 */
static bool size_rest(struct endings *e, struct site_endings *s, struct quantity births, bool array)
{
	const struct rest rest = rest_of(s, births);
	uint64_t least = array ? ARRAY_LEAST : OBJECT_LEAST;
	bool alike = !array && !(births.bytes % births.objects);
	bool mean = !alike && rest.kinds > 1;
	if (sum_of(s).bytes + least * rest.all.objects > births.bytes ||
		(!rest.all.objects && rest.all.bytes))
		return false;
	if (mean && rest.later > births.objects / MEANS_MOST)
		return false;
	if (mean)
		quantity_add(&e->mean, (struct quantity){rest.later,
					       rest.later * (rest.all.bytes / rest.all.objects)});
	spread(s, rest.all);
	return true;
}

/* What was born after the end of what is told: alive, for all that is known. */
static bool add_open(struct site_endings *s, struct quantity open)
{
	struct ending_row *row = open.objects ? row_of(s, 0) : NULL;
	if (row)
		quantity_add(&row->of[ENDING_ALIVE], open);
	return row || !open.objects;
}

/* What the events were read with. */
struct source_of {
	const struct model *m;
	const struct followed *f;
	bool whole; /* they go on to the end, as the counts of births do */
};

/* Births that the events may have. */
static struct quantity births_of(const struct source_of *from, const struct site_counts *c)
{
	if (from->whole)
		return c->births;
	return c->site < from->f->counted.count ? from->f->counted.at[c->site]
						: (struct quantity){0, 0};
}

/* Births of which it is not known whether they outlived a collection. */
static uint64_t veiled_of(const struct source_of *from, const struct site_counts *c)
{
	return c->site < from->f->veiled.count ? from->f->veiled.at[c->site] : 0;
}

static void add_unsized(struct ending_row *row, enum ending_kind kind, uint64_t objects)
{
	row->of[kind].objects += objects;
	row->unsized[kind] += objects;
}

/* Where those alone are told of that outlived a collection the others died in their first, but for
 * what was born since the last, and what was not looked at, which was let go. False: more were told
 * of than were born. */
static bool settle_untold(struct endings *e, struct site_endings *s, const struct source_of *from,
	const struct site_counts *c)
{
	struct quantity open = {0};
	if (from->whole && c->ages.count)
		open = c->ages.at[0].young;
	uint64_t told = sum_of(s).objects + open.objects, births = births_of(from, c).objects;
	uint64_t veiled = veiled_of(from, c);
	struct ending_row *row = row_of(s, 0);
	if (!row)
		return e->failed = true, false;
	if (told + veiled > births)
		return false;
	add_unsized(row, ENDING_ALIVE, open.objects);
	add_unsized(row, ENDING_FORGOTTEN, veiled);
	add_unsized(row, ENDING_DIED, births - told - veiled);
	return true;
}

static uint64_t outlived(const struct site_endings *s)
{
	uint64_t objects = 0;
	for (size_t i = 0; i < s->rows.count; i++)
		for (int k = 0; k < ENDINGS && s->rows.at[i].age; k++)
			objects += s->rows.at[i].of[k].objects;
	return objects;
}

static struct quantity part_of(struct quantity all, uint64_t objects)
{
	if (objects >= all.objects)
		return all;
	double share = (double)objects / (double)all.objects;
	return (struct quantity){objects, (uint64_t)(share * (double)all.bytes)};
}

/*
 * Most are let go where they are found to live and there is no memory to follow them: not at
 * random, but as what outlived a step. Events do not say why. The accounts count what outlived its
 * first collection: where these are more than events follow beyond it, so many of what was let go
 * did.
 */
static bool age_let_go(struct site_endings *s, const struct site_counts *c)
{
	struct quantity let_go = {0}, counted = {0};
	if (s->rows.count && !s->rows.at[0].age)
		let_go = s->rows.at[0].of[ENDING_FORGOTTEN];
	if (c->ages.count) {
		counted = c->ages.at[0].survived;
		quantity_add(&counted, c->ages.at[0].promoted);
	}
	uint64_t followed = outlived(s);
	if (!let_go.objects || counted.objects <= followed)
		return true;
	struct quantity part = part_of(let_go, counted.objects - followed);
	struct ending_row *row = row_of(s, 1);
	if (!row)
		return false;
	quantity_add(&row->of[ENDING_FORGOTTEN], part);
	s->rows.at[0].of[ENDING_FORGOTTEN] = quantity_less(let_go, part);
	return true;
}

static bool settle_site(
	struct endings *e, const struct source_of *from, const struct site_counts *c)
{
	const struct model *m = from->m;
	struct site_endings *s = site_of(e, c->site);
	struct quantity births = births_of(from, c), open = quantity_less(c->births, births);
	if (!s)
		return e->failed = true, false;
	if (!m->defs.sites.at[c->site].class)
		return false;
	if (from->f->survivors && !settle_untold(e, s, from, c))
		return false;
	if (sum_of(s).objects != births.objects)
		return false;
	if (is_array(m, c->site) && from->whole)
		size_open(s, open_of(c));
	if (births.objects && !size_rest(e, s, births, is_array(m, c->site)))
		return false;
	if (!age_let_go(s, c) || !add_open(s, open))
		return e->failed = true, false;
	return true;
}

static void settle(struct endings *e, const struct source_of *from)
{
	for (size_t i = 0; i < from->m->exact.sites.count; i++) {
		const struct site_counts *c = &from->m->exact.sites.at[i];
		bool told = settle_site(e, from, c);
		quantity_add(told ? &e->told : &e->untold, c->births);
		if (!told)
			continue;
		struct site_endings *s = &e->sites.at[c->site];
		s->told = true;
		for (size_t k = 0; k < s->rows.count; k++)
			quantity_add(&e->forgotten, s->rows.at[k].of[ENDING_FORGOTTEN]);
		e->veiled += from->f->survivors ? veiled_of(from, c) : 0;
	}
}

static bool is_sound(const struct followed *f)
{
	for (int i = 0; i < IMAGE_ODDS; i++)
		if (f->image.odds[i])
			return false;
	return true;
}

static int read_events(
	struct endings *e, struct reader *r, const struct model *m, bool whole, struct diag *d)
{
	struct followed f;
	struct reading g = {.e = e, .image = &f.image};
	const uint64_t end = whole ? UINT64_MAX : m->exact.young;
	const struct followed_walk w = {.young = &end,
		.count = 1,
		.visit = on_end,
		.gone = on_gone,
		.arg = &g,
		.sizeless = true};
	e->young = whole ? m->now.young : m->exact.young;
	int err = followed_walk(&f, r, m, &w, d);
	if (!err && is_sound(&f) && (!whole || !f.damage.text[0])) {
		e->from = ENDINGS_EVENTS;
		e->survivors = f.survivors;
		settle(e, &(struct source_of){m, &f, whole});
	}
	followed_release(&f);
	return err;
}

int endings_read(struct endings *e, struct reader *r, const struct model *m, struct diag *d)
{
	bool whole = m->complete && !m->damage.text[0];
	*e = (struct endings){.from = ENDINGS_NONE};
	if (!followed_any(m) || !m->exact.births.objects)
		return ERR_NONE;
	e->from = m->begin.forgotten.blocks ? ENDINGS_STRETCH : ENDINGS_UNSOUND;
	if (e->from == ENDINGS_STRETCH)
		return ERR_NONE;
	int err = read_events(e, r, m, whole, d);
	if (!err && e->failed)
		err = diag_set(d, ERR_NOMEM, "%s", err_text(ERR_NOMEM));
	if (err)
		e->from = ENDINGS_NONE;
	return err;
}
