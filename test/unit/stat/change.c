#include "stat/change.h"

#include <math.h>

#include "base/rng.h"
#include "stat/special.h"
#include "stat/total.h"
#include "stat/weight.h"
#include "support/tap.h"

TEST(one_run_each_has_the_error_of_sampling)
{
	struct change_run a = {100, 100, 100, 1, 0, false, 0, NULL},
			  b = {150, 150, 150, 1, 0, false, 0, NULL};
	struct change c = change_of(&a, 1, &b, 1, NULL);
	double error = sqrt(1 / 100.0 + 1 / 150.0), t = 1.959963984540054;
	EXPECT_NEAR(1.5, c.ratio, 1e-12);
	EXPECT_NEAR(1.5 * exp(-t * error), c.lo, 1e-6);
	EXPECT_NEAR(1.5 * exp(t * error), c.hi, 1e-6);
	EXPECT_NEAR(2 * normal_cdf(-log(1.5) / error), c.p, 1e-9);
}

TEST(figures_without_an_error_tell_no_chance)
{
	struct change_run a = {100, 0, 0, 1, 0, false, 0, NULL},
			  b = {150, 0, 0, 1, 0, false, 0, NULL};
	struct change c = change_of(&a, 1, &b, 1, NULL);
	EXPECT_NEAR(1.5, c.ratio, 1e-12);
	EXPECT(isnan(c.p) && isnan(c.lo));
}

/* Objects of 40 bytes that were counted, in one run each: a change that is more than a few. */
TEST(counts_differ_as_poisson_counts_do)
{
	struct change_run a = {40e6, 0, 7, 1, 1e6, true, 0, NULL},
			  more = {160e6, 0, 9, 1, 4e6, true, 0, NULL};
	struct change_run near = {40.02e6, 0, 7, 1, 1.0005e6, true, 0, NULL};
	struct change_run none = {0, 0, 0, 1, 0, true, 0, NULL},
			  unseen = {0, 0, 0, 1, 0, false, 0, NULL};
	struct change c = change_of(&a, 1, &more, 1, NULL);
	EXPECT_NEAR(4, c.ratio, 1e-12);
	EXPECT(c.p < 1e-9 && c.lo > 3.98 && c.hi < 4.02);
	EXPECT(change_of(&a, 1, &near, 1, NULL).p > 0.5);
	EXPECT(change_of(&none, 1, &a, 1, NULL).p < 1e-9); /* though there are few samples */
	EXPECT(change_of(&a, 1, &none, 1, NULL).p < 1e-9);
	EXPECT_NEAR(pow(0.5, 7), change_of(&a, 1, &unseen, 1, NULL).p, 1e-12);
	struct change_run twice[] = {a, a}, fours[] = {more, more};
	EXPECT(change_of(twice, 2, fours, 2, NULL).p < 1e-9);
}

/* t-test of 3 and 3 on what hardly differs from its logarithm. */
TEST(runs_that_differ_are_welchs)
{
	struct change_run a[] = {{1000, 0, 9, 1, 0, false, 0, NULL},
		{1001, 0, 9, 1, 0, false, 0, NULL}, {1002, 0, 9, 1, 0, false, 0, NULL}};
	struct change_run b[] = {{1003, 0, 9, 1, 0, false, 0, NULL},
		{1004, 0, 9, 1, 0, false, 0, NULL}, {1005, 0, 9, 1, 0, false, 0, NULL}};
	struct change c = change_of(a, 3, b, 3, NULL);
	/* t = 3 / sqrt(2/3) = 3.674 with 4 degrees of freedom: p = 0.0213. */
	EXPECT_NEAR(0.0213, c.p, 3e-4);
}

TEST(what_is_missing_may_have_been_missed)
{
	struct change_run none = {0, 0, 0, 1, 0, false, 0, NULL},
			  few = {10, 30, 3, 1, 0, false, 0, NULL},
			  many = {100, 100, 100, 1, 0, false, 0, NULL};
	struct change gone = change_of(&few, 1, &none, 1, NULL),
		      new = change_of(&none, 1, &many, 1, NULL);
	EXPECT_NEAR(0, gone.ratio, 0);
	EXPECT_NEAR(pow(0.5, 3), gone.p, 1e-12);
	/* Ten times as closely looked at: of ten more, one is there as often. */
	none.exposure = 0.1;
	EXPECT_NEAR(pow(1 / 1.1, 3), change_of(&few, 1, &none, 1, NULL).p, 1e-12);
	EXPECT(isinf(new.ratio) && new.p < 1e-29 && isnan(new.lo));
	EXPECT(isnan(change_of(&none, 1, &none, 1, NULL).ratio));
}

/* Collections that only one side has: no samples that chance could have missed. */
TEST(a_figure_that_is_new_tells_no_chance)
{
	struct change_run none[] = {{0, 0, 0, 1, 0, false, 0, NULL},
		{0, 0, 0, 1, 0, false, 0, NULL}},
			  some[] = {
				  {5, 0, 0, 1, 0, false, 0, NULL}, {7, 0, 0, 1, 0, false, 0, NULL}};
	struct change new = change_of(none, 1, some, 1, NULL),
		      gone = change_of(some, 1, none, 1, NULL);
	EXPECT(isinf(new.ratio) && isnan(new.p));
	EXPECT(gone.ratio <= 0 && isnan(gone.p));
	/* Several runs: t = 6 / 1, and with one that has none 6 / sqrt(3), of 1 degree of freedom.
	 */
	EXPECT_NEAR(0.1051, change_of(none, 2, some, 2, NULL).p, 1e-4);
	EXPECT_NEAR(0.1789, change_of(none, 1, some, 2, NULL).p, 1e-4);
}

TEST(what_is_not_known_did_not_change)
{
	struct change_run some = {5, 0, 0, 1, 0, false, 0, NULL}, unknown = {.value = (double)NAN};
	struct change c = change_of(&unknown, 1, &some, 1, NULL),
		      back = change_of(&some, 1, &unknown, 1, NULL);
	EXPECT(isnan(c.a) && isnan(c.ratio) && isnan(c.p));
	EXPECT(isnan(back.b) && isnan(back.ratio) && isnan(back.p));
}

/* What one run of three has, and no run of the other side, is a matter of that run. */
TEST(one_run_of_several_makes_nothing_new)
{
	struct change_run none[] = {{0, 0, 0, 1, 0, false, 0, NULL},
		{0, 0, 0, 1, 0, false, 0, NULL}, {0, 0, 0, 1, 0, false, 0, NULL}};
	struct change_run one[] = {{0, 0, 0, 1, 0, false, 0, NULL},
		{40, 40, 40, 1, 0, false, 0, NULL}, {0, 0, 0, 1, 0, false, 0, NULL}};
	struct change_run all[] = {{44, 44, 44, 1, 0, false, 0, NULL},
		{40, 40, 40, 1, 0, false, 0, NULL}, {42, 42, 42, 1, 0, false, 0, NULL}};
	EXPECT(change_of(none, 3, one, 3, NULL).p > 0.4);
	EXPECT(change_of(one, 3, none, 3, NULL).p > 0.4);
	EXPECT(change_of(none, 3, all, 3, NULL).p < 1e-9);
	/* Two of three: as likely as 6 of the 15 ways to deal them. */
	one[0] = all[0];
	EXPECT_NEAR(0.4, change_of(none, 3, one, 3, NULL).p, 1e-9);
	all[0].value = 90; /* they differ, but all have it */
	all[0].samples = 90;
	EXPECT(change_of(none, 3, all, 3, NULL).p < 1e-9);
}

/* The same in both groups, runs that differ by a tenth: 5 % are significant, give or take. */
TEST(no_change_is_seldom_significant)
{
	enum { RUNS = 2000 };
	struct rng r = rng_init(tap_seed());
	int found = 0;
	for (int run = 0; run < RUNS; run++) {
		struct change_run g[2][4];
		for (int i = 0; i < 8; i++) {
			double sum = 0;
			for (int k = 0; k < 12; k++)
				sum += rng_unit(&r) / 12;
			g[i / 4][i % 4] = (struct change_run){
				1000 * (0.5 + sum), 100, 50, 1, 0, false, 0, NULL};
		}
		found += change_of(g[0], 4, g[1], 4, NULL).p <= 0.05;
	}
	EXPECT(found > 0.02 * RUNS && found < 0.08 * RUNS);
}

/* One run, and several beside it that differ by a tenth: it differs as they do. */
TEST(a_lone_run_is_no_surer_than_several)
{
	enum { RUNS = 2000 };
	struct rng r = rng_init(tap_seed());
	for (size_t several = 2; several <= 5; several++) {
		int found = 0, held = 0;
		for (int run = 0; run < RUNS; run++) {
			struct change_run g[6];
			for (size_t i = 0; i < 6; i++) {
				double sum = 0;
				for (int k = 0; k < 12; k++)
					sum += rng_unit(&r) / 12;
				g[i] = (struct change_run){
					1000 * (0.5 + sum), run % 2, 50, 1, 0, false, 0, NULL};
			}
			struct change c = run % 4 < 2 ? change_of(g, 1, g + 1, several, NULL)
						      : change_of(g + 1, several, g, 1, NULL);
			found += c.p <= 0.05;
			held += c.lo <= 1 && c.hi >= 1;
		}
		EXPECT(found > 0.02 * RUNS && found < 0.08 * RUNS);
		EXPECT(held >= 0.92 * RUNS);
	}
}

/* Objects that are larger than the interval are all seen: how many of them come is chance still. */
TEST(what_is_surely_seen_may_be_chance)
{
	struct change_run three = {30e6, 1e-3, 3, 1, 3, false, 0, NULL},
			  four = {40e6, 1e-3, 4, 1, 4, false, 0, NULL},
			  thirty = {300e6, 1e-2, 30, 1, 30, false, 0, NULL};
	struct change_run threes[] = {three, three, three}, fours[] = {four, four, four};
	struct change c = change_of(&three, 1, &four, 1, NULL);
	EXPECT_NEAR(2 * normal_cdf(-log(4 / 3.0) / sqrt(1 / 3.0 + 1 / 4.0)), c.p, 1e-6);
	EXPECT(c.lo < 1 && c.hi > 1);
	EXPECT(change_of(&three, 1, &thirty, 1, NULL).p < 0.001);
	EXPECT(change_of(threes, 3, fours, 3, NULL).p > 0.3);
}

/* What one run has of large arrays, log-normal by a factor of e around eight intervals. */
static struct change_run arrays_of(struct rng *r, double objects)
{
	struct total t = {0};
	for (double at = -log(1 - rng_unit(r)); at < objects; at -= log(1 - rng_unit(r))) {
		double z = normal_quantile((double)(rng_u64(r) >> 12 | 1) * 0x1p-52);
		uint64_t size = (uint64_t)(8 * 65536 * exp(z));
		double weight = weight_poisson(size, 65536);
		if (rng_unit(r) < 1 / weight)
			EXPECT_INT(0, total_add(&t, size, weight));
	}
	return (struct change_run){t.bytes.sum, t.bytes.variance, (double)t.n, 1, t.objects.sum,
		false, t.squares, NULL};
}

/* Nothing changed: 5 % of pairs are significant, give or take. */
TEST(sizes_that_differ_are_more_chance)
{
	enum { PAIRS = 2000 };
	struct rng r = rng_init(tap_seed());
	static const double objects[] = {50, 100, 300};
	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++) {
		int found = 0;
		for (int pair = 0; pair < PAIRS; pair++) {
			struct change_run a = arrays_of(&r, objects[i]),
					  b = arrays_of(&r, objects[i]);
			found += change_of(&a, 1, &b, 1, NULL).p <= 0.05;
		}
		EXPECT(found > 0.02 * PAIRS && found < 0.08 * PAIRS);
	}
}

static double poisson(double lambda, int n)
{
	return exp(n * log(lambda) - lambda - lgamma(n + 1.0));
}

/* The same rate on both sides, which no side knows: by enumeration of the samples that come. */
TEST(what_few_samples_miss_is_seldom_a_change)
{
	static const double levels[] = {0.05, 0.001, 1e-5};
	for (double x = 0.1; x < 12; x *= 1.2) {
		double found[3] = {0};
		for (int n = 1; n < 100; n++) {
			struct change_run some = {n, n, n, 1, 0, false, 0, NULL},
					  none = {0, 0, 0, 1, 0, false, 0, NULL};
			double p = change_of(&some, 1, &none, 1, NULL).p;
			for (int l = 0; l < 3; l++)
				found[l] += p <= levels[l] ? 2 * poisson(x, n) * exp(-x) : 0;
		}
		for (int l = 0; l < 3; l++)
			EXPECT(found[l] <= levels[l]);
	}
}

/* A place that was counted, and sampled in another run of the same: by enumeration of how many
 * samples come. Where none comes nothing is told here. */
TEST(few_samples_beside_a_count_seldom_seem_a_change)
{
	static const double expected[] = {1e-4, 0.003, 0.1, 0.7, 2, 5, 30, 300},
			    levels[] = {0.05, 0.001, 1e-5};
	for (size_t i = 0; i < sizeof(expected) / sizeof(*expected); i++) {
		double found[3] = {0}, held = 0, seen = 0, x = expected[i];
		for (int n = 1; n < 1000; n++) {
			struct change_run counted = {x, 0, 0, 1, 0, false, 0, NULL},
					  sampled = {n, n, n, 1, 0, false, 0, NULL};
			struct change c = change_of(&sampled, 1, &counted, 1, NULL),
				      other = change_of(&counted, 1, &sampled, 1, NULL);
			EXPECT_NEAR(c.p, other.p, 1e-12);
			EXPECT_NEAR(1 / c.lo, other.hi, 1e-6 * other.hi);
			EXPECT(c.lo <= c.ratio && c.ratio <= c.hi);
			for (int l = 0; l < 3; l++)
				found[l] += c.p <= levels[l] ? poisson(x, n) : 0;
			held += c.lo <= 1 && c.hi >= 1 ? poisson(x, n) : 0;
			seen += poisson(x, n);
		}
		for (int l = 0; l < 3; l++)
			EXPECT(found[l] <= 1.5 * levels[l]);
		/* Of those that come seldom, the few that do are no fair choice. */
		EXPECT(x < 2 || held >= 0.93 * seen);
	}
}

/* Objects of one size in two runs, counted in one and sampled in the other: how many are born is
 * chance in both, though nothing of the counted is unknown. By enumeration of births and samples.
 */
TEST(few_objects_beside_a_count_seldom_seem_a_change)
{
	static const double births[] = {4, 16, 50}, weights[] = {1.02, 1.58, 10};
	for (size_t i = 0; i < 9; i++) {
		double x = births[i / 3], w = weights[i % 3], found = 0, held = 0, seen = 0;
		for (int n = 1; n < 100; n++)
			for (int k = 1; k < 100; k++) {
				double chance = poisson(x, n) * poisson(x / w, k);
				if (chance < 1e-7)
					continue;
				struct change_run counted = {n, 0, 0, 1, n, true, n, NULL},
						  sampled = {k * w, k * w * (w - 1), k, 1, k * w,
							  false, k * w, NULL};
				struct change c = change_of(&counted, 1, &sampled, 1, NULL);
				found += c.p <= 0.05 ? chance : 0;
				held += c.lo <= 1 && c.hi >= 1 ? chance : 0;
				seen += chance;
			}
		EXPECT(found <= 0.05);
		EXPECT(held >= 0.93 * seen);
	}
}

/* From the bound on the normal distribution takes over: nearly the same on both sides. */
TEST(many_samples_beside_a_count_are_normal)
{
	struct change_run counted = {1050, 0, 0, 1, 0, false, 0, NULL},
			  few = {999, 999, 999, 1, 0, false, 0, NULL},
			  many = {1001, 1001, 1001, 1, 0, false, 0, NULL};
	struct change a = change_of(&few, 1, &counted, 1, NULL),
		      b = change_of(&many, 1, &counted, 1, NULL);
	EXPECT(fabs(a.p - b.p) < 0.02);
	EXPECT(fabs(a.lo - b.lo) < 0.01 && fabs(a.hi - b.hi) < 0.01);
}

/* Two counted runs that differ by an object, two sampled ones with three samples in all: no surer
 * than beside one count, whatever other rows tell. */
TEST(few_samples_beside_counts_are_no_surer_among_rows)
{
	struct change_run counted[] = {
		{10, 0, 0, 1, 10, true, 0, NULL}, {11, 0, 0, 1, 11, true, 0, NULL}};
	struct change_run sampled[] = {
		{15000, 75e6, 3, 1, 3, false, 0, NULL}, {0, 0, 0, 1, 0, false, 0, NULL}};
	struct change_run one = {10.5, 0, 0, 1, 10.5, true, 0, NULL},
			  three = {7500, 18.75e6, 3, 1, 3, false, 0, NULL};
	struct spread_row steady = {{{1e-6, 1e-6, 1}, {1e-6, 1e-6, 1}}}, rows[50];
	struct spread s;
	for (size_t i = 0; i < 50; i++)
		rows[i] = steady;
	EXPECT_INT(0, spread_estimate(&s, rows, 50));
	struct change c = change_of(sampled, 2, counted, 2, &s),
		      alone = change_of(&three, 1, &one, 1, NULL);
	EXPECT(c.p >= alone.p && c.p < 0.05);
	EXPECT(c.lo <= alone.lo && c.hi >= alone.hi);
	struct change other = change_of(counted, 2, sampled, 2, &s);
	EXPECT_NEAR(c.p, other.p, 1e-12);
	EXPECT_NEAR(1 / c.lo, other.hi, 1e-6 * other.hi);
}

/* A place that allocates while samples stand for 1 and while they stand for 16, sampled in one run
 * and counted in another; what speaks against no change is how few or many come, by enumeration. */
static double sample_twice(double fine, double rough, bool told, double found[3])
{
	static const double levels[] = {0.05, 0.001, 1e-5};
	struct coarse c = {.count = 0};
	coarse_add(&c, &(struct coarse_level){1, 1, 1000});
	coarse_add(&c, &(struct coarse_level){16, 16, 500});
	struct change_run counted = {fine + 16 * rough, 0, 0, 1, 1e9, true, 0, NULL};
	double held = 0, seen = 0;
	for (int n = 0; n < 200; n++)
		for (int k = 0; k < 60; k++) {
			double all = n + 16 * k, chance = poisson(fine, n) * poisson(rough, k);
			struct change_run sampled = {
				all, n + 256.0 * k, n + k, 1, all, false, 0, told ? &c : NULL};
			if (!(n + k && chance > 1e-9))
				continue;
			struct change x = change_of(&sampled, 1, &counted, 1, NULL);
			held += x.lo <= 1 && 1 <= x.hi ? chance : 0;
			seen += chance;
			for (int l = 0; l < 3; l++)
				found[l] += x.p <= levels[l] ? chance : 0;
		}
	return held / seen;
}

TEST(what_coarser_samples_missed_is_seldom_a_change)
{
	static const double fine[] = {1, 5, 40}, rough[] = {0.5, 2, 5, 12};
	for (size_t i = 0; i < 12; i++) {
		double found[3] = {0};
		EXPECT(sample_twice(fine[i / 4], rough[i % 4], true, found) > 0.93);
		EXPECT(found[0] <= 0.075 && found[1] <= 0.002 && found[2] <= 3e-5);
	}
	double found[3] = {0};
	sample_twice(40, 5, false, found);
	EXPECT(found[2] > 1e-3); /* as if the samples that came told all */
}

/* None of it was seen: it may all be where a sample stands for 16, as far as there is room. */
TEST(what_is_missing_may_have_been_where_samples_are_coarse)
{
	struct coarse c = {.count = 0};
	coarse_add(&c, &(struct coarse_level){1, 1, 1000});
	coarse_add(&c, &(struct coarse_level){16, 16, 48});
	struct change_run some = {64, 64, 64, 1, 64, false, 0, NULL},
			  none = {0, 0, 0, 1, 0, false, 0, &c};
	EXPECT_NEAR(pow(64 / (64 + 3 + 16.0), 64), change_of(&some, 1, &none, 1, NULL).p, 1e-12);
	EXPECT_NEAR(pow(64 / (64 + 3 + 16.0), 64), change_of(&none, 1, &some, 1, NULL).p, 1e-12);
}
