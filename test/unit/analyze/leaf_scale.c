#include "analyze/leaf_scale.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "support/tap.h"

enum { ACCOUNTS = 4, SAMPLES = 60, ROUNDS = 500 };

static struct leaf leaf;
static struct tally sampled; /* of the leaf */
static struct tally accounts[ACCOUNTS];

/* How many lives a followed one stands for; 1: those that are not followed are strays; 0: all are.
 */
static uint32_t thinned;

/* What became of a sampled object, as the ledger sums it up. */
static void take_sample(struct tally *t, struct rng *r, int fates)
{
	uint64_t size = 16 + 8 * rng_below(r, 20);
	double weight = 2 + (double)rng_below(r, 9);
	total_add(&t->alloc, size, weight);
	if (thinned == 1 && rng_below(r, 8) == 0) {
		total_add(&t->stray, size, weight);
		return;
	}
	if (thinned > 1 && rng_below(r, thinned))
		return;
	weight *= thinned > 1 ? thinned : 1;
	switch (rng_below(r, (uint64_t)fates)) {
	case 0:
		total_add(&t->died, size, weight);
		total_add(&t->infant, size, weight);
		break;
	case 1:
		total_add(&t->died, size, weight);
		total_add(&t->outlived, size, weight);
		if (rng_below(r, 2))
			total_add(&t->late, size, weight);
		else if (rng_below(r, 2)) {
			total_add(&t->late, size, weight);
			total_add(&t->late_open, size, weight);
		}
		break;
	case 2:
		total_add(&t->alive, size, weight);
		break;
	default:
		total_add(&t->untracked, size, weight);
	}
}

static void merge(struct tally *sum, const struct tally *t)
{
	total_merge(&sum->alloc, &t->alloc);
	total_merge(&sum->stray, &t->stray);
	total_merge(&sum->late, &t->late);
	total_merge(&sum->late_young, &t->late_young);
	total_merge(&sum->late_open, &t->late_open);
	total_merge(&sum->died, &t->died);
	total_merge(&sum->alive, &t->alive);
	total_merge(&sum->untracked, &t->untracked);
	total_merge(&sum->infant, &t->infant);
	total_merge(&sum->outlived, &t->outlived);
}

static struct quantity of(uint64_t objects)
{
	return (struct quantity){objects, objects * 40};
}

static void clear(void)
{
	memset(&sampled, 0, sizeof(sampled));
	memset(accounts, 0, sizeof(accounts));
	leaf = (struct leaf){.sampled = &sampled};
}

/* fates: how many of the four the samples show; counts show them all. */
static void make(struct rng *r, int count, int fates)
{
	uint64_t infant = rng_below(r, 1000), later = rng_below(r, 1000);
	uint64_t young = rng_below(r, 1000), rest = rng_below(r, 1000);
	/* What was born outside of the young generation may be new, and in the rest. */
	uint64_t unmet = rng_below(r, young + (rng_below(r, 4) ? 0 : rest) + 1);
	clear();
	for (int i = 0; i < SAMPLES; i++)
		take_sample(&accounts[i % count], r, fates);
	for (int i = 0; i < count; i++)
		merge(&sampled, &accounts[i]);
	leaf.parts = (uint32_t)count;
	leaf.counts = (struct leaf_counts){.births = of(infant + later + young + rest),
		.died = of(infant + later),
		.young = of(young),
		.infant = of(infant),
		.outlived = of(later + young + rest - unmet)};
}

static struct tally scale_all(int count)
{
	struct tally sum = {0};
	for (int i = 0; i < count; i++) {
		leaf_scale(&leaf, i == 0, &accounts[i]);
		merge(&sum, &accounts[i]);
	}
	return sum;
}

static void expect(const struct quantity *want, double objects, double bytes)
{
	EXPECT(fabs(objects - (double)want->objects) < 1e-6);
	EXPECT(fabs(bytes - (double)want->bytes) < 1e-4);
}

static void expect_counted(const struct tally *sum)
{
	const struct leaf_counts *c = &leaf.counts;
	expect(&c->births, sum->alloc.objects.sum, sum->alloc.bytes.sum);
	expect(&c->infant, sum->infant.objects.sum, sum->infant.bytes.sum);
	expect(&c->outlived, sum->outlived.objects.sum, sum->outlived.bytes.sum);
	/* Whoever it is given to: what was born died, lives or is out of sight. */
	expect(&c->births,
		sum->died.objects.sum + sum->alive.objects.sum + sum->untracked.objects.sum,
		sum->died.bytes.sum + sum->alive.bytes.sum + sum->untracked.bytes.sum);
}

/* Whatever was sampled, the accounts of a leaf sum up to what was counted. */
TEST(sums_are_what_was_counted)
{
	struct rng r = rng_init(tap_seed());
	for (int round = 0; round < ROUNDS; round++) {
		int count = 1 + (int)rng_below(&r, ACCOUNTS);
		thinned = (uint32_t)round % 5;
		make(&r, count, 1 + (int)rng_below(&r, 4));
		struct tally sum = scale_all(count);
		expect_counted(&sum);
	}
	thinned = 0;
}

/* What is known to have died or to live is no less than was counted; the rest is shared out. */
TEST(what_is_counted_is_the_least)
{
	struct rng r = rng_init(tap_seed());
	for (int round = 0; round < ROUNDS; round++) {
		make(&r, ACCOUNTS, 4);
		struct tally sum = scale_all(ACCOUNTS);
		EXPECT(sum.died.objects.sum >= (double)leaf.counts.died.objects - 1e-6);
		EXPECT(sum.alive.objects.sum >= (double)leaf.counts.young.objects - 1e-6);
		EXPECT(sum.died.objects.sum >= sum.infant.objects.sum - 1e-6);
	}
}

/* No collection of the old generation came: what was promoted lives. */
TEST(what_was_promoted_dies_in_old_collections_alone)
{
	struct rng r = rng_init(tap_seed());
	for (int round = 0; round < ROUNDS; round++) {
		make(&r, ACCOUNTS, 3);
		sampled.late = sampled.late_open = (struct total){0};
		struct tally sum = scale_all(ACCOUNTS);
		if (sampled.alive.n)
			EXPECT_NEAR((double)leaf.counts.died.objects, sum.died.objects.sum, 1e-6);
	}
}

/* A hundred samples in the first account, the only one of its leaf, each of a thousand objects of
 * 40 bytes: of `every` one lives. Of the dead one in `late_of` is late, and in `kind` too, which is
 * of that account. */
static struct tally *hundred(int every, bool infants, int late_of, struct total *kind)
{
	struct tally *t = &accounts[0];
	clear();
	for (int i = 0; i < 100; i++) {
		bool lives = i % every == 0;
		total_add(&t->alloc, 40, 1000);
		total_add(lives ? &t->alive : &t->died, 40, 1000);
		total_add(!lives && infants ? &t->infant : &t->outlived, 40, 1000);
		if (lives || i % late_of != late_of - 1)
			continue;
		total_add(&t->late, 40, 1000);
		total_add(kind, 40, 1000);
	}
	merge(&sampled, t);
	leaf.parts = 1;
	return t;
}

/* A full collection that tells counts the young that it finds dead: what was promoted is shared out
 * without them. One that doesn't leaves them among the lost. */
TEST(the_young_that_full_collections_find_are_counted)
{
	struct tally *t = hundred(10, true, 2, &accounts[0].late_young);
	leaf.counts = (struct leaf_counts){.births = of(100000),
		.died = of(90000),
		.infant = of(90000),
		.outlived = of(10000)};
	struct tally was = *t;
	leaf_scale(&leaf, true, t);
	EXPECT_NEAR(10000.0, t->alive.objects.sum, 1e-6);
	EXPECT_NEAR(90000.0, t->died.objects.sum, 1e-6);
	leaf.counts.died = leaf.counts.infant = of(40000);
	leaf.counts.unlooked = of(50000);
	*t = was;
	leaf_scale(&leaf, true, t);
	EXPECT_NEAR(10000.0, t->alive.objects.sum, 1e-6);
	EXPECT_NEAR(90000.0, t->died.objects.sum, 1e-6);
}

/* By the thresholds they were young; as many of them were as the first collection did not promote.
 */
TEST(who_survived_may_be_promoted_sooner)
{
	struct tally *t = hundred(2, false, 1, &accounts[0].late_open);
	leaf.counts = (struct leaf_counts){.births = of(100000),
		.died = of(10000),
		.outlived = of(100000),
		.stayed = of(20000)};
	leaf_scale(&leaf, true, t);
	/* 40 000 of 50 000 had been promoted, beside 50 000 that live. */
	EXPECT_NEAR(10000 + 90000 * 40.0 / 90, t->died.objects.sum, 1e-6);
	EXPECT_NEAR(90000 * 50.0 / 90, t->alive.objects.sum, 1e-6);
}

/* Of each account, too, what it allocated is what became of it: also where lives were thinned. */
TEST(each_account_is_in_balance)
{
	struct rng r = rng_init(tap_seed());
	for (int round = 0; round < ROUNDS; round++) {
		thinned = round % 2 ? 4 : 0;
		make(&r, ACCOUNTS, 1 + (int)rng_below(&r, 4));
		scale_all(ACCOUNTS);
		for (int i = 0; i < ACCOUNTS; i++) {
			const struct tally *t = &accounts[i];
			double ends =
				t->died.bytes.sum + t->alive.bytes.sum + t->untracked.bytes.sum;
			EXPECT_NEAR(t->alloc.bytes.sum, ends, 1e-6 * ends + 1e-9);
			EXPECT(t->alloc.bytes.sum >= 0);
		}
	}
	thinned = 0;
}

/* The only account of a leaf is what was counted, without error; of several each has one. */
TEST(error)
{
	struct rng r = rng_init(tap_seed());
	make(&r, 1, 4);
	leaf_scale(&leaf, true, &accounts[0]);
	EXPECT(accounts[0].alloc.objects.variance <= 0);
	make(&r, 2, 4);
	EXPECT_INT(LEAF_STRATA, leaf_strata(&leaf));
	double before = accounts[1].infant.objects.variance;
	double factor = (double)leaf.counts.infant.objects / sampled.infant.objects.sum;
	leaf_scale(&leaf, false, &accounts[1]);
	const struct tally *t = &accounts[1];
	EXPECT_NEAR(before * factor * factor, t->infant.objects.variance, 1e-6);
	EXPECT(t->alloc.objects.variance > t->infant.objects.variance);
	EXPECT_NEAR(t->died.objects.variance + t->alive.objects.variance +
			    t->untracked.objects.variance,
		t->alloc.objects.variance, 1e-6);
}

/* In as many strata as each birth and each sample is known to belong to. */
TEST(strata)
{
	struct rng r = rng_init(tap_seed());
	make(&r, 2, 4);
	EXPECT_INT(3, leaf_strata(&leaf));
	sampled.outlived.n = 0;
	EXPECT_INT(2, leaf_strata(&leaf));
	sampled.infant.n = 0;
	EXPECT_INT(1, leaf_strata(&leaf));
	/* Nothing to tell of is told of by no sample. */
	leaf.counts.births = quantity_less(leaf.counts.births, leaf.counts.infant);
	leaf.counts.infant = (struct quantity){0};
	EXPECT_INT(2, leaf_strata(&leaf));
	make(&r, 2, 4);
	leaf.untold = true;
	EXPECT_INT(1, leaf_strata(&leaf));
	make(&r, 2, 4);
	sampled.alloc.n++; /* one was not followed */
	EXPECT_INT(1, leaf_strata(&leaf));
}

static void put(struct tally *t, int count, bool met, bool died)
{
	for (int i = 0; i < count; i++) {
		total_add(&t->alloc, 40, 100);
		total_add(died ? &t->died : &t->alive, 40, 100);
		if (met)
			total_add(died ? &t->infant : &t->outlived, 40, 100);
	}
}

/* One caller's objects all live on, some of the other's have met no collection: each caller's
 * balance is right, however far samples are off. */
TEST(what_is_new_and_what_lives_on)
{
	clear();
	put(&accounts[0], 7, true, false);
	put(&accounts[1], 50, true, true);
	put(&accounts[1], 13, false, false);
	merge(&sampled, &accounts[0]);
	merge(&sampled, &accounts[1]);
	leaf.parts = 2;
	leaf.counts = (struct leaf_counts){.births = of(8000),
		.died = of(5000),
		.young = of(2500), /* some that live on are promoted */
		.infant = of(5000),
		.outlived = of(1000)};
	scale_all(2);
	expect(&leaf.counts.outlived, accounts[0].alive.objects.sum, accounts[0].alive.bytes.sum);
	struct quantity fresh = of(2000), other = of(7000);
	expect(&fresh, accounts[1].alive.objects.sum, accounts[1].alive.bytes.sum);
	expect(&other, accounts[1].alloc.objects.sum, accounts[1].alloc.bytes.sum);
}
