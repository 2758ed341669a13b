#include "analyze/deal.h"

#include <math.h>
#include <string.h>

#include "base/error.h"

/* Of q, what lies between two shares of it. */
static uint64_t between(uint64_t q, double from, double to)
{
	return (uint64_t)llround((double)q * to) - (uint64_t)llround((double)q * from);
}

static void deal_quantity(
	struct quantity *to, struct quantity of, struct amount from, struct amount upto)
{
	quantity_add(to, (struct quantity){between(of.objects, from.objects, upto.objects),
				 between(of.bytes, from.bytes, upto.bytes)});
}

/* What is dealt out at one place. */
struct deal {
	struct leaf_counts counts;
	struct amount sampled; /* of all its leaves */
	struct amount dealt;   /* share, so far */
	uint32_t carrier;      /* 1 + the leaf that carries the lives of those with samples */
};

static void deal_to(struct leaf *leaf, struct deal *d)
{
	struct amount from = d->dealt;
	leaf->weight.objects = leaf->sampled.alloc.objects.sum / d->sampled.objects;
	leaf->weight.bytes = leaf->sampled.alloc.bytes.sum / d->sampled.bytes;
	d->dealt.objects = fmin(from.objects + leaf->weight.objects, 1);
	d->dealt.bytes = fmin(from.bytes + leaf->weight.bytes, 1);
	deal_quantity(&leaf->counts.births, d->counts.births, from, d->dealt);
	deal_quantity(&leaf->counts.died, d->counts.died, from, d->dealt);
	deal_quantity(&leaf->counts.young, d->counts.young, from, d->dealt);
	deal_quantity(&leaf->counts.infant, d->counts.infant, from, d->dealt);
	deal_quantity(&leaf->counts.outlived, d->counts.outlived, from, d->dealt);
}

/* The lives of all that has samples there go together: of its parts alone they are not known. */
static int carry(struct leaves *leaves, struct leaf *leaf, struct deal *d)
{
	if (!d->carrier && leaf->lead)
		d->carrier = (uint32_t)(leaf - leaves->list.at) + 1;
	struct leaf *carrier = d->carrier ? &leaves->list.at[d->carrier - 1] : NULL;
	if (!carrier || carrier == leaf || (!leaf->lead && !leaf->dealt))
		return ERR_NONE;
	int err = counted_merge(&carrier->counted, &leaf->counted);
	counted_release(&leaf->counted);
	leaf->counted = (struct counted){0};
	return err;
}

static void begin_deal(struct leaves *leaves, struct leaf *leaf, struct deal *deals)
{
	struct deal *d = &deals[leaf->group - 1];
	struct leaf *own = &leaves->list.at[leaf->group - 1];
	d->sampled.objects += leaf->sampled.alloc.objects.sum;
	d->sampled.bytes += leaf->sampled.alloc.bytes.sum;
	if (leaf == own) {
		d->counts = own->counts;
		own->shared = own->counts.births;
	}
}

static bool is_dealt(const struct deal *d)
{
	return d->sampled.objects > 0 && d->sampled.bytes > 0;
}

static int deal_all(struct leaves *leaves, struct deal *deals)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < leaves->list.count; i++) {
		struct leaf *leaf = &leaves->list.at[i];
		if (leaf->group == i + 1 && is_dealt(&deals[i])) {
			memset(&leaf->counts, 0, sizeof(leaf->counts));
			leaf->dealt = true;
		}
	}
	for (int pass = 0; pass < 2; pass++) /* carriers first */
		for (size_t i = 0; i < leaves->list.count && !err; i++) {
			struct leaf *leaf = &leaves->list.at[i];
			struct deal *d = leaf->group ? &deals[leaf->group - 1] : NULL;
			if (!d || !is_dealt(d))
				continue;
			if (pass == 0)
				deal_to(leaf, d);
			if (pass == 1 || (leaf->lead && !d->carrier))
				err = carry(leaves, leaf, d);
		}
	return err;
}

int leaves_deal(struct leaves *leaves)
{
	struct deal *deals = mem_zalloc(leaves->list.count + 1, sizeof(*deals));
	if (!deals)
		return ERR_NOMEM;
	for (size_t i = 0; i < leaves->list.count; i++)
		if (leaves->list.at[i].group)
			begin_deal(leaves, &leaves->list.at[i], deals);
	int err = deal_all(leaves, deals);
	mem_free(deals);
	return err;
}
