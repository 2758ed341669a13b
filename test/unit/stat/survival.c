#include "stat/survival.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "stat/special.h"
#include "support/tap.h"

struct object {
	enum fate fate;
	uint32_t entry, age;
	double weight;
};

/* From the definition: the product over collections of 1 - dead / at risk; NaN where nobody was at
 * risk. */
static double naive(const struct object *o, size_t count, uint32_t t)
{
	double s = 1;
	for (uint32_t a = 0; a < t && s > 0; a++) {
		double risk = 0, dead = 0;
		for (size_t i = 0; i < count; i++) {
			bool died_here = o[i].fate == FATE_DIED && o[i].age == a;
			if (o[i].entry <= a && (o[i].age > a || died_here)) {
				risk += o[i].weight;
				dead += died_here ? o[i].weight : 0;
			}
		}
		if (!(risk > 0))
			return (double)NAN;
		s *= 1 - dead / risk;
	}
	return s < 1e-12 ? 0 : s;
}

static struct object some_object(struct rng *r, bool late)
{
	struct object o = {.fate = rng_below(r, 3) ? FATE_DIED : FATE_LOST};
	o.age = (uint32_t)rng_below(r, 12);
	o.entry = late && rng_below(r, 2) ? (uint32_t)rng_below(r, o.age + 1) : 0;
	o.weight = (double)(1 + rng_below(r, 9));
	return o;
}

/* Small random histories against the definition, with and without late entry. */
TEST(agrees_with_the_definition)
{
	struct rng r = rng_init(tap_seed());
	struct object o[24];
	for (int round = 0; round < 4000; round++) {
		size_t count = 1 + rng_below(&r, 24);
		struct ages a = {0};
		struct curve c;
		for (size_t i = 0; i < count; i++) {
			o[i] = some_object(&r, round % 2);
			EXPECT_INT(0, ages_add(&a, o[i].fate, o[i].entry, o[i].age, o[i].weight));
		}
		EXPECT_INT(0, survival_curve(&a, &c));
		double lo = 1, hi = 1;
		for (uint32_t t = 0; t < 15; t++) {
			double want = naive(o, count, t);
			struct curve_point got = curve_at(&c, t);
			EXPECT(isnan(want) == isnan(got.p));
			if (!isnan(want))
				EXPECT_NEAR(want, got.p, 1e-9);
			EXPECT(got.lo >= 0 && got.hi <= 1 && !(got.lo > got.p) &&
				!(got.hi < got.p));
			EXPECT(got.lo <= lo && got.hi <= hi);
			lo = got.lo;
			hi = got.hi;
		}
		curve_release(&c);
		ages_release(&a);
	}
}

/* Gehan's 6-MP group (Freireich et al. 1963): the example of every textbook, weeks as ages. */
TEST(gehan)
{
	static const uint32_t died[] = {6, 6, 6, 7, 10, 13, 16, 22, 23};
	static const uint32_t lost[] = {6, 9, 10, 11, 17, 19, 20, 25, 32, 32, 34, 35};
	static const struct {
		uint32_t t;
		double p;
	} want[] = {{7, 0.857}, {8, 0.807}, {11, 0.753}, {14, 0.690}, {17, 0.627}, {23, 0.538},
		{24, 0.448}, {35, 0.448}};
	struct ages a = {0};
	struct curve c;
	for (size_t i = 0; i < ARRAY_SIZE(died); i++)
		EXPECT_INT(0, ages_add(&a, FATE_DIED, 0, died[i], 1));
	/* In the study, one lost in the week of a death counts as at risk of it. */
	for (size_t i = 0; i < ARRAY_SIZE(lost); i++)
		EXPECT_INT(0, ages_add(&a, FATE_LOST, 0, lost[i] + 1, 1));
	EXPECT_INT(0, survival_curve(&a, &c));
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		EXPECT_NEAR(want[i].p, curve_at(&c, want[i].t).p, 5e-4);
	EXPECT_INT(36, c.known);
	curve_release(&c);
	ages_release(&a);
}

/* Without loss the interval is the mid-p Clopper–Pearson one of n equal samples. */
TEST(uncensored_is_mid_p_binomial)
{
	for (int dead = 0; dead <= 20; dead++) {
		struct ages a = {0};
		struct curve c;
		for (int i = 0; i < 20; i++)
			EXPECT_INT(0, ages_add(&a, FATE_DIED, 0, i >= dead, 1e6));
		EXPECT_INT(0, survival_curve(&a, &c));
		struct curve_point at = curve_at(&c, 1);
		double k = 20 - dead;
		/* P(X > k) + P(X = k) / 2 = tail, where P(X >= j | p) is a beta. */
		double low = (k > 0 ? beta_cdf(k, 20 - k + 1, at.lo) : 1) / 2 +
			     (dead ? beta_cdf(k + 1, 20 - k, at.lo) : 0) / 2;
		double high = (k > 0 ? beta_cdf(k, 20 - k + 1, at.hi) : 1) / 2 +
			      (dead ? beta_cdf(k + 1, 20 - k, at.hi) : 0) / 2;
		if (k > 0)
			EXPECT_NEAR(0.025, low, 1e-6);
		else
			EXPECT_NEAR(0, at.lo, 0);
		if (dead)
			EXPECT_NEAR(0.975, high, 1e-6);
		else
			EXPECT_NEAR(1, at.hi, 0);
		curve_release(&c);
		ages_release(&a);
	}
}

TEST(every_object_followed_to_its_end_leaves_no_doubt)
{
	struct ages a = {0};
	struct curve c;
	for (uint32_t i = 0; i < 90; i++)
		EXPECT_INT(0, ages_add(&a, FATE_DIED, 0, i % 9, 1));
	EXPECT_INT(0, survival_curve(&a, &c));
	for (uint32_t t = 0; t < 12; t++) {
		struct curve_point at = curve_at(&c, t);
		EXPECT_NEAR(t < 9 ? 1 - t / 9.0 : 0, at.p, 1e-12);
		EXPECT_NEAR(0, at.hi - at.lo, 1e-9);
	}
	EXPECT(c.known == UINT64_MAX);
	curve_release(&c);
	ages_release(&a);
}

/* By bytes too; but what such objects will do is known no better than from any other sample. */
TEST(a_census_by_bytes_leaves_no_doubt)
{
	struct ages half[2] = {{.heaviest = 0}, {.heaviest = 0}};
	struct curve c;
	for (uint32_t i = 0; i < 90; i++)
		EXPECT_INT(0, ages_add_bytes(&half[i % 2], FATE_DIED, 0, i % 3, 16ull << i % 3, 1));
	EXPECT_INT(0, ages_merge(&half[0], &half[1]));
	EXPECT_INT(0, survival_curve(&half[0], &c));
	struct curve_point at = curve_at(&c, 1);
	EXPECT_NEAR(6 / 7.0, at.p, 1e-12);
	EXPECT_NEAR(0, at.hi - at.lo, 1e-9);
	curve_release(&c);
	EXPECT_INT(0, survival_sample_curve(&half[0], &c));
	EXPECT(curve_at(&c, 1).hi - curve_at(&c, 1).lo > 0.1);
	curve_release(&c);
	/* One that stands for more than itself ends the census, wherever it is merged from. */
	EXPECT_INT(0, ages_add_bytes(&half[1], FATE_DIED, 0, 0, 16, 2));
	EXPECT_INT(0, ages_merge(&half[0], &half[1]));
	EXPECT_INT(0, survival_curve(&half[0], &c));
	EXPECT(curve_at(&c, 1).hi - curve_at(&c, 1).lo > 0.05);
	curve_release(&c);
	ages_release(&half[0]);
	ages_release(&half[1]);
}

TEST(what_is_left_after_heavy_loss_is_in_the_interval)
{
	struct ages a = {0};
	struct curve c;
	EXPECT_INT(0, ages_add(&a, FATE_DIED, 0, 0, 50));
	for (int i = 0; i < 98; i++)
		EXPECT_INT(0, ages_add(&a, FATE_LOST, 0, 1, 50));
	EXPECT_INT(0, ages_add(&a, FATE_LOST, 0, 10, 50));
	EXPECT_INT(0, survival_curve(&a, &c));
	EXPECT(curve_at(&c, 1).lo > 0.94);
	EXPECT_NEAR(0.99, curve_at(&c, 10).p, 1e-9);
	EXPECT(curve_at(&c, 10).lo < 0.06); /* one object is all there is */
	EXPECT(isnan(curve_at(&c, 11).p));
	curve_release(&c);
	ages_release(&a);
}

TEST(empty_and_never_collected)
{
	struct ages a = {0};
	struct curve c;
	EXPECT_INT(0, survival_curve(&a, &c));
	EXPECT_INT(0, c.known);
	EXPECT(isnan(curve_at(&c, 1).p));
	curve_release(&c);
	EXPECT_INT(0, ages_add(&a, FATE_LOST, 0, 0, 1));
	EXPECT_INT(0, survival_curve(&a, &c));
	EXPECT_INT(0, c.known);
	EXPECT_INT(0, c.points.count);
	EXPECT_INT(0, ages_add(&a, FATE_DIED, 3, 3, 1));
	curve_release(&c);
	/* Nobody was in sight before age 3: the curve can't be known there. */
	EXPECT_INT(0, survival_curve(&a, &c));
	EXPECT(isnan(curve_at(&c, 4).p));
	curve_release(&c);
	ages_release(&a);
}

TEST(out_of_memory)
{
	struct ages a = {0};
	for (uint32_t age = 0; age < 60; age++)
		EXPECT_INT(0, ages_add(&a, FATE_DIED, 0, age, 1));
	uint64_t held = mem_held();
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n++) {
		struct curve c;
		mem_fail_at(n);
		err = survival_curve(&a, &c);
		mem_fail_at(0);
		curve_release(&c);
		EXPECT_INT(held, mem_held());
	}
	ages_release(&a);
}
