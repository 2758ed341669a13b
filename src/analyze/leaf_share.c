#include "analyze/leaf_share.h"

#include <math.h>

#include "analyze/ledger.h"

#define ROUNDING 1e-12 /* a share this near to 1 is the whole */

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
