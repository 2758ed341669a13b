#include "analyze/leaf_share.h"

#include <math.h>

#include "analyze/leaf_scale.h"
#include "analyze/ledger.h"

#define ROUNDING  1e-12 /* a share this near to 1 is the whole */
#define NORMAL_95 1.96

/* What one sample of a leaf stands for, once it is scaled. */
static double unit_of(const struct total_sum *leaf, double scale)
{
	return scale * leaf->variance / leaf->sum;
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
	total_split(out, fmax(v, 0));
	out->largest = fmax(out->largest, part->largest * rest * rest);
	return f;
}

/*
 * The same of a stratum, of which few samples or none may be another's, or the part's. That is by
 * chance: what the part lacks is known as if two samples more of each had been seen (Agresti and
 * Coull 1998), z^2 of them in all. What it may have above, the interval of a total says by itself,
 * given how heavy a sample is.
 */
static double share_of_stratum(const struct total_sum *part, const struct total_sum *leaf,
	double whole, struct total_sum *out)
{
	double f = share_of(part, leaf, whole, out);
	if (!(leaf->sum > 0) || !(whole > 0))
		return 0;
	double unit = unit_of(leaf, whole / leaf->sum);
	total_split(out, f * NORMAL_95 * NORMAL_95 * unit * unit);
	out->largest = fmax(out->largest, unit * unit);
	return f;
}

static void keep_error(const struct total_sum *part, struct total_sum *out)
{
	out->variance += part->variance;
	out->largest = fmax(out->largest, part->largest);
}

/* Gives what the part has of `aim`, by its share. */
static struct amount share_amount(const struct total *part, const struct total *leaf,
	struct quantity aim, int count, struct total *out)
{
	double (*share)(const struct total_sum *, const struct total_sum *, double,
		struct total_sum *) = count > 1 ? share_of_stratum : share_of;
	double objects = (double)aim.objects, bytes = (double)aim.bytes;
	return (struct amount){
		.objects = objects * share(&part->objects, &leaf->objects, objects, &out->objects),
		.bytes = bytes * share(&part->bytes, &leaf->bytes, bytes, &out->bytes)};
}

struct strata {
	struct total of[LEAF_STRATA];
};

/* A part of the leaf in that many strata, scaled or not. */
static struct strata strata_of(const struct part *p, int count)
{
	struct strata s = {{[STRATUM_UNMET] = p->alloc}};
	const struct total *of[] = {&p->infant, &p->outlived};
	for (int i = 0; i < count - 1; i++) {
		s.of[i] = *of[i];
		total_take(&s.of[STRATUM_UNMET], of[i]);
	}
	return s;
}

/* The shares in each stratum are errors apart. */
static struct amount share_strata(
	const struct leaf *leaf, const struct part *part, struct total *out)
{
	const struct tally *t = leaf_sampled(leaf);
	int count = leaf_strata(leaf);
	struct strata of = strata_of(part, count);
	struct strata all = strata_of(&(struct part){t->alloc, t->infant, t->outlived}, count);
	struct quantity aims[LEAF_STRATA];
	struct amount sum = {0};
	strata_aims(leaf, count, aims);
	for (int i = 0; i < LEAF_STRATA; i++) {
		struct amount a = share_amount(&of.of[i], &all.of[i], aims[i], count, out);
		sum.objects += a.objects;
		sum.bytes += a.bytes;
	}
	return sum;
}

/* Nothing is unknown of it, whatever rounding says of its strata. */
static bool is_whole(const struct total *part, struct quantity births)
{
	return part->objects.sum >= (double)births.objects * (1 - ROUNDING) &&
	       part->bytes.sum >= (double)births.bytes * (1 - ROUNDING);
}

static double ratio(double of, uint64_t whole)
{
	return whole ? of / (double)whole : 0;
}

struct amount leaves_share(
	const struct ledger *l, size_t account, const struct part *part, struct total *out)
{
	uint32_t of = l->leaves.of.at[account];
	const struct leaf *leaf = of ? &l->leaves.list.at[of - 1] : NULL;
	if (leaf && !leaf->parts)
		return leaf->weight; /* it has the one account, which was counted */
	if (!leaf) {
		keep_error(&part->alloc.objects, &out->objects);
		keep_error(&part->alloc.bytes, &out->bytes);
		return (struct amount){0};
	}
	struct quantity births = leaf->counts.births;
	if (is_whole(&part->alloc, births))
		return leaf->weight;
	struct amount has = share_strata(leaf, part, out);
	return (struct amount){leaf->weight.objects * ratio(has.objects, births.objects),
		leaf->weight.bytes * ratio(has.bytes, births.bytes)};
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
		total_split(out, q * q * (1 - rest) * rest / 4);
}

/* Of births that were walked, each picked by itself, the share g was the part's: so is that of the
 * q that were not, but for chance on both sides. error: of a share, for g (1 - g) = 1, squared. */
static void doubt_walked(struct total_sum *out, uint64_t shared, double g, double error)
{
	double rest = fmin(fmax(1 - g, 0), 1), q = (double)shared;
	if (rest > ROUNDING)
		total_split(out, q * q * (1 - rest) * rest * error);
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

void part_add(struct part *p, const struct tally *t)
{
	total_merge(&p->alloc, &t->alloc);
	total_merge(&p->infant, &t->infant);
	total_merge(&p->outlived, &t->outlived);
}

struct total leaves_alloc(const struct ledger *l, const uint32_t *accounts, size_t count)
{
	struct part part = {.alloc = {0}};
	for (size_t i = 0; i < count; i++)
		part_add(&part, &l->accounts.at[accounts[i]].tally);
	struct total out = part.alloc;
	if (!l->leaves.of.count)
		return out;
	total_certain(&out);
	struct amount share = leaves_share(l, accounts[0], &part, &out);
	uint32_t group = leaves_group(l, accounts[0]);
	if (group)
		leaves_share_group(l, group, share, &out);
	return out;
}
