#include "analyze/leaf_scale.h"

#include <math.h>

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
	struct amount later, alive, untracked, infant, outlived;
	struct amount unseen; /* untracked, besides */
};

static struct amount plus(struct amount a, struct amount b)
{
	return (struct amount){a.objects + b.objects, a.bytes + b.bytes};
}

/* What met no collection. */
static struct total unmet_of(const struct tally *t)
{
	struct total unmet = t->alloc;
	total_take(&unmet, &t->infant);
	total_take(&unmet, &t->outlived);
	return unmet;
}

/* What died, but for the infants. */
static struct total later_of(const struct tally *t)
{
	struct total later = t->died;
	total_take(&later, &t->infant);
	return later;
}

/* What became of each of its samples is known. */
static bool is_followed(const struct tally *t)
{
	return t->died.n + t->alive.n + t->untracked.n == t->alloc.n;
}

/* All that met no collection is alive: nothing was let go, and each sample's fate is known. */
static bool is_fresh_known(const struct tally *t)
{
	return !t->untracked.n && is_followed(t) && unmet_of(t).n <= t->alive.n;
}

/* What is alive, but for the fresh. */
static struct total kept_of(const struct leaf *leaf, const struct tally *t)
{
	struct total kept = t->alive, fresh = unmet_of(t);
	if (is_fresh_known(leaf_sampled(leaf)))
		total_take(&kept, &fresh);
	return kept;
}

static struct amount least(struct amount a, struct amount b)
{
	return (struct amount){fmin(a.objects, b.objects), fmin(a.bytes, b.bytes)};
}

/* Of what outlived its first collection, the share that this one did not promote. */
static struct amount stay_of(const struct leaf_counts *c)
{
	double objects = (double)c->outlived.objects, bytes = (double)c->outlived.bytes;
	return (struct amount){objects > 0 ? fmin((double)c->stayed.objects / objects, 1) : 0,
		bytes > 0 ? fmin((double)c->stayed.bytes / bytes, 1) : 0};
}

/*
 * Samples of the dead that no collection which tells found. Of those that met no other there are no
 * more than no such collection looked at: the others are counted as dead, as are those that stood
 * in the young generation until then. Survivor spaces that are full promote sooner than the
 * thresholds say.
 */
static struct amount late_of(const struct leaf *leaf)
{
	const struct tally *t = leaf_sampled(leaf);
	struct amount young = amount_sampled(&t->late_young), open = amount_sampled(&t->late_open);
	struct amount old = less(amount_sampled(&t->late), plus(young, open));
	struct amount stay = stay_of(&leaf->counts);
	open.objects *= 1 - stay.objects;
	open.bytes *= 1 - stay.bytes;
	return plus(plus(old, open), least(young, amount_of(leaf->counts.unlooked)));
}

/* What was promoted or lost from sight is shared out as the samples that young collections did not
 * find dead: those that a collection of the old generation did, and those that live. Of what nobody
 * follows they tell nothing. */
static struct aims aims_of(const struct leaf *leaf)
{
	const struct tally *t = leaf_sampled(leaf);
	struct amount rest =
		amount_of(leaf_rest(leaf->counts.births, leaf->counts.died, leaf->counts.young));
	struct amount unseen = least(amount_of(leaf->counts.unseen), rest);
	rest = less(rest, unseen);
	struct total kept = kept_of(leaf, t);
	struct amount died = late_of(leaf), alive = amount_sampled(&kept);
	struct amount gone = amount_sampled(&t->untracked);
	return (struct aims){
		.later = plus(amount_of(quantity_less(leaf->counts.died, leaf->counts.infant)),
			share(rest, died, alive, gone, false)),
		.alive = plus(amount_of(leaf->counts.young), share(rest, alive, died, gone, false)),
		.untracked = share(rest, gone, died, alive, true),
		.infant = amount_of(leaf->counts.infant),
		.outlived = amount_of(leaf->counts.outlived),
		.unseen = unseen};
}

static double factor(double aim, double sampled)
{
	return sampled > 0 ? aim / sampled : 0;
}

/* How the sums of one account are scaled. */
struct scaling {
	const struct leaf *leaf;
	struct amount lacked; /* its share of what the samples of the leaf have nothing of */
};

/* As of all that was sampled there, which is the lead's where nothing was. */
static struct scaling scaling_of(const struct leaf *leaf, bool lead, const struct tally *t)
{
	struct amount own = amount_sampled(&t->alloc),
		      all = amount_sampled(&leaf_sampled(leaf)->alloc);
	return (struct scaling){leaf, {all.objects > 0 ? own.objects / all.objects : lead,
					      all.bytes > 0 ? own.bytes / all.bytes : lead}};
}

/* One sum of an account, which is `all` in its leaf. */
static void scale(
	const struct scaling *s, struct total *t, const struct total *all, struct amount aim)
{
	total_scale(t, factor(aim.objects, all->objects.sum), factor(aim.bytes, all->bytes.sum));
	struct amount more = {all->objects.sum > 0 ? 0 : aim.objects * s->lacked.objects,
		all->bytes.sum > 0 ? 0 : aim.bytes * s->lacked.bytes};
	if (more.objects > 0 || more.bytes > 0)
		total_count(t, more.objects, more.bytes);
}

/* Samples tell of a stratum, or there is nothing to tell. */
static bool is_told(uint64_t samples, struct quantity aim)
{
	return samples || (!aim.objects && !aim.bytes);
}

int leaf_strata(const struct leaf *leaf)
{
	const struct tally *t = leaf_sampled(leaf);
	struct quantity aims[LEAF_STRATA];
	uint64_t others = t->alloc.n - t->infant.n;
	if (leaf->parts < 2 || leaf->untold || !is_followed(t))
		return 1;
	strata_aims(leaf, LEAF_STRATA, aims);
	struct quantity rest = aims[STRATUM_UNMET];
	quantity_add(&rest, aims[STRATUM_OUTLIVED]);
	if (!is_told(t->infant.n, aims[STRATUM_INFANT]) || !is_told(others, rest))
		return 1;
	bool told = is_told(t->outlived.n, aims[STRATUM_OUTLIVED]) &&
		    is_told(others - t->outlived.n, aims[STRATUM_UNMET]);
	return told ? LEAF_STRATA : LEAF_STRATA - 1;
}

void strata_aims(const struct leaf *leaf, int count, struct quantity aims[LEAF_STRATA])
{
	const struct quantity of[] = {leaf->counts.infant, leaf->counts.outlived};
	aims[STRATUM_OUTLIVED] = (struct quantity){0};
	aims[STRATUM_INFANT] = (struct quantity){0};
	aims[STRATUM_UNMET] = leaf->counts.births;
	for (int i = 0; i < count - 1; i++) {
		aims[i] = of[i];
		aims[STRATUM_UNMET] = quantity_less(aims[STRATUM_UNMET], of[i]);
	}
}

/* Of what is alive, what met no collection is told by itself; `aim`: of all that is alive. Born
 * outside of the young generation it may be more than that, which knows no better than samples. */
static bool is_fresh_told(const struct leaf *leaf, struct amount aim, struct amount unmet)
{
	return leaf_strata(leaf) == LEAF_STRATA && is_fresh_known(leaf_sampled(leaf)) &&
	       aim.objects >= unmet.objects && aim.bytes >= unmet.bytes;
}

/* What met no collection to what was counted of that, the others to the rest. Gives whether they
 * are told apart. */
static bool scale_alive(const struct scaling *s, struct amount aim, struct tally *t)
{
	const struct tally *all = leaf_sampled(s->leaf);
	struct total fresh = unmet_of(t), all_fresh = unmet_of(all);
	struct total kept = kept_of(s->leaf, t), all_kept = kept_of(s->leaf, all);
	struct quantity aims[LEAF_STRATA];
	strata_aims(s->leaf, LEAF_STRATA, aims);
	struct amount unmet = amount_of(aims[STRATUM_UNMET]);
	if (!is_fresh_told(s->leaf, aim, unmet)) {
		scale(s, &t->alive, &all->alive, aim);
		return false;
	}
	scale(s, &fresh, &all_fresh, unmet);
	scale(s, &kept, &all_kept, less(aim, unmet));
	t->alive = fresh;
	t->outlived = kept;
	total_merge(&t->alive, &kept);
	return true;
}

static struct amount times(struct amount a, struct amount by)
{
	return (struct amount){a.objects * by.objects, a.bytes * by.bytes};
}

/* Strays are as large a part of births as of all samples; by so much less is the rest. */
static void share_strays(const struct scaling *s, struct tally *t)
{
	const struct leaf *leaf = s->leaf;
	const struct total *all_stray = &leaf_sampled(leaf)->stray;
	struct amount part = amount_sampled(all_stray),
		      all = amount_sampled(&leaf_sampled(leaf)->alloc);
	part = (struct amount){factor(part.objects, all.objects), factor(part.bytes, all.bytes)};
	total_scale(&t->alloc, 1 - part.objects, 1 - part.bytes);
	scale(s, &t->stray, all_stray, times(amount_of(leaf->counts.births), part));
	total_merge(&t->alloc, &t->stray);
}

static bool is_any(struct amount a)
{
	return a.objects > 0 || a.bytes > 0;
}

/*
 * What an account allocated is what became of it, each fate scaled by itself: so of every account
 * as of all, as much was allocated as died, lives or was let go. Where strays were counted they are
 * among these.
 */
static void sum_fates(const struct scaling *s, bool strays, struct tally *t)
{
	t->alloc = t->died;
	total_merge(&t->alloc, &t->alive);
	total_merge(&t->alloc, &t->untracked);
	if (!strays)
		share_strays(s, t);
}

/* What nobody follows was let go; its samples are strays. */
static void scale_unseen(const struct scaling *s, struct amount aim, struct tally *t)
{
	struct total unseen = t->stray;
	scale(s, &unseen, &leaf_sampled(s->leaf)->stray, aim);
	total_merge(&t->untracked, &unseen);
	t->stray = unseen;
}

/* Where it was not counted of all births what became of them, fates would say too little. */
static void scale_alloc(const struct scaling *s, bool strays, struct tally *t)
{
	const struct leaf *leaf = s->leaf;
	if (leaf->untold)
		scale(s, &t->alloc, &leaf_sampled(leaf)->alloc, amount_of(leaf->counts.births));
	else
		sum_fates(s, strays, t);
	if (leaf->parts == 1)
		total_certain(&t->alloc);
}

void leaf_scale(const struct leaf *leaf, bool lead, struct tally *t)
{
	const struct tally *all = leaf_sampled(leaf);
	const struct aims aims = aims_of(leaf);
	const struct scaling s = scaling_of(leaf, lead, t);
	struct total later = later_of(t), all_later = later_of(all);
	bool apart = scale_alive(&s, aims.alive, t);
	scale(&s, &t->infant, &all->infant, aims.infant);
	scale(&s, &later, &all_later, aims.later);
	t->died = t->infant;
	total_merge(&t->died, &later);
	scale(&s, &t->untracked, &all->untracked, aims.untracked);
	if (is_any(aims.unseen))
		scale_unseen(&s, aims.unseen, t);
	if (apart)
		total_merge(&t->outlived, &later);
	else
		scale(&s, &t->outlived, &all->outlived, aims.outlived);
	scale_alloc(&s, is_any(aims.unseen), t);
	if (is_any(aims.unseen))
		t->untracked.n -= t->stray.n; /* nobody followed them */
}
