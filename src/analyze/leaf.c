#include "analyze/leaf.h"

#include <math.h>

#include "analyze/deal.h"
#include "analyze/ledger.h"
#include "analyze/trail.h"
#include "base/error.h"
#include "base/units.h"

void leaves_release(struct leaves *l)
{
	for (size_t i = 0; i < l->list.count; i++)
		counted_release(&l->list.at[i].counted);
	vec_release(&l->list);
	vec_release(&l->of);
	vec_release(&l->counts);
}

#define ROUNDING 1e-12 /* a share this near to 1 is the whole */

/* What leaves_lay works with. */
struct laying {
	struct ledger *l;
	const struct model *m;
	const struct counts
		*counts; /* what is laid: has a site for each of the model's, in order */
	bool deaths;     /* not the births of the run, but deaths of a part of it */
	struct trails trails;
};

/* Where anything was counted at all, nothing may have died in a part of the run. */
static bool is_counted(const struct laying *y, size_t i)
{
	return y->m->exact.sites.at[i].births.objects > 0;
}

/* Where threads are told apart, the whole trace is one leaf. 0: nothing was counted there. */
static uint32_t find(const struct laying *y, uint32_t site)
{
	size_t mixed;
	if (y->l->by_thread)
		return y->l->leaves.list.count > 0;
	size_t at = trails_find(&y->trails, y->m, site, &mixed);
	return at ? trails_at(&y->trails, at)->leaf : 0;
}

/* -- What was counted -- */

static int add_leaf(struct laying *y, uint32_t site)
{
	struct leaves *leaves = &y->l->leaves;
	size_t mixed = 0, at = y->l->by_thread ? 0 : trails_find(&y->trails, y->m, site, &mixed);
	bool walked = mixed && trails_at(&y->trails, mixed)->walked;
	if (vec_push(&leaves->list, ((struct leaf){.group = (uint32_t)mixed, .walked = walked})))
		return ERR_NOMEM;
	if (at)
		trails_at(&y->trails, at)->leaf = (uint32_t)leaves->list.count;
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
 * young generation outlived it. */
struct first {
	struct quantity infant, outlived;
};

static struct first first_of(const struct site_counts *s)
{
	struct first f = {.outlived = s->outside_met};
	if (!s->ages.count)
		return f;
	struct quantity out = s->ages.at[0].survived;
	quantity_add(&out, s->ages.at[0].promoted);
	f.infant = quantity_less(s->ages.at[0].risk, out);
	quantity_add(&f.outlived, out);
	return f;
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
	struct first first = first_of(s);
	quantity_add(&leaf->counts.births, s->births);
	quantity_add(&leaf->counts.died, s->died);
	quantity_add(&leaf->counts.young, counts_young(s));
	quantity_add(&leaf->counts.infant, first.infant);
	quantity_add(&leaf->counts.outlived, first.outlived);
	return y->deaths ? ERR_NONE : counted_add(&leaf->counted, s);
}

/* -- What was sampled -- */

/* All that was made there was counted, by other paths than the sample's: it has no part in it. */
static bool is_walked(const struct laying *y, uint32_t site)
{
	size_t mixed, at = y->l->by_thread ? 0 : trails_find(&y->trails, y->m, site, &mixed);
	return at && trails_at(&y->trails, at)->walked;
}

static uint64_t part_number(size_t account)
{
	return hash64(account + 1);
}

static void merge_totals(struct tally *t, const struct tally *more)
{
	total_merge(&t->alloc, &more->alloc);
	total_merge(&t->died, &more->died);
	total_merge(&t->alive, &more->alive);
	total_merge(&t->untracked, &more->untracked);
	total_merge(&t->infant, &more->infant);
	total_merge(&t->outlived, &more->outlived);
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
	merge_totals(&leaf->sampled, &a->tally);
	leaf->counted.open += part_number(i);
	leaf->lead = leaf->lead ? leaf->lead : (uint32_t)i + 1;
	return ERR_NONE;
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

/* What was promoted, born outside of the young generation or lost from sight may live or be dead.
 */
static struct quantity rest_of(struct quantity births, struct quantity died, struct quantity young)
{
	return quantity_less(quantity_less(births, died), young);
}

static int add_unsampled(struct laying *y, const struct site_counts *s)
{
	struct account *a;
	struct quantity young = counts_young(s);
	struct first first = first_of(s);
	int err = new_account(y, s->site, &a);
	if (err)
		return err;
	count(&a->tally.alloc, s->births);
	count(&a->tally.died, s->died);
	count(&a->tally.alive, young);
	count(&a->tally.untracked, rest_of(s->births, s->died, young));
	count(&a->tally.infant, first.infant);
	count(&a->tally.outlived, first.outlived);
	return y->deaths ? ERR_NONE : counted_add(&a->tally.counted, s);
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
	count(&a->tally.died, c->died);
	count(&a->tally.alive, c->young);
	count(&a->tally.untracked, rest_of(c->births, c->died, c->young));
	count(&a->tally.infant, c->infant);
	count(&a->tally.outlived, c->outlived);
	leaf->lead = (uint32_t)y->l->accounts.count;
	return ERR_NONE;
}

/* Where nothing was sampled. */
static int add_counted(struct laying *y, const struct site_counts *s)
{
	uint32_t of = find(y, s->site);
	const struct leaf *leaf = of ? &y->l->leaves.list.at[of - 1] : NULL;
	if (leaf && (leaf->lead || (leaf->dealt && !leaf->walked)))
		return ERR_NONE;
	return leaf && leaf->walked ? add_walked(y, s->site, of) : add_unsampled(y, s);
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

/* -- Scaling -- */

static struct amount amount_of(struct quantity q)
{
	return (struct amount){(double)q.objects, (double)q.bytes};
}

static struct amount amount_sampled(const struct total *t)
{
	return (struct amount){t->objects.sum, t->bytes.sum};
}

static struct amount less(struct amount a, struct amount b)
{
	return (struct amount){fmax(a.objects - b.objects, 0), fmax(a.bytes - b.bytes, 0)};
}

/* Of `whole`, the share that a has in a + b + c; all of it goes to `c` where they are nothing. */
static struct amount share(
	struct amount whole, struct amount a, struct amount b, struct amount c, bool last)
{
	double objects = a.objects + b.objects + c.objects, bytes = a.bytes + b.bytes + c.bytes;
	return (struct amount){whole.objects * (objects > 0 ? a.objects / objects : last),
		whole.bytes * (bytes > 0 ? a.bytes / bytes : last)};
}

/* What each sum of a leaf is to become. `later`: of what died, all but the infants. */
struct aims {
	struct amount alloc, later, alive, untracked, infant, outlived;
};

static struct amount plus(struct amount a, struct amount b)
{
	return (struct amount){a.objects + b.objects, a.bytes + b.bytes};
}

/* What was promoted or lost from sight is shared out as the samples that outlived a collection. */
static struct aims aims_of(const struct leaf *leaf)
{
	const struct tally *t = &leaf->sampled;
	struct amount rest =
		amount_of(rest_of(leaf->counts.births, leaf->counts.died, leaf->counts.young));
	struct amount died = less(amount_sampled(&t->died), amount_sampled(&t->infant));
	struct amount alive = amount_sampled(&t->alive), gone = amount_sampled(&t->untracked);
	return (struct aims){.alloc = amount_of(leaf->counts.births),
		.later = plus(amount_of(quantity_less(leaf->counts.died, leaf->counts.infant)),
			share(rest, died, alive, gone, false)),
		.alive = plus(amount_of(leaf->counts.young), share(rest, alive, died, gone, false)),
		.untracked = share(rest, gone, died, alive, true),
		.infant = amount_of(leaf->counts.infant),
		.outlived = amount_of(leaf->counts.outlived)};
}

static double factor(double aim, double sampled)
{
	return sampled > 0 ? aim / sampled : 0;
}

/* Scales one sum of an account; what the samples of the leaf have nothing of goes to its lead. */
static void scale(struct total *t, const struct total *leaf, struct amount aim, bool lead)
{
	total_scale(t, factor(aim.objects, leaf->objects.sum), factor(aim.bytes, leaf->bytes.sum));
	if (lead)
		total_count(t, leaf->objects.sum > 0 ? 0 : aim.objects,
			leaf->bytes.sum > 0 ? 0 : aim.bytes);
}

static void take_sum(struct total_sum *from, const struct total_sum *part)
{
	from->sum = fmax(from->sum - part->sum, 0);
	from->variance = fmax(from->variance - part->variance, 0);
}

/* What died, but for the infants. */
static struct total later_of(const struct tally *t)
{
	struct total later = t->died;
	later.n -= t->infant.n < later.n ? t->infant.n : later.n;
	take_sum(&later.objects, &t->infant.objects);
	take_sum(&later.bytes, &t->infant.bytes);
	/* Differences of equal sums: nothing, whatever rounding says. */
	if (!later.n)
		later = (struct total){0};
	return later;
}

static void scale_account(struct account *a, const struct leaf *leaf, bool lead)
{
	struct aims aims = aims_of(leaf);
	struct tally *t = &a->tally;
	scale(&t->alloc, &leaf->sampled.alloc, aims.alloc, lead);
	if (leaf->parts == 1)
		total_certain(&t->alloc);
	struct total later = later_of(t), all_later = later_of(&leaf->sampled);
	scale(&t->infant, &leaf->sampled.infant, aims.infant, lead);
	scale(&later, &all_later, aims.later, lead);
	t->died = t->infant;
	total_merge(&t->died, &later);
	scale(&t->alive, &leaf->sampled.alive, aims.alive, lead);
	scale(&t->untracked, &leaf->sampled.untracked, aims.untracked, lead);
	scale(&t->outlived, &leaf->sampled.outlived, aims.outlived, lead);
}

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
			scale_account(a, leaf, lead);
		if (lead) {
			uint64_t open = a->tally.counted.open;
			a->tally.counted = leaf->counted;
			a->tally.counted.open += open;
			leaf->counted = (struct counted){0};
		}
		close_account(a);
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
	if (y->l->by_thread)
		return ERR_NONE;
	y->trails.all = e->walks.every == 1;
	for (size_t i = 0; i < e->sites.count && !err; i++)
		if (e->sites.at[i].births.objects)
			err = trails_add(&y->trails, y->m, e->sites.at[i].site,
				e->sites.at[i].births.objects);
	for (size_t i = 0; i < y->l->accounts.count && !err; i++)
		trails_meet(&y->trails, y->m, y->l->accounts.at[i].site);
	return err;
}

static int lay(struct laying *y)
{
	size_t sampled = y->l->accounts.count;
	int err = lay_trails(y);
	for (size_t i = 0; i < y->counts->sites.count && !err; i++)
		err = take_site(y, i);
	for (size_t i = 0; i < sampled && !err; i++)
		err = take_account(y, i);
	if (!err) {
		name_groups(y);
		err = leaves_deal(&y->l->leaves);
	}
	err = err ? err : add_all_unsampled(y);
	if (!err)
		scale_all(y, sampled);
	return err;
}

int leaves_lay(struct ledger *l, const struct model *m)
{
	struct laying y = {.l = l, .m = m, .counts = &m->exact};
	if (!m->exact.births.objects)
		return ERR_NONE;
	int err = lay(&y);
	trails_release(&y.trails);
	return err;
}

int leaves_lay_deaths(struct ledger *l, const struct model *m, const struct counts *deaths)
{
	struct laying y = {.l = l, .m = m, .counts = deaths, .deaths = true};
	if (!m->exact.births.objects)
		return ERR_NONE;
	int err = lay(&y);
	trails_release(&y.trails);
	return err;
}

/*
 * The variance of a share: with f of the leaf's scaled estimate in the part, whose own variance is
 * v of the leaf's V, it is (1 - f)^2 v + f^2 (V - v) = (1 - 2 f) v + f^2 V. Gives f.
 */
static double share_of(const struct total_sum *part, const struct total_sum *leaf, double whole,
	struct total_sum *out)
{
	if (!(leaf->sum > 0) || !(whole > 0))
		return 0;
	double scale = whole / leaf->sum, f = fmin(part->sum / whole, 1), rest = 1 - f;
	if (rest < ROUNDING)
		return 1;
	double v = (1 - 2 * f) * part->variance + f * f * scale * scale * leaf->variance;
	out->variance += fmax(v, 0);
	out->largest = fmax(out->largest, part->largest * rest * rest);
	return f;
}

static void keep_error(const struct total_sum *part, struct total_sum *out)
{
	out->variance += part->variance;
	out->largest = fmax(out->largest, part->largest);
}

struct amount leaves_share(
	const struct ledger *l, size_t account, const struct total *part, struct total *out)
{
	uint32_t of = l->leaves.of.at[account];
	const struct leaf *leaf = of ? &l->leaves.list.at[of - 1] : NULL;
	if (leaf && !leaf->parts)
		return leaf->weight; /* it has the one account, which was counted */
	if (!leaf) {
		keep_error(&part->objects, &out->objects);
		keep_error(&part->bytes, &out->bytes);
		return (struct amount){0};
	}
	double objects = share_of(&part->objects, &leaf->sampled.alloc.objects,
		(double)leaf->counts.births.objects, &out->objects);
	double bytes = share_of(&part->bytes, &leaf->sampled.alloc.bytes,
		(double)leaf->counts.births.bytes, &out->bytes);
	return (struct amount){leaf->weight.objects * objects, leaf->weight.bytes * bytes};
}

uint32_t leaves_group(const struct ledger *l, size_t account)
{
	uint32_t of = l->leaves.of.at[account];
	return of ? l->leaves.list.at[of - 1].group : 0;
}

/* How what was counted without a caller divides is not known; that it is as the samples' may be off
 * by as much as the interval of this holds, which is no wider than all of it. */
static void doubt(struct total_sum *out, uint64_t shared, double g)
{
	double rest = fmin(fmax(1 - g, 0), 1), q = (double)shared;
	if (rest > ROUNDING)
		out->variance += q * q * (1 - rest) * rest / 4;
}

/* Of births that were walked, each picked by itself, the share g was the part's: so is that of the
 * q that were not, but for chance on both sides. error: of a share, for g (1 - g) = 1, squared. */
static void doubt_walked(struct total_sum *out, uint64_t shared, double g, double error)
{
	double rest = fmin(fmax(1 - g, 0), 1), q = (double)shared;
	if (rest > ROUNDING)
		out->variance += q * q * (1 - rest) * rest * error;
}

static void share_walked(const struct leaf *own, struct amount share, struct total *out)
{
	/* What was not walked differs from its expectation too. */
	double both = 1 + own->walks.objects / (double)own->shared.objects;
	doubt_walked(&out->objects, own->shared.objects, share.objects, both / own->walks.objects);
	doubt_walked(&out->bytes, own->shared.bytes, share.bytes, both / own->walks.bytes);
}

void leaves_share_group(
	const struct ledger *l, uint32_t group, struct amount share, struct total *out)
{
	const struct leaf *own = &l->leaves.list.at[group - 1];
	if (!own->dealt)
		return;
	if (own->walked && own->shared.objects) {
		share_walked(own, share, out);
		return;
	}
	doubt(&out->objects, own->shared.objects, share.objects);
	doubt(&out->bytes, own->shared.bytes, share.bytes);
}

#define UNCOUNTED_MOST 0.01 /* of the bytes: too little to change what all did */

bool leaves_whole(const struct ledger *l)
{
	double all = 0;
	for (size_t i = 0; i < l->accounts.count; i++)
		all += l->accounts.at[i].tally.alloc.bytes.sum;
	return l->leaves.of.count && l->leaves.uncounted.bytes.sum <= UNCOUNTED_MOST * all;
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

int leaves_notes(struct notes *n, const struct ledger *l)
{
	char bytes[UNITS_MAX];
	if (!(l->leaves.uncounted.bytes.sum > 0) || !l->leaves.of.count)
		return ERR_NONE;
	return notes_add(n,
		"%s was sampled at lines and of classes where the exact engine counted nothing: it "
		"is an estimate, and comes on top of the exact total.",
		units_bytes(l->leaves.uncounted.bytes.sum, bytes));
}
