#include "analyze/leaf_share.h"

#include <math.h>
#include <string.h>

#include "analyze/leaf_scale.h"
#include "analyze/ledger.h"
#include "base/rng.h"
#include "stat/share.h"
#include "support/tap.h"

enum { SIZE = 32, RUNS = 4000 };

static struct ledger ledger;

static struct tally sampled; /* of the leaf */

/* Two callers of a line, which made so many objects; one object in `every` is sampled. */
struct callers {
	uint64_t made[2];
	double every;
};

/* A ledger whose two accounts are of one leaf, as it was sampled. */
static void sample(const struct callers *c, struct rng *r)
{
	struct leaf leaf = {.parts = 2,
		.sampled = &sampled,
		.counts.births = {c->made[0] + c->made[1], SIZE * (c->made[0] + c->made[1])}};
	sampled = (struct tally){.alloc = {0}};
	ledger.accounts.at[0].tally.alloc = ledger.accounts.at[1].tally.alloc = (struct total){0};
	for (int i = 0; i < 2; i++) {
		struct total *t = &ledger.accounts.at[i].tally.alloc;
		for (uint64_t k = 0; k < c->made[i]; k++)
			if (rng_unit(r) * c->every < 1)
				total_add(t, SIZE, c->every);
		total_merge(&sampled.alloc, t);
	}
	ledger.leaves.list.at[0] = leaf;
}

static void begin(void)
{
	memset(&ledger, 0, sizeof(ledger));
	for (int i = 0; i < 2; i++) {
		EXPECT_INT(0, vec_push(&ledger.accounts, (struct account){0}));
		EXPECT_INT(0, vec_push(&ledger.leaves.of, 1));
	}
	EXPECT_INT(0, vec_push(&ledger.leaves.list, (struct leaf){0}));
}

static void end(void)
{
	ledger.leaves.list.at[0].sampled = NULL; /* it is not the leaf's */
	ledger_release(&ledger);
}

/* The first caller's part, scaled to the leaf, and its error. */
static struct total part_of(void)
{
	const struct leaf *leaf = &ledger.leaves.list.at[0];
	struct part part = {.alloc = ledger.accounts.at[0].tally.alloc};
	struct total out = {0};
	double all = leaf->sampled->alloc.objects.sum;
	double by = all > 0 ? (double)leaf->counts.births.objects / all : 0;
	total_scale(&part.alloc, by, by);
	leaves_share(&ledger, 0, &part, &out);
	part.alloc.objects.variance = out.objects.variance;
	part.alloc.bytes.variance = out.bytes.variance;
	part.alloc.bytes.split = out.bytes.split;
	return part.alloc;
}

/* The error that is told is as large as the estimate differs from run to run. */
TEST(the_error_is_what_runs_differ_by)
{
	static const struct callers cases[] = {
		{{3000, 7000}, 50}, {{5000, 5000}, 100}, {{9500, 500}, 40}};
	struct rng r = rng_init(tap_seed());
	begin();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double truth = (double)cases[i].made[0], squares = 0, told = 0;
		for (int run = 0; run < RUNS; run++) {
			sample(&cases[i], &r);
			struct total part = part_of();
			squares += (part.objects.sum - truth) * (part.objects.sum - truth) / RUNS;
			told += part.objects.variance / RUNS;
			EXPECT(fabs(part.bytes.variance - part.objects.variance * SIZE * SIZE) <=
				1e-6 * part.bytes.variance);
		}
		EXPECT(told > 0.85 * squares && told < 1.15 * squares);
	}
	end();
}

/* What was counted has no error, but who made what of it has: so has the share of a caller in it.
 */
TEST(the_share_in_what_was_counted_holds_the_truth)
{
	static const struct callers cases[] = {{{300, 700}, 10}, {{500, 500}, 10}, {{900, 100}, 5}};
	struct rng r = rng_init(tap_seed());
	begin();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct total whole = {0};
		double made = (double)cases[i].made[0], truth = made / 1000;
		int held = 0;
		total_count(&whole, 1000, 1000 * SIZE);
		for (int run = 0; run < RUNS; run++) {
			sample(&cases[i], &r);
			struct total part = part_of();
			struct estimate e = share_bytes(&part, &whole);
			held += e.lo <= truth && truth <= e.hi;
		}
		tap_check(held > RUNS * 0.93 && held < RUNS * 0.98, __FILE__, __LINE__,
			"case %zu: held in %d of %d", i, held, RUNS);
	}
	end();
}

/* Of a caller's objects so many of 100 die at once. */
static void sample_fates(const struct callers *c, const int infants[2], struct rng *r)
{
	struct leaf leaf = {.parts = 2, .sampled = &sampled};
	sampled = (struct tally){.alloc = {0}};
	for (int i = 0; i < 2; i++) {
		struct tally *t = &ledger.accounts.at[i].tally;
		uint64_t made = c->made[i], dead = made * (uint64_t)infants[i] / 100;
		*t = (struct tally){.alloc = {0}};
		quantity_add(&leaf.counts.births, (struct quantity){made, made * SIZE});
		quantity_add(&leaf.counts.infant, (struct quantity){dead, dead * SIZE});
		for (uint64_t k = 0; k < made; k++) {
			if (rng_unit(r) * c->every >= 1)
				continue;
			total_add(&t->alloc, SIZE, c->every);
			total_add(k < dead ? &t->died : &t->alive, SIZE, c->every);
			total_add(k < dead ? &t->infant : &t->outlived, SIZE, c->every);
		}
		total_merge(&sampled.alloc, &t->alloc);
		total_merge(&sampled.died, &t->died);
		total_merge(&sampled.alive, &t->alive);
		total_merge(&sampled.infant, &t->infant);
		total_merge(&sampled.outlived, &t->outlived);
	}
	leaf.counts.died = leaf.counts.infant;
	leaf.counts.young = quantity_less(leaf.counts.births, leaf.counts.died);
	leaf.counts.outlived = leaf.counts.young;
	ledger.leaves.list.at[0] = leaf;
}

/* Who made what died at once, and who what did not, are two shares, both of which are known better
 * than that in all: so is the part. Where all samples of a kind are one caller's the interval still
 * holds what the other may have of it, and it is none the wider for it. */
TEST(fates_tell_more_of_a_part)
{
	static const struct callers callers = {{1000, 9000}, 20};
	static const int infants[][2] = {{0, 99}, {0, 100}, {1, 99}, {30, 90}};
	struct rng r = rng_init(tap_seed());
	double truth = (double)callers.made[0];
	double plain = sqrt(truth * (callers.every - 1) * (double)callers.made[1] / 10000);
	begin();
	for (size_t i = 0; i < sizeof(infants) / sizeof(infants[0]); i++) {
		double width = 0, squares = 0, low = 0, high = 0;
		for (int run = 0; run < RUNS; run++) {
			sample_fates(&callers, infants[i], &r);
			const struct leaf *leaf = &ledger.leaves.list.at[0];
			struct tally *t = &ledger.accounts.at[0].tally;
			EXPECT_INT(LEAF_STRATA, leaf_strata(leaf));
			leaf_scale(leaf, true, t);
			struct part part = {t->alloc, t->infant, t->outlived};
			struct total out = part.alloc;
			total_certain(&out);
			leaves_share(&ledger, 0, &part, &out);
			struct estimate e = total_objects(&out);
			low += e.lo > truth, high += e.hi < truth;
			width += (e.hi - e.lo) / RUNS;
			squares += (e.value - truth) * (e.value - truth) / RUNS;
		}
		tap_check(low <= RUNS * 0.035 && high <= RUNS * 0.035, __FILE__, __LINE__,
			"case %zu: %g under, %g above its intervals", i, high / RUNS, low / RUNS);
		tap_check(sqrt(squares) < plain * 0.95 && width < plain * 1.96 * 2 * 0.95, __FILE__,
			__LINE__, "case %zu: %g off, %g wide, and %g off without", i, sqrt(squares),
			width, plain);
	}
	end();
}

/* Nothing is unknown of the whole; nor does a part without any sample add an error of its own. */
TEST(the_whole_and_nothing)
{
	const struct callers one = {{4000, 0}, 20}, other = {{0, 4000}, 20};
	struct rng r = rng_init(tap_seed());
	begin();
	sample(&one, &r);
	EXPECT(part_of().objects.variance <= 0);
	sample(&other, &r);
	EXPECT(part_of().objects.variance <= 0);
	end();
}

/* Where nothing was counted the error is the samples' own. */
TEST(what_was_only_sampled)
{
	struct part part = {.alloc = {0}};
	struct total out = {0};
	begin();
	ledger.leaves.of.at[0] = 0;
	total_add(&part.alloc, SIZE, 10);
	struct amount share = leaves_share(&ledger, 0, &part, &out);
	EXPECT(share.objects <= 0 && share.bytes <= 0);
	EXPECT(fabs(out.objects.variance - part.alloc.objects.variance) <= 0);
	EXPECT_INT(0, leaves_group(&ledger, 0));
	end();
}

static double doubt_of(double share)
{
	struct total out = {0};
	leaves_share_group(&ledger, 1, (struct amount){share, share}, &out);
	return sqrt(out.objects.variance);
}

/* How what has no caller divides is not known: the interval holds all that can be, and where the
 * part is nothing or all, there is no doubt. */
TEST(what_a_group_shares)
{
	begin();
	ledger.leaves.list.at[0] =
		(struct leaf){.group = 1, .dealt = true, .shared = {1000, 32000}};
	EXPECT_INT(1, leaves_group(&ledger, 0));
	EXPECT(doubt_of(0) <= 0 && doubt_of(1) <= 0);
	EXPECT(fabs(doubt_of(0.5) - 250) < 1e-9); /* twice that to either side is all of it */
	EXPECT(doubt_of(0.1) < doubt_of(0.5));
	EXPECT(fabs(doubt_of(0.1) - doubt_of(0.9)) < 1e-9);
	ledger.leaves.list.at[0].dealt = false;
	EXPECT(doubt_of(0.5) <= 0);
	end();
}

/* Of 1000 that were not walked the part is as of those that were: g of 100, with the error of both
 * binomials. */
TEST(what_walks_tell_of_a_group)
{
	enum { WALKS = 100, REST = 1000 };
	const double g = 0.3;
	double squares = 0;
	struct rng r = rng_init(tap_seed());
	begin();
	ledger.leaves.list.at[0] = (struct leaf){.group = 1,
		.dealt = true,
		.walked = true,
		.shared = {REST, REST * SIZE},
		.walks = {WALKS, WALKS}};
	for (int run = 0; run < RUNS; run++) {
		double walked = 0, rest = 0;
		for (int i = 0; i < WALKS; i++)
			walked += rng_unit(&r) < g;
		for (int i = 0; i < REST; i++)
			rest += rng_unit(&r) < g;
		double off = walked / WALKS * REST - rest;
		squares += off * off / RUNS;
	}
	EXPECT(fabs(doubt_of(g) / sqrt(squares) - 1) < 0.1);
	end();
}
