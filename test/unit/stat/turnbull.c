#include "stat/turnbull.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

static struct turnbull fit; /* large */

/* P(by time t) of the fit, t an edge. */
static double dead_by(uint64_t t)
{
	uint32_t j = 0;
	while (j < fit.count && spans_edge(fit.edge[j]) < t)
		j++;
	return fit.before[j];
}

TEST(exact_spans_are_the_empirical_distribution)
{
	struct spans s = {0};
	for (uint64_t t = 0; t < 5; t++)
		EXPECT_INT(0, spans_add(&s, FATE_DIED, 0, t, t + 1, (double)(t + 1)));
	turnbull_fit(&s, &fit);
	for (uint64_t t = 1; t <= 5; t++)
		EXPECT_NEAR((double)(t * (t + 1)) / 30, dead_by(t), 1e-9);
	spans_release(&s);
}

/* Overlap: (0,2], (1,3], all mass fits in (1,2]. */
TEST(mass_goes_where_spans_meet)
{
	struct spans s = {0};
	EXPECT_INT(0, spans_add(&s, FATE_DIED, 0, 0, 2, 1));
	EXPECT_INT(0, spans_add(&s, FATE_DIED, 0, 1, 3, 1));
	turnbull_fit(&s, &fit);
	EXPECT_NEAR(0, dead_by(1), 1e-9);
	EXPECT_NEAR(1, dead_by(2), 1e-9);
	spans_release(&s);
}

static double log_likelihood(const struct spans *s, const double *mass, uint32_t count)
{
	double sum = 0;
	for (size_t i = 0; i < s->rows.count; i++) {
		const struct spans_row *row = &s->rows.at[i];
		double in = 0, seen = 0;
		for (uint32_t j = 0; j < count; j++) {
			in += j >= fit.index[row->after] && j < turnbull_end(&fit, row) ? mass[j]
											: 0;
			seen += j >= fit.index[row->entry] ? mass[j] : 0;
		}
		sum += row->mass.w * log(in / seen);
	}
	return sum;
}

/* No random move of mass between cells, any cells, makes the data likelier (but for the gap
 * allowed). */
static void expect_maximum(struct rng *r, const struct spans *s)
{
	double best = log_likelihood(s, fit.mass, fit.count);
	double slack = TURNBULL_GAP * s->all.w * 1.01;
	for (int k = 0; k < 60; k++) {
		double mass[TURNBULL_EDGES];
		memcpy(mass, fit.mass, sizeof(mass));
		uint64_t from = rng_below(r, fit.count), to = rng_below(r, fit.count);
		double part = rng_unit(r) * mass[from];
		mass[from] -= part;
		mass[to] += part;
		double other = log_likelihood(s, mass, fit.count);
		EXPECT(isnan(other) || other <= best + slack);
	}
}

TEST(is_the_maximum)
{
	struct rng r = rng_init(tap_seed());
	for (int round = 0; round < 200; round++) {
		struct spans s = {0};
		for (int i = 0; i < 30; i++) {
			uint64_t after = rng_below(&r, 12), by = after + 1 + rng_below(&r, 8);
			enum fate fate = rng_below(&r, 4) ? FATE_DIED : FATE_LOST;
			uint64_t entry = round % 2 && rng_below(&r, 3) == 0 ? after / 2 : 0;
			double w = (double)(1 + rng_below(&r, 5));
			EXPECT_INT(0, spans_add(&s, fate, entry, after, by, w));
		}
		turnbull_fit(&s, &fit);
		EXPECT(fit.gap <= TURNBULL_GAP);
		EXPECT_NEAR(1, fit.before[fit.count], 1e-9);
		expect_maximum(&r, &s);
		spans_release(&s);
	}
}

TEST(nothing_in_nothing_out)
{
	struct spans s = {0};
	turnbull_fit(&s, &fit);
	EXPECT(fit.count == 1 && fit.rounds == 0);
}
