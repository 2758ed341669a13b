#include "analyze/leaf.h"

#include "analyze/advise_flags.h"
#include "analyze/deal.h"
#include "analyze/leaf_fit.h"
#include "analyze/leaf_scale.h"
#include "analyze/ledger.h"
#include "analyze/trail.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/units.h"

void leaves_release(struct leaves *l)
{
	for (size_t i = 0; i < l->list.count; i++) {
		counted_release(&l->list.at[i].counted);
		mem_free(l->list.at[i].sampled);
	}
	vec_release(&l->list);
	vec_release(&l->of);
	vec_release(&l->counts);
}

/* Where a site's counts and samples meet (trails_find). */
struct place {
	uint32_t at, mixed;
	bool known; /* was looked up: a path is long, and asked for again and again */
};

/* What leaves_lay works with. */
struct laying {
	struct ledger *l;
	const struct model *m;
	const struct counts
		*counts; /* what is laid: has a site for each of the model's, in order */
	bool deaths;     /* not the births of the run, but deaths of a part of it */
	bool clears;     /* G1: what was born outside may go with a young collection */
	struct trails trails;
	struct place *places; /* by site of the model, once trails are laid; owned */
};

/* Where anything was counted at all, nothing may have died in a part of the run. */
static bool is_counted(const struct laying *y, size_t i)
{
	return y->m->exact.sites.at[i].births.objects > 0;
}

static struct place place_of(const struct laying *y, uint32_t site)
{
	struct place *p = &y->places[site];
	if (!p->known) {
		size_t mixed, at = trails_find(&y->trails, y->m, site, &mixed);
		*p = (struct place){.at = (uint32_t)at, .mixed = (uint32_t)mixed, .known = true};
	}
	return *p;
}

/* 0: nothing was counted there. */
static uint32_t find(const struct laying *y, uint32_t site)
{
	struct place p = place_of(y, site);
	return p.at ? trails_at(&y->trails, p.at)->leaf : 0;
}

/* -- What was counted -- */

static int add_leaf(struct laying *y, uint32_t site)
{
	struct leaves *leaves = &y->l->leaves;
	struct place p = place_of(y, site);
	bool walked = p.mixed && trails_at(&y->trails, p.mixed)->walked;
	if (vec_push(&leaves->list, ((struct leaf){.group = p.mixed, .walked = walked})))
		return ERR_NOMEM;
	if (p.at)
		trails_at(&y->trails, p.at)->leaf = (uint32_t)leaves->list.count;
	return ERR_NONE;
}

/* NULL: out of memory. */
static struct leaf *leaf_of(struct laying *y, uint32_t site)
{
	struct leaves *leaves = &y->l->leaves;
	if (!find(y, site) && add_leaf(y, site))
		return NULL;
	return &leaves->list.at[find(y, site) - 1];
}

/* What the first collection did with those that met one accounted for. What was born outside of the
 * young generation outlived it; but a large object of G1's may have gone with it, uncounted. */
struct first {
	struct quantity infant, outlived;
};

static struct first first_of(const struct laying *y, const struct site_counts *s)
{
	struct first f = {.outlived = y->clears ? (struct quantity){0} : s->outside_met};
	if (!s->ages.count)
		return f;
	struct quantity out = s->ages.at[0].survived;
	quantity_add(&out, s->ages.at[0].promoted);
	f.infant = quantity_less(s->ages.at[0].risk, out);
	quantity_add(&f.outlived, out);
	return f;
}

/* NULL: events do not tell what became of all that the site made. */
static const struct site_endings *endings_at(const struct laying *y, uint32_t site)
{
	bool none = y->deaths || !y->l->endings;
	return none ? NULL : endings_of(y->l->endings, site);
}

static void count_endings(struct leaf_counts *c, const struct site_endings *e)
{
	for (size_t i = 0; i < e->rows.count; i++) {
		const struct ending_row *row = &e->rows.at[i];
		quantity_add(&c->died, row->of[ENDING_DIED]);
		quantity_add(&c->young, row->of[ENDING_ALIVE]);
		if (!row->age)
			quantity_add(&c->infant, row->of[ENDING_DIED]);
		quantity_add(&c->unlooked, row->of[ENDING_FORGOTTEN]);
		for (int k = 0; row->age && k < ENDINGS; k++)
			quantity_add(&c->outlived, row->of[k]);
	}
}

static void add_counts(struct leaf_counts *c, const struct laying *y, const struct site_counts *s)
{
	const struct site_endings *e = endings_at(y, s->site);
	quantity_add(&c->births, s->births);
	if (e) {
		count_endings(c, e);
		return;
	}
	struct first first = first_of(y, s);
	struct site_fates fates = counts_fates(s);
	if (s->ages.count)
		quantity_add(&c->stayed, s->ages.at[0].survived);
	quantity_add(&c->unlooked, fates.outside);
	if (y->clears)
		quantity_add(&c->unseen, fates.outside);
	quantity_add(&c->unlooked, fates.lost);
	quantity_add(&c->died, fates.died);
	quantity_add(&c->young, fates.young);
	quantity_add(&c->infant, first.infant);
	quantity_add(&c->outlived, first.outlived);
}

/* What was born since the last collection, as far as it is known, and what nobody looked at. */
static struct quantity unmet_of(const struct laying *y, const struct site_counts *s)
{
	const struct site_endings *e = endings_at(y, s->site);
	struct quantity unmet = s->outside_new;
	if (e)
		return e->rows.count && !e->rows.at[0].age ? e->rows.at[0].of[ENDING_ALIVE]
							   : (struct quantity){0};
	if (y->clears)
		quantity_add(&unmet, s->outside_met);
	if (s->ages.count)
		quantity_add(&unmet, s->ages.at[0].young);
	return unmet;
}

/* Whether it was counted of each birth what the first collection that it met did with it. */
static bool is_told(const struct laying *y, const struct site_counts *s)
{
	struct leaf_counts c = {.births = {0}};
	add_counts(&c, y, s);
	struct quantity sum = unmet_of(y, s);
	quantity_add(&sum, c.infant);
	quantity_add(&sum, c.outlived);
	return sum.objects == c.births.objects && sum.bytes == c.births.bytes;
}

static int add_lives(struct counted *c, const struct laying *y, const struct site_counts *s)
{
	const struct site_endings *e = endings_at(y, s->site);
	if (y->deaths)
		return ERR_NONE;
	if (e)
		return counted_add_endings(c, e);
	if (y->clears)
		counted_close_outside(c, s);
	return counted_add(c, s);
}

static int take_site(struct laying *y, size_t i)
{
	struct leaves *leaves = &y->l->leaves;
	const struct site_counts *s = &y->counts->sites.at[i];
	struct leaf *leaf = is_counted(y, i) ? leaf_of(y, s->site) : NULL;
	if (!leaf && is_counted(y, i))
		return ERR_NOMEM;
	if (vec_push(&leaves->counts, leaf ? (uint32_t)(leaf - leaves->list.at) + 1 : 0))
		return ERR_NOMEM;
	if (!leaf)
		return ERR_NONE;
	add_counts(&leaf->counts, y, s);
	leaf->untold |= y->deaths || !is_told(y, s);
	return add_lives(&leaf->counted, y, s);
}

/* -- What was sampled -- */

/* All that was made there was counted, by other paths than the sample's: it has no part in it. */
static bool is_walked(const struct laying *y, uint32_t site)
{
	struct place p = place_of(y, site);
	return p.at && trails_at(&y->trails, p.at)->walked;
}

/* All that was sampled there was made before the counts begin, and nothing since. */
static bool is_past(const struct laying *y, size_t i)
{
	const struct ledger *l = y->l;
	bool before = i < l->last.count && l->last.at[i] && l->last.at[i] < model_births_from(y->m);
	return before && !trails_line(&y->trails, y->m, l->accounts.at[i].site);
}

/* Totals and rates are of what was counted: it has no part in them. */
static void leave_out_past(struct laying *y)
{
	struct ledger *l = y->l;
	size_t left = 0;
	for (size_t i = 0; i < l->accounts.count; i++)
		if (is_past(y, i))
			tally_release(&l->accounts.at[i].tally);
		else
			l->accounts.at[left++] = l->accounts.at[i];
	l->accounts.count = left;
}

static uint64_t part_number(size_t account)
{
	return hash64(account + 1);
}

static int add_sampled(struct leaf *leaf, const struct tally *t)
{
	leaf->sampled = leaf->sampled ? leaf->sampled : mem_zalloc(1, sizeof(*leaf->sampled));
	if (!leaf->sampled)
		return ERR_NOMEM;
	tally_merge_totals(leaf->sampled, t);
	return ERR_NONE;
}

static int take_account(struct laying *y, size_t i)
{
	struct leaves *leaves = &y->l->leaves;
	struct account *a = &y->l->accounts.at[i];
	uint32_t of = find(y, a->site);
	if (!of && is_walked(y, a->site)) {
		if (add_leaf(y, a->site))
			return ERR_NOMEM;
		of = find(y, a->site);
	}
	a->tally.counted.open -= part_number(i);
	if (!of)
		total_merge(&leaves->uncounted, &a->tally.alloc);
	if (vec_push(&leaves->of, of))
		return ERR_NOMEM;
	if (!of)
		return ERR_NONE;
	struct leaf *leaf = &leaves->list.at[of - 1];
	leaf->parts++;
	leaf->counted.open += part_number(i);
	leaf->lead = leaf->lead ? leaf->lead : (uint32_t)i + 1;
	return add_sampled(leaf, &a->tally);
}

/* -- Where nothing was sampled: an account for each site that was counted -- */

static int new_account(struct laying *y, uint32_t site, struct account **out)
{
	struct ledger *l = y->l;
	struct account a = {.site = site, .tally = {.counted = {.any = !y->deaths}}};
	uint32_t of = find(y, site);
	if (vec_push(&l->leaves.of, of) || vec_push(&l->accounts, a))
		return ERR_NOMEM;
	*out = &l->accounts.at[l->accounts.count - 1];
	return ERR_NONE;
}

static void count(struct total *t, struct quantity q)
{
	total_count(t, (double)q.objects, (double)q.bytes);
}

/* But for `alloc`. */
static void count_fates(struct tally *t, const struct leaf_counts *c)
{
	count(&t->died, c->died);
	count(&t->alive, c->young);
	count(&t->untracked, leaf_rest(c->births, c->died, c->young));
	count(&t->infant, c->infant);
	count(&t->outlived, c->outlived);
}

/* Each site of such a leaf takes its own lives, so that nobody asks for the leaf's. */
static int add_unsampled(struct laying *y, const struct site_counts *s, struct leaf *leaf)
{
	struct account *a;
	struct leaf_counts counts = {.births = {0, 0}};
	int err = new_account(y, s->site, &a);
	if (err)
		return err;
	if (leaf)
		counted_release(&leaf->counted);
	add_counts(&counts, y, s);
	count(&a->tally.alloc, counts.births);
	count_fates(&a->tally, &counts);
	return add_lives(&a->tally.counted, y, s);
}

/* A leaf of which births were walked: what was dealt to it, and the lives that were told of it.
 * What was dealt out leaves its lives. */
static int add_walked(struct laying *y, uint32_t site, uint32_t of)
{
	struct account *a;
	int err = new_account(y, site, &a);
	struct leaf *leaf = &y->l->leaves.list.at[of - 1];
	if (err)
		return err;
	const struct leaf_counts *c = &leaf->counts;
	count(&a->tally.alloc, c->births);
	if (leaf->weight.objects > 0) {
		a->tally.alloc.objects.seen = (double)leaf->told.objects;
		a->tally.alloc.bytes.seen = (double)leaf->told.bytes;
	}
	count_fates(&a->tally, c);
	leaf->lead = (uint32_t)y->l->accounts.count;
	return ERR_NONE;
}

/* Where nothing was sampled. */
static int add_counted(struct laying *y, const struct site_counts *s)
{
	uint32_t of = find(y, s->site);
	struct leaf *leaf = of ? &y->l->leaves.list.at[of - 1] : NULL;
	if (leaf && (leaf->lead || (leaf->dealt && !leaf->walked)))
		return ERR_NONE;
	return leaf && leaf->walked ? add_walked(y, s->site, of) : add_unsampled(y, s, leaf);
}

/* Leaves of a group name its own, the one of what was counted without a caller. */
static void name_groups(struct laying *y)
{
	struct leaves *leaves = &y->l->leaves;
	for (size_t i = 0; i < leaves->list.count; i++) {
		struct leaf *leaf = &leaves->list.at[i];
		if (leaf->group)
			leaf->group = trails_at(&y->trails, leaf->group)->leaf;
	}
}

/* -- Where threads are told apart -- */

static void add_leaf_counts(struct leaf_counts *to, const struct leaf_counts *more)
{
	quantity_add(&to->births, more->births);
	quantity_add(&to->died, more->died);
	quantity_add(&to->young, more->young);
	quantity_add(&to->infant, more->infant);
	quantity_add(&to->outlived, more->outlived);
	quantity_add(&to->unlooked, more->unlooked);
	quantity_add(&to->unseen, more->unseen);
	quantity_add(&to->stayed, more->stayed);
}

static int move_leaf(struct leaf *rest, struct leaf *leaf)
{
	int err = counted_merge(&rest->counted, &leaf->counted);
	add_leaf_counts(&rest->counts, &leaf->counts);
	rest->untold |= leaf->untold;
	counted_release(&leaf->counted);
	leaf->counted = (struct counted){0};
	leaf->counts = (struct leaf_counts){.births = {0}};
	return err;
}

static void name_rest(const struct leaves *leaves, uint32_t *of, uint32_t rest)
{
	if (*of && !leaves->list.at[*of - 1].parts)
		*of = rest;
}

/* Nothing tells which threads made what no sample is of: it goes to the rest of a group of all. */
static int gather_rest(struct laying *y)
{
	struct leaves *leaves = &y->l->leaves;
	uint32_t rest = (uint32_t)leaves->list.count + 1;
	int err = vec_push(&leaves->list, ((struct leaf){.untold = y->deaths}));
	for (size_t i = 0; i < y->trails.list.count && !err; i++)
		name_rest(leaves, &y->trails.list.at[i].leaf, rest);
	for (size_t i = 0; i < leaves->counts.count && !err; i++)
		name_rest(leaves, &leaves->counts.at[i], rest);
	for (size_t i = 0; i < rest && !err; i++) {
		struct leaf *leaf = &leaves->list.at[i];
		leaf->group = rest;
		if (!leaf->parts && i + 1 < rest)
			err = move_leaf(&leaves->list.at[rest - 1], leaf);
	}
	if (!err)
		leaves->unsampled = leaves->list.at[rest - 1].counts.births;
	return err;
}

/* -- Scaling -- */

static void close_account(struct account *a)
{
	struct tally *t = &a->tally;
	t->born = t->died;
	total_merge(&t->born, &t->alive);
	total_merge(&t->born, &t->untracked);
}

/* The lead of a leaf takes its counts. */
static void scale_all(struct laying *y, size_t sampled)
{
	struct leaves *leaves = &y->l->leaves;
	for (size_t i = 0; i < y->l->accounts.count; i++) {
		struct account *a = &y->l->accounts.at[i];
		struct leaf *leaf =
			leaves->of.at[i] ? &leaves->list.at[leaves->of.at[i] - 1] : NULL;
		bool lead = leaf && leaf->lead == i + 1;
		if (leaf && i < sampled)
			leaf_scale(leaf, lead, &a->tally);
		if (lead) {
			uint64_t open = a->tally.counted.open;
			a->tally.counted = leaf->counted;
			a->tally.counted.open += open;
			leaf->counted = (struct counted){0};
		}
	}
}

static int add_all_unsampled(struct laying *y)
{
	const struct counts *e = y->counts;
	int err = ERR_NONE;
	for (size_t i = 0; i < e->sites.count && !err; i++) {
		const struct site_counts *s = &e->sites.at[i];
		if (s->births.objects)
			err = add_counted(y, s);
	}
	return err;
}

static int lay_trails(struct laying *y)
{
	const struct counts *e = &y->m->exact;
	int err = ERR_NONE;
	y->trails.all = e->walks.every == 1;
	y->trails.crowded = e->walks.refused ? e->walks.every : 0;
	y->trails.callers_together = y->l->by_thread;
	for (size_t i = 0; i < e->sites.count && !err; i++)
		if (e->sites.at[i].births.objects)
			err = trails_add(&y->trails, y->m, e->sites.at[i].site,
				e->sites.at[i].births.objects);
	if (!err && !y->deaths)
		leave_out_past(y);
	for (size_t i = 0; i < y->l->accounts.count && !err; i++)
		trails_meet(&y->trails, y->m, y->l->accounts.at[i].site);
	y->places = err ? NULL : mem_zalloc(y->m->defs.sites.count, sizeof(*y->places));
	return err || y->places ? err : ERR_NOMEM;
}

static int lay(struct laying *y)
{
	int err = lay_trails(y);
	size_t sampled = y->l->accounts.count;
	for (size_t i = 0; i < y->counts->sites.count && !err; i++)
		err = take_site(y, i);
	for (size_t i = 0; i < sampled && !err; i++)
		err = take_account(y, i);
	if (!err) {
		name_groups(y);
		err = y->l->by_thread ? gather_rest(y) : ERR_NONE;
	}
	err = err ? err : leaves_deal(&y->l->leaves);
	err = err ? err : add_all_unsampled(y);
	if (err)
		return err;
	scale_all(y, sampled);
	err = y->deaths ? ERR_NONE : leaves_fit(y->l);
	for (size_t i = 0; i < y->l->accounts.count; i++)
		close_account(&y->l->accounts.at[i]);
	return err;
}

static int lay_of(struct laying y)
{
	if (!y.m->exact.births.objects)
		return ERR_NONE;
	y.clears = collector_of(y.m) == COLLECTOR_G1;
	int err = lay(&y);
	trails_release(&y.trails);
	mem_free(y.places);
	return err;
}

int leaves_lay(struct ledger *l, const struct model *m)
{
	return lay_of((struct laying){.l = l, .m = m, .counts = &m->exact});
}

int leaves_lay_deaths(struct ledger *l, const struct model *m, const struct counts *deaths)
{
	return lay_of((struct laying){.l = l, .m = m, .counts = deaths, .deaths = true});
}

#define UNCOUNTED_MOST 0.01 /* of the bytes: too little to change what all did */

bool leaves_whole(const struct ledger *l)
{
	double all = 0;
	for (size_t i = 0; i < l->accounts.count; i++)
		all += l->accounts.at[i].tally.alloc.bytes.sum;
	return l->leaves.of.count && l->leaves.uncounted.bytes.sum <= UNCOUNTED_MOST * all;
}

bool leaves_stray(const struct ledger *l, size_t account)
{
	uint32_t of = account < l->leaves.of.count ? l->leaves.of.at[account] : 0;
	const struct leaf *leaf = of ? &l->leaves.list.at[of - 1] : NULL;
	return leaf && leaf->walked && leaf->dealt;
}

void leaves_sum(const struct ledger *l, struct total *all)
{
	const struct total *rest = &l->leaves.uncounted;
	if (!l->leaves.of.count)
		return;
	total_certain(all);
	all->objects.variance = rest->objects.variance;
	all->objects.largest = rest->objects.largest;
	all->bytes.variance = rest->bytes.variance;
	all->bytes.largest = rest->bytes.largest;
}

int leaves_note_uncounted(struct notes *n, const struct ledger *l)
{
	char bytes[UNITS_MAX];
	if (!(l->leaves.uncounted.bytes.sum > 0) || !l->leaves.of.count)
		return ERR_NONE;
	return notes_add(n,
		"%s was sampled at lines and of classes where the exact engine counted nothing: it "
		"is an estimate, and comes on top of the exact total.",
		units_bytes(l->leaves.uncounted.bytes.sum, bytes));
}

static int note_unsampled(struct notes *n, const struct ledger *l)
{
	char bytes[UNITS_MAX];
	if (!l->leaves.unsampled.bytes)
		return ERR_NONE;
	return notes_add(n,
		"%s was counted at lines that no sample is of. Nothing tells its threads: it is "
		"shared out like the samples, whatever class and line a filter asks for.",
		units_bytes((double)l->leaves.unsampled.bytes, bytes));
}

/* Why events that are there tell nothing. */
static const char *const no_endings[ENDINGS_FROMS] = {
	[ENDINGS_UNREAD] = "these were not read, as was asked for",
	[ENDINGS_STRETCH] = "what was born before this stretch is not in them",
	[ENDINGS_UNSOUND] = "they contradict each other, or can't be read (mayfly check)",
};

static int note_untold(struct notes *n, const struct endings *e)
{
	char objects[UNITS_MAX], bytes[UNITS_MAX];
	if (!e->untold.objects)
		return ERR_NONE;
	return notes_add(n,
		"Of %s objects (%s) the events do not tell all that was born at their lines, or "
		"how large it was: what became of those that left the young generation is "
		"estimated.",
		units_count(e->untold.objects, objects),
		units_bytes((double)e->untold.bytes, bytes));
}

static int note_mean(struct notes *n, const struct endings *e)
{
	char objects[UNITS_MAX];
	if (!e->mean.objects)
		return ERR_NONE;
	return notes_add(n,
		"Of %s array%s no event tells the size: %s with the mean of those of %s line that "
		"died at once.",
		units_count(e->mean.objects, objects), e->mean.objects == 1 ? "" : "s",
		e->mean.objects == 1 ? "it counts" : "they count",
		e->mean.objects == 1 ? "its" : "their");
}

static int note_let_go(struct notes *n, const struct endings *e)
{
	char objects[UNITS_MAX];
	uint64_t count = e->forgotten.objects - e->veiled;
	if (!count)
		return ERR_NONE;
	return notes_add(n,
		"%s of the objects that the events tell of %s let go before %s end: what became "
		"of %s is estimated.",
		units_count(count, objects), count == 1 ? "was" : "were",
		count == 1 ? "its" : "their", count == 1 ? "it" : "them");
}

static int note_veiled(struct notes *n, const struct endings *e)
{
	char objects[UNITS_MAX];
	if (!e->veiled)
		return ERR_NONE;
	return notes_add(n,
		"Of %s objects no event tells whether they outlived a GC: what became of %s is "
		"estimated.",
		units_count(e->veiled, objects), e->veiled == 1 ? "it" : "them");
}

static int note_told(struct notes *n, const struct endings *e)
{
	if (!e->told.objects)
		return ERR_NONE;
	if (e->survivors)
		return notes_add(n,
			"Deaths are counted from the events of single objects, in the old "
			"generation too; what no event tells of died in its first GC.");
	return notes_add(n, "Deaths are counted from the events of single objects, in the old "
			    "generation too, not by headers.");
}

int leaves_note_no_endings(struct notes *n, const struct ledger *l)
{
	const char *why = l->endings ? no_endings[l->endings->from] : NULL;
	if (!why)
		return ERR_NONE;
	return notes_add(n,
		"Deaths in the old generation are estimated, and not taken from the events: %s.",
		why);
}

static int note_endings(struct notes *n, const struct endings *e)
{
	if (e->from != ENDINGS_EVENTS)
		return ERR_NONE;
	int err = note_told(n, e);
	err = err ? err : note_untold(n, e);
	err = err ? err : note_mean(n, e);
	err = err ? err : note_let_go(n, e);
	return err ? err : note_veiled(n, e);
}

int leaves_notes(struct notes *n, const struct ledger *l)
{
	int err = leaves_note_uncounted(n, l);
	err = err ? err : note_unsampled(n, l);
	err = err ? err : leaves_note_no_endings(n, l);
	return err || !l->endings ? err : note_endings(n, l->endings);
}
