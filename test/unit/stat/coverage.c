/*
 * Does the 95 % interval of the survival curve hold the truth 95 times in 100? Simulated as the
 * profiler sees it; doc/metrics.md quotes the bounds that this test enforces.
 */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "sim.h"
#include "stat/survival.h"
#include "stat/weight.h"
#include "support/tap.h"

enum { RUNS = 200, TIMES = 8 };
static const uint32_t times[TIMES] = {1, 2, 3, 5, 8, 12, 16, 24};

struct plan {
	const char *name;
	struct sim_plan sim;
	uint32_t objects;
	bool here;    /* the truth is only what these objects did, not what such objects do */
	double least; /* share of runs that every cell must hold */
	bool bytes;   /* shares of bytes, not of objects */
};

static const struct plan plans[] = {
	{"equal sizes, ~15 samples", {1024, 64, 64, 1, 0, 0, 0}, 250, false, 0.86, false},
	{"equal sizes, ~60 samples", {1024, 64, 64, 1, 0, 0, 0}, 1000, false, 0.86, false},
	{"sizes 16-8192, ~20 effective", {1024, 16, 8192, 1, 0, 0, 0}, 150, false, 0.86, false},
	{"the same, thinned, evicted, ends", {1024, 16, 8192, 4, 0.05, 20, 0}, 600, false, 0.86,
		false},
	{"sizes 16-8192, ~50 effective, evicted, ends", {1024, 16, 8192, 1, 0.1, 20, 0}, 500, false,
		0.86, false},
	{"sizes 16-256, ~40 effective, evicted, ends", {1024, 16, 256, 1, 0.05, 30, 0}, 900, false,
		0.86, false},
	{"sizes 16-8192, large ones live longer", {1024, 16, 8192, 1, 0.1, 20, 0.2}, 500, true,
		0.86, false},
	{"every object, evicted", {0, 16, 8192, 1, 0.1, 0, 0}, 100, true, 0.86, false},
	{"every object, ends", {0, 16, 8192, 1, 0, 20, 0}, 100, true, 0.86, false},
	{"every object, evicted, bytes", {0, 16, 512, 1, 0.1, 0, 0}, 200, true, 0.78, true},
	{"every object, ends, bytes", {0, 16, 512, 1, 0, 20, 0}, 200, true, 0.78, true},
};

/* Of one plan and life: how often the interval held the truth of the model, and of this population.
 */
struct tally {
	int model[TIMES], population[TIMES], runs[TIMES];
};

static void judge(const struct sim_life *life, const struct ages *a, const double *outlived,
	double all, struct tally *tally)
{
	struct curve c;
	EXPECT_INT(0, survival_curve(a, &c));
	for (size_t k = 0; k < TIMES; k++) {
		double model = sim_truth(life, times[k]), here = outlived[k] / all;
		struct curve_point at = curve_at(&c, times[k]);
		if (model < 0.01 || model > 0.99 || !a->all.n)
			continue;
		tally->runs[k]++;
		tally->model[k] += at.lo <= model && model <= at.hi;
		tally->population[k] += at.lo <= here + 1e-9 && here <= at.hi + 1e-9;
	}
	curve_release(&c);
}

static void one_run(
	struct rng *r, const struct plan *plan, const struct sim_life *life, struct tally *tally)
{
	struct ages a = {0};
	double outlived[TIMES] = {0}, all = 0;
	for (uint32_t i = 0; i < plan->objects; i++) {
		struct sim_object o = sim_draw(r, &plan->sim, life);
		uint64_t size = plan->bytes ? o.size : 1;
		for (size_t k = 0; k < TIMES; k++)
			outlived[k] += o.age >= times[k] ? (double)size : 0;
		all += (double)size;
		if (o.sampled)
			EXPECT_INT(0, ages_add_bytes(&a, o.died ? FATE_DIED : FATE_LOST, 0, o.seen,
					      size, o.weight));
	}
	judge(life, &a, outlived, all, tally);
	ages_release(&a);
}

struct spread {
	double least, most, sum;
	int cells;
};

static void note(struct spread *s, int in, int runs)
{
	double share = (double)in / runs;
	s->least = !s->cells || share < s->least ? share : s->least;
	s->most = share > s->most ? share : s->most;
	s->sum += share;
	s->cells++;
}

/*
 * A cell (a plan, a life, a time) of 200 runs has a standard error of 1.5 to 2.2 %: bounds are some
 * five of them below what is claimed. Near 0 and 1 an interval of few samples can't help holding
 * more than 95 %, and with very unequal weights neither: the mean may not pass 99.8 %.
 */
static void expect_spread(const struct plan *plan, const char *truth, const struct spread *s)
{
	double mean = s->sum / s->cells;
	printf("# %-48s %-10s least %5.1f mean %5.1f most %5.1f %%\n", plan->name, truth,
		100 * s->least, 100 * mean, 100 * s->most);
	tap_check(s->least >= plan->least && mean >= 0.925 && mean <= 0.998, __FILE__, __LINE__,
		"%s, %s: least %.3f, mean %.3f", plan->name, truth, s->least, mean);
}

TEST(intervals_hold_the_truth)
{
	for (size_t p = 0; p < ARRAY_SIZE(plans); p++) {
		struct spread model = {0}, population = {0};
		for (size_t l = 0; l < sim_life_count; l++) {
			struct tally tally = {0};
			struct rng r = rng_init(tap_seed() + 1000 * p + l);
			for (int run = 0; run < RUNS; run++)
				one_run(&r, &plans[p], &sim_lives[l], &tally);
			for (size_t k = 0; k < TIMES; k++) {
				if (!tally.runs[k])
					continue;
				note(&model, tally.model[k], tally.runs[k]);
				note(&population, tally.population[k], tally.runs[k]);
			}
		}
		expect_spread(&plans[p], "population", &population);
		if (!plans[p].here)
			expect_spread(&plans[p], "model", &model);
	}
}

/*
 * Rows of objects of two sizes that live differently: the few samples of the small ones stand for
 * most objects. The truth is that of the objects no smaller than the smallest seen.
 */
struct kind {
	uint64_t size;
	const struct sim_life *life;
	double expected; /* samples */
	int samples;
};

enum { INTERVAL = 524288 };

static int poisson(struct rng *r, double mean)
{
	int n = -1;
	for (double t = 0; t < mean; n++)
		t -= log(1 - rng_unit(r));
	return n;
}

static void draw_kind(struct rng *r, struct kind *k, struct ages *a)
{
	k->samples = poisson(r, k->expected);
	for (int i = 0; i < k->samples; i++) {
		uint32_t age = 0;
		while (age < SIM_AGES && rng_unit(r) >= k->life->hazard(age))
			age++;
		EXPECT_INT(0, ages_add(a, age < SIM_AGES ? FATE_DIED : FATE_LOST, 0, age,
				      weight_poisson(k->size, INTERVAL)));
	}
}

static double truth_of(const struct kind *small, const struct kind *large, uint32_t t)
{
	const struct kind *kinds[] = {small, large};
	double alive = 0, all = 0;
	for (int i = !small->samples; i < 2; i++) {
		double objects = kinds[i]->expected * weight_poisson(kinds[i]->size, INTERVAL);
		alive += objects * sim_truth(kinds[i]->life, t);
		all += objects;
	}
	return alive / all;
}

static void two_kinds(struct rng *r, struct kind *small, struct kind *large, struct tally *tally)
{
	struct ages a = {0};
	struct curve c;
	draw_kind(r, small, &a);
	draw_kind(r, large, &a);
	EXPECT_INT(0, survival_curve(&a, &c));
	for (size_t k = 0; k < TIMES && a.all.n; k++) {
		double truth = truth_of(small, large, times[k]);
		struct curve_point at = curve_at(&c, times[k]);
		if (truth < 0.01 || truth > 0.99)
			continue;
		tally->runs[k]++;
		tally->population[k] += at.lo <= truth && truth <= at.hi;
	}
	curve_release(&c);
	ages_release(&a);
}

static const struct plan two_sizes = {
	.name = "two sizes, that live differently", .here = true, .least = 0.82};

TEST(intervals_hold_the_truth_of_two_sizes)
{
	static const struct {
		uint64_t large;
		double expected; /* samples of the small ones */
		size_t lives[2];
	} mixes[] = {{256, 3, {2, 0}}, {256, 5, {1, 3}}, {256, 8, {4, 1}}, {1024, 3, {5, 0}},
		{4096, 5, {2, 0}}, {65536, 3, {1, 3}}, {65536, 8, {4, 1}}, {65536, 15, {0, 5}}};
	struct spread spread = {0};
	for (size_t m = 0; m < ARRAY_SIZE(mixes); m++) {
		struct tally tally = {0};
		struct rng r = rng_init(tap_seed() + m);
		struct kind small = {16, &sim_lives[mixes[m].lives[0]], mixes[m].expected, 0};
		struct kind large = {mixes[m].large, &sim_lives[mixes[m].lives[1]], 100, 0};
		for (int run = 0; run < 2 * RUNS; run++)
			two_kinds(&r, &small, &large, &tally);
		/* An early death of all leaves a time to few of the runs. */
		for (size_t k = 0; k < TIMES; k++)
			if (tally.runs[k] >= RUNS)
				note(&spread, tally.population[k], tally.runs[k]);
	}
	expect_spread(&two_sizes, "objects seen", &spread);
}
