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

/* What became of births; their sum, but where more was found than born. */
enum { FATE_INFANT, FATE_LATER, FATE_YOUNG, FATE_REST, FATES };

struct fates {
	struct quantity of[FATES];
};

static struct fates fates_of(const struct leaf_counts *c)
{
	return (struct fates){{c->infant, quantity_less(c->died, c->infant), c->young,
		leaf_rest(c->births, c->died, c->young)}};
}

static bool is_sum(const struct fates *f, struct quantity births)
{
	struct quantity sum = {0};
	for (int i = 0; i < FATES; i++)
		quantity_add(&sum, f->of[i]);
	return sum.objects == births.objects && sum.bytes == births.bytes;
}

/* What is dealt out at one place. */
struct deal {
	struct leaf_counts counts;
	struct amount sampled; /* of all its leaves */
	struct amount dealt;   /* share, so far */
	bool untold;
	uint32_t carrier; /* 1 + the leaf that carries the lives of those with samples */
	/* Where births were walked: */
	struct leaf_counts walked, told; /* of all its paths; of those that have been dealt to */
	struct fates walked_fates, told_fates;
	bool torn;      /* births of some are not the sum of what became of them */
	double squares; /* sum over its objects of their bytes, squared */
};

/* Of q, what goes to one that has `own` of what was walked; as its share is where none was. */
static struct quantity part_of(struct quantity q, struct quantity *told, struct quantity own,
	struct quantity all, struct amount from, struct amount upto)
{
	struct quantity out = {0};
	struct quantity before = *told;
	quantity_add(told, own);
	if (all.objects) {
		double n = (double)all.objects;
		from.objects = (double)before.objects / n;
		upto.objects = (double)told->objects / n;
	}
	if (all.bytes) {
		double n = (double)all.bytes;
		from.bytes = (double)before.bytes / n;
		upto.bytes = (double)told->bytes / n;
	}
	deal_quantity(&out, q, from, upto);
	return out;
}

/* Each fate is dealt by itself, and births are their sum: so no more of a path's died than were
 * born. */
static void deal_fates(struct leaf *leaf, struct deal *d, struct amount from)
{
	struct leaf_counts *c = &leaf->counts;
	struct fates own = fates_of(c), all = fates_of(&d->counts);
	for (int i = 0; i < FATES; i++)
		quantity_add(&own.of[i], part_of(all.of[i], &d->told_fates.of[i], own.of[i],
						 d->walked_fates.of[i], from, d->dealt));
	c->infant = c->died = own.of[FATE_INFANT];
	quantity_add(&c->died, own.of[FATE_LATER]);
	c->young = own.of[FATE_YOUNG];
	c->births = c->died;
	quantity_add(&c->births, c->young);
	quantity_add(&c->births, own.of[FATE_REST]);
}

/* Each number as the same of the paths, where there are any. */
static void deal_counts(struct leaf *leaf, struct deal *d, struct amount from)
{
	struct leaf_counts own = leaf->counts;
#define DEAL(number)                                                                               \
	quantity_add(&leaf->counts.number, part_of(d->counts.number, &d->told.number, own.number,  \
						   d->walked.number, from, d->dealt))
	DEAL(outlived);
	DEAL(unlooked);
	DEAL(unseen);
	DEAL(stayed);
	if (!d->torn) {
		deal_fates(leaf, d, from);
		return;
	}
	DEAL(births);
	DEAL(died);
	DEAL(young);
	DEAL(infant);
#undef DEAL
}

static void deal_share(struct leaf *leaf, struct deal *d, struct amount of, struct amount all)
{
	struct amount from = d->dealt;
	leaf->weight = (struct amount){of.objects / all.objects, of.bytes / all.bytes};
	d->dealt.objects = fmin(from.objects + leaf->weight.objects, 1);
	d->dealt.bytes = fmin(from.bytes + leaf->weight.bytes, 1);
	deal_counts(leaf, d, from);
}

/* As the samples are. */
static void deal_to(struct leaf *leaf, struct deal *d)
{
	const struct total *own = &leaf_sampled(leaf)->alloc;
	leaf->untold |= d->untold;
	deal_share(leaf, d, (struct amount){own->objects.sum, own->bytes.sum}, d->sampled);
}

/* As what was walked says. */
static void deal_to_path(struct leaf *leaf, struct deal *d)
{
	leaf->told = leaf->counts.births;
	leaf->untold = true; /* what outlived a collection is dealt by itself */
	deal_share(leaf, d, amount_of(leaf->told), amount_of(d->walked.births));
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

static void add_path(struct deal *d, const struct leaf_counts *c)
{
	double objects = (double)c->births.objects, bytes = (double)c->births.bytes;
	quantity_add(&d->walked.births, c->births);
	quantity_add(&d->walked.died, c->died);
	quantity_add(&d->walked.young, c->young);
	quantity_add(&d->walked.infant, c->infant);
	quantity_add(&d->walked.outlived, c->outlived);
	quantity_add(&d->walked.unlooked, c->unlooked);
	quantity_add(&d->walked.unseen, c->unseen);
	quantity_add(&d->walked.stayed, c->stayed);
	d->squares += objects > 0 ? bytes * bytes / objects : 0;
	struct fates fates = fates_of(c);
	for (int i = 0; i < FATES; i++)
		quantity_add(&d->walked_fates.of[i], fates.of[i]);
}

/* As how many objects of one size those that were walked count, for the error of a share of bytes:
 * where paths differ in size, so may the objects of one, as much as chance would have it. */
static struct amount walks_of(const struct deal *d)
{
	enum { WITHIN = 2 };
	double n = (double)d->walked.births.objects, bytes = (double)d->walked.births.bytes;
	double even = d->squares > 0 ? bytes * bytes / d->squares : 1;
	return (struct amount){n, even < n * (1 - 1e-9) ? even / WITHIN : n};
}

static void begin_deal(struct leaves *leaves, struct leaf *leaf, struct deal *deals)
{
	struct deal *d = &deals[leaf->group - 1];
	struct leaf *own = &leaves->list.at[leaf->group - 1];
	d->sampled.objects += leaf_sampled(leaf)->alloc.objects.sum;
	d->sampled.bytes += leaf_sampled(leaf)->alloc.bytes.sum;
	if (leaf == own) {
		d->counts = own->counts;
		own->shared = own->counts.births;
		d->untold = own->untold;
	} else if (leaf->walked) {
		add_path(d, &leaf->counts);
	}
	struct fates fates = fates_of(&leaf->counts);
	d->torn |= !is_sum(&fates, leaf->counts.births);
}

static bool is_dealt(const struct leaf *own, const struct deal *d)
{
	if (own->walked)
		return d->walked.births.objects > 0 && d->walked.births.bytes > 0;
	return d->sampled.objects > 0 && d->sampled.bytes > 0;
}

/* What is dealt out is no more where it was. */
static void take_rest(struct leaves *leaves, const struct deal *deals)
{
	for (size_t i = 0; i < leaves->list.count; i++) {
		struct leaf *leaf = &leaves->list.at[i];
		if (leaf->group != i + 1 || !is_dealt(leaf, &deals[i]))
			continue;
		memset(&leaf->counts, 0, sizeof(leaf->counts));
		leaf->dealt = true;
		if (leaf->walked)
			leaf->walks = walks_of(&deals[i]);
	}
}

static void deal_one(struct leaves *leaves, size_t i, struct deal *d)
{
	struct leaf *leaf = &leaves->list.at[i];
	if (!leaf->walked)
		deal_to(leaf, d);
	else if (leaf->group != i + 1)
		deal_to_path(leaf, d);
}

static int deal_all(struct leaves *leaves, struct deal *deals)
{
	int err = ERR_NONE;
	take_rest(leaves, deals);
	for (int pass = 0; pass < 2; pass++) /* carriers first */
		for (size_t i = 0; i < leaves->list.count && !err; i++) {
			struct leaf *leaf = &leaves->list.at[i];
			struct deal *d = leaf->group ? &deals[leaf->group - 1] : NULL;
			if (!d || !leaves->list.at[leaf->group - 1].dealt)
				continue;
			if (pass == 0)
				deal_one(leaves, i, d);
			/* Walked paths keep the lives that were told of them. */
			if (!leaf->walked && (pass == 1 || (leaf->lead && !d->carrier)))
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
