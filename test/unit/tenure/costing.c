#include "tenure/costing.h"

#include <math.h>

#include "base/rng.h"
#include "support/tap.h"

static const struct cost prior = {.byte = 0.1, .object = 30, .old = 2};

static double gauss(struct rng *r)
{
	double sum = 0;
	for (int i = 0; i < 12; i++)
		sum += rng_unit(r);
	return sum - 6;
}

/* Groups that copy 1 to 3 MB of objects of 20 bytes to 2 kB, or all of the same size. */
static struct costing measured(
	const struct cost *truth, double noise, int groups, double size, struct rng *r)
{
	struct costing c = {.count = 0};
	for (int i = 0; i < groups; i++) {
		struct amount a = {.bytes = 1e6 + 2e6 * rng_unit(r)};
		a.objects = a.bytes / (size > 0 ? size : 20 * pow(100, rng_unit(r)));
		double cpu = 500000 + cost_copy(truth, a);
		costing_add(&c, a, cpu * exp(noise * gauss(r)));
	}
	return c;
}

TEST(nothing_measured_is_the_prior)
{
	bool good = true;
	struct costing c = {.count = 0};
	struct cost got = costing_of(&c, &prior, &good);
	EXPECT(!good);
	EXPECT_NEAR(prior.byte, got.byte, 0);
	EXPECT_NEAR(prior.object, got.object, 0);
	EXPECT_NEAR(prior.old, got.old, 0);
}

TEST(known_costs_are_found)
{
	static const struct cost truths[] = {
		{0.1, 30, 2}, {0.3, 15, 2}, {0.05, 90, 2}, {0.25, 60, 2}};
	struct rng r = rng_init(tap_seed());
	for (size_t i = 0; i < sizeof(truths) / sizeof(truths[0]); i++) {
		bool good = false;
		struct costing c = measured(&truths[i], 0.01, 200, 0, &r);
		struct cost got = costing_of(&c, &prior, &good);
		EXPECT(good);
		EXPECT_NEAR(truths[i].byte, got.byte, 0.01 + 0.2 * truths[i].byte);
		EXPECT_NEAR(truths[i].object, got.object, 0.1 * truths[i].object);
	}
}

/* Objects for each byte always the same: which of the two costs can't be told. */
TEST(collinear_data_leave_the_prior)
{
	struct rng r = rng_init(tap_seed());
	const struct cost truth = {0.4, 90, 2};
	for (double noise = 0; noise < 0.2; noise += 0.05) {
		bool good = true;
		struct costing c = measured(&truth, noise, 400, 60, &r);
		struct cost got = costing_of(&c, &prior, &good);
		EXPECT(!good);
		EXPECT_NEAR(prior.byte, got.byte, 0);
		EXPECT_NEAR(prior.object, got.object, 0);
	}
}

/* The same again and again, as of a program that goes its way. */
TEST(nothing_that_varies_leaves_the_prior)
{
	bool good = true;
	struct costing c = {.count = 0};
	for (int i = 0; i < 400; i++)
		costing_add(&c, (struct amount){1e6, 2e4}, 1.5e6 + i % 7 * 1e4);
	costing_of(&c, &prior, &good);
	EXPECT(!good);
}

/* Whatever is used under much noise is near the truth. */
TEST(noise_leaves_the_prior_or_little_error)
{
	struct rng r = rng_init(tap_seed());
	const struct cost truth = {0.2, 60, 2};
	int used = 0, wrong = 0;
	for (int i = 0; i < 200; i++) {
		bool good = false;
		struct costing c = measured(&truth, 0.3, 30, 0, &r);
		struct cost got = costing_of(&c, &prior, &good);
		used += good;
		wrong += good && (fabs(got.byte - truth.byte) > 0.1 ||
					 fabs(got.object - truth.object) > 30);
	}
	EXPECT(used < 200);
	EXPECT(wrong <= 4);
}

TEST(a_quarter_to_four_times_as_much)
{
	struct rng r = rng_init(tap_seed());
	bool good = false;
	const struct cost dear = {4, 1000, 2}, cheap = {0, 0, 2};
	struct costing c = measured(&dear, 0.001, 300, 0, &r);
	struct cost got = costing_of(&c, &prior, &good);
	EXPECT(good);
	EXPECT_NEAR(4 * prior.byte, got.byte, 1e-9);
	EXPECT_NEAR(4 * prior.object, got.object, 1e-9);
	c = measured(&cheap, 0.001, 300, 0, &r);
	got = costing_of(&c, &prior, &good);
	EXPECT(good);
	EXPECT_NEAR(prior.byte / 4, got.byte, 1e-9);
	EXPECT_NEAR(prior.object / 4, got.object, 1e-9);
}

TEST(what_is_not_known_is_passed_over)
{
	struct costing c = {.count = 0};
	struct round r;
	round_clear(&r);
	for (int i = 0; i < 16; i++)
		round_add(&r, &(struct round_collection){.survivors = 1000,
				      .cpu = 100 + (uint64_t)i % 2,
				      .cards = ROUND_UNKNOWN});
	costing_round(&c, &r, (double)NAN);
	EXPECT_NEAR(0, c.count, 0);
	costing_round(&c, &r, 0.01);
	EXPECT_NEAR(1, c.count, 1e-12);
	EXPECT_NEAR(100.5, c.cpu, 1e-9);
	EXPECT_NEAR(10, c.both[0][2], 1e-9);
	r.collection[3].cpu = ROUND_UNKNOWN;
	costing_round(&c, &r, 0.01);
	round_clear(&r);
	costing_round(&c, &r, 0.01);
	EXPECT_NEAR(1, c.count, 1e-12);
	costing_add(&c, (struct amount){1000, 20}, 200);
	EXPECT_NEAR(1.98, c.count, 1e-12);
	EXPECT_NEAR(0.98 * 10 + 20, c.both[0][2], 1e-9);
}
