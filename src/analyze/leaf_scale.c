#include "analyze/leaf_scale.h"

#include <math.h>

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
	struct amount later, alive, untracked, infant, outlived;
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

/* All that met no collection is alive: nothing was let go, and each sample's fate is known. */
static bool is_fresh_known(const struct tally *t)
{
	return !t->untracked.n && t->died.n + t->alive.n == t->alloc.n &&
	       unmet_of(t).n <= t->alive.n;
}

/* What is alive, but for the fresh. */
static struct total kept_of(const struct leaf *leaf, const struct tally *t)
{
	struct total kept = t->alive, fresh = unmet_of(t);
	if (is_fresh_known(&leaf->sampled))
		total_take(&kept, &fresh);
	return kept;
}

/* What was promoted or lost from sight is shared out as the samples that outlived a collection. */
static struct aims aims_of(const struct leaf *leaf)
{
	const struct tally *t = &leaf->sampled;
	struct amount rest =
		amount_of(leaf_rest(leaf->counts.births, leaf->counts.died, leaf->counts.young));
	struct total later = later_of(t), kept = kept_of(leaf, t);
	struct amount died = amount_sampled(&later), alive = amount_sampled(&kept);
	struct amount gone = amount_sampled(&t->untracked);
	return (struct aims){
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

/* Samples tell of a stratum, or there is nothing to tell. */
static bool is_told(uint64_t samples, struct quantity aim)
{
	return samples || (!aim.objects && !aim.bytes);
}

int leaf_strata(const struct leaf *leaf)
{
	const struct tally *t = &leaf->sampled;
	struct quantity aims[LEAF_STRATA];
	uint64_t others = t->alloc.n - t->infant.n;
	if (leaf->parts < 2 || leaf->untold ||
		t->died.n + t->alive.n + t->untracked.n != t->alloc.n)
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

struct strata strata_of(const struct part *p, int count)
{
	struct strata s = {{[STRATUM_UNMET] = p->alloc}};
	const struct total *of[] = {&p->infant, &p->outlived};
	for (int i = 0; i < count - 1; i++) {
		s.of[i] = *of[i];
		total_take(&s.of[STRATUM_UNMET], of[i]);
	}
	return s;
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

/* Each stratum to what was counted of it. */
static void scale_alloc(const struct leaf *leaf, bool lead, struct tally *t)
{
	int count = leaf_strata(leaf);
	const struct tally *all = &leaf->sampled;
	struct strata part = strata_of(&(struct part){t->alloc, t->infant, t->outlived}, count);
	struct strata whole =
		strata_of(&(struct part){all->alloc, all->infant, all->outlived}, count);
	struct quantity aims[LEAF_STRATA];
	strata_aims(leaf, count, aims);
	t->alloc = (struct total){0};
	for (int i = 0; i < LEAF_STRATA; i++) {
		scale(&part.of[i], &whole.of[i], amount_of(aims[i]), lead);
		total_merge(&t->alloc, &part.of[i]);
	}
	if (leaf->parts == 1)
		total_certain(&t->alloc);
}

/* Of what is alive, what met no collection is told by itself; `aim`: of all that is alive. Born
 * outside of the young generation it may be more than that, which knows no better than samples. */
static bool is_fresh_told(const struct leaf *leaf, struct amount aim, struct amount unmet)
{
	return leaf_strata(leaf) == LEAF_STRATA && is_fresh_known(&leaf->sampled) &&
	       aim.objects >= unmet.objects && aim.bytes >= unmet.bytes;
}

/* What met no collection to what was counted of that, the others to the rest. */
static void scale_alive(const struct leaf *leaf, bool lead, struct amount aim, struct tally *t)
{
	const struct tally *all = &leaf->sampled;
	struct total fresh = unmet_of(t), all_fresh = unmet_of(all);
	struct total kept = kept_of(leaf, t), all_kept = kept_of(leaf, all);
	struct quantity aims[LEAF_STRATA];
	strata_aims(leaf, LEAF_STRATA, aims);
	struct amount unmet = amount_of(aims[STRATUM_UNMET]);
	if (!is_fresh_told(leaf, aim, unmet)) {
		scale(&t->alive, &all->alive, aim, lead);
		return;
	}
	scale(&fresh, &all_fresh, unmet, lead);
	scale(&kept, &all_kept, less(aim, unmet), lead);
	t->alive = fresh;
	total_merge(&t->alive, &kept);
}

void leaf_scale(const struct leaf *leaf, bool lead, struct tally *t)
{
	const struct aims aims = aims_of(leaf);
	scale_alive(leaf, lead, aims.alive, t);
	scale_alloc(leaf, lead, t);
	struct total later = later_of(t), all_later = later_of(&leaf->sampled);
	scale(&t->infant, &leaf->sampled.infant, aims.infant, lead);
	scale(&later, &all_later, aims.later, lead);
	t->died = t->infant;
	total_merge(&t->died, &later);
	scale(&t->untracked, &leaf->sampled.untracked, aims.untracked, lead);
	scale(&t->outlived, &leaf->sampled.outlived, aims.outlived, lead);
}
