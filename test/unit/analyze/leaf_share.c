#include "analyze/leaf_share.h"

#include <math.h>
#include <string.h>

#include "analyze/ledger.h"
#include "base/rng.h"
#include "support/tap.h"

enum { SIZE = 32, RUNS = 4000 };

static struct ledger ledger;

/* Two callers of a line, which made so many objects; one object in `every` is sampled. */
struct callers {
	uint64_t made[2];
	double every;
};

/* A ledger whose two accounts are of one leaf, as it was sampled. */
static void sample(const struct callers *c, struct rng *r)
{
	struct leaf leaf = {.parts = 2,
		.counts.births = {c->made[0] + c->made[1], SIZE * (c->made[0] + c->made[1])}};
	ledger.accounts.at[0].tally.alloc = ledger.accounts.at[1].tally.alloc = (struct total){0};
	for (int i = 0; i < 2; i++) {
		struct total *t = &ledger.accounts.at[i].tally.alloc;
		for (uint64_t k = 0; k < c->made[i]; k++)
			if (rng_unit(r) * c->every < 1)
				total_add(t, SIZE, c->every);
		total_merge(&leaf.sampled.alloc, t);
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
	ledger_release(&ledger);
}

/* The first caller's part, scaled to the leaf, and its error. */
static struct total part_of(void)
{
	const struct leaf *leaf = &ledger.leaves.list.at[0];
	struct total part = ledger.accounts.at[0].tally.alloc, out = {0};
	double all = leaf->sampled.alloc.objects.sum;
	double by = all > 0 ? (double)leaf->counts.births.objects / all : 0;
	total_scale(&part, by, by);
	leaves_share(&ledger, 0, &part, &out);
	part.objects.variance = out.objects.variance;
	part.bytes.variance = out.bytes.variance;
	return part;
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
	struct total part = {0}, out = {0};
	begin();
	ledger.leaves.of.at[0] = 0;
	total_add(&part, SIZE, 10);
	struct amount share = leaves_share(&ledger, 0, &part, &out);
	EXPECT(share.objects <= 0 && share.bytes <= 0);
	EXPECT(fabs(out.objects.variance - part.objects.variance) <= 0);
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
