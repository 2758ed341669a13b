#include "stat/interval.h"

#include <math.h>

#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

/*
 * Lives drawn from an exponential; a collection every `every` units from a random start; the end of
 * the recording at `end` after birth.
 */
static void see(struct rng *r, struct spans *s, double life, double every, double end)
{
	double first = rng_unit(r) * every, after = 0;
	for (double gc = first;; gc += every) {
		if (gc > end) {
			EXPECT_INT(0, spans_add(s, FATE_LOST, 0, (uint64_t)after, 0, 8));
			return;
		}
		if (life <= gc) {
			uint64_t by = (uint64_t)ceil(gc);
			EXPECT_INT(0, spans_add(s, FATE_DIED, 0, (uint64_t)after, by, 8));
			return;
		}
		after = gc;
	}
}

/* The truth lies in lo … hi at each of these edges in at least 93 % of runs, and p is near it on
 * average. */
TEST(covers_an_exponential)
{
	static const double times[] = {320, 1024, 2048, 4096, 6144};
	enum { RUNS = 200, OBJECTS = 150 };
	int inside[5] = {0}, known[5] = {0};
	double sum[5] = {0};
	struct rng r = rng_init(tap_seed());
	for (int run = 0; run < RUNS; run++) {
		struct spans s = {0};
		struct curve c;
		for (int i = 0; i < OBJECTS; i++) {
			double life = -2000 * log(1 - rng_unit(&r));
			see(&r, &s, life, 500, 2000 + 8000 * rng_unit(&r));
		}
		EXPECT_INT(0, interval_curve(&s, &c));
		EXPECT(c.converged);
		for (int k = 0; k < 5; k++) {
			struct curve_point at = curve_at(&c, (uint64_t)times[k]);
			double truth = exp(-times[k] / 2000);
			inside[k] += at.lo <= truth && truth <= at.hi;
			known[k] += !isnan(at.p);
			sum[k] += isnan(at.p) ? 0 : at.p;
		}
		curve_release(&c);
		spans_release(&s);
	}
	for (int k = 0; k < 5; k++) {
		tap_check(inside[k] >= 0.93 * RUNS, __FILE__, __LINE__, "t = %g: covered %d of %d",
			times[k], inside[k], RUNS);
		EXPECT(known[k] >= 0.95 * RUNS);
		EXPECT_NEAR(exp(-times[k] / 2000), sum[k] / known[k], 0.04);
	}
}

/* Everything died before the first collection at 10: when within it, nobody can say. */
TEST(one_collection_resolves_nothing)
{
	struct spans s = {0};
	struct curve c;
	for (int i = 0; i < 200; i++)
		EXPECT_INT(0, spans_add(&s, FATE_DIED, 0, 0, 10, 1));
	EXPECT_INT(0, interval_curve(&s, &c));
	EXPECT_NEAR(0, curve_at(&c, 5).lo, 0);
	EXPECT_NEAR(1, curve_at(&c, 5).hi, 0);
	EXPECT_NEAR(0, curve_at(&c, 10).hi, 0);
	EXPECT(c.known == UINT64_MAX);
	curve_release(&c);
	spans_release(&s);
}

TEST(alive_at_the_end)
{
	struct spans s = {0};
	struct curve c;
	for (int i = 0; i < 100; i++)
		EXPECT_INT(
			0, spans_add(&s, i < 30 ? FATE_DIED : FATE_LOST, 0, i < 30 ? 2 : 6, 4, 1));
	EXPECT_INT(0, interval_curve(&s, &c));
	EXPECT_NEAR(0.7, curve_at(&c, 4).p, 1e-9);
	EXPECT_NEAR(0.7, curve_at(&c, 6).p, 1e-9);
	EXPECT_INT(6, c.known);
	EXPECT(isnan(curve_at(&c, 7).p));
	EXPECT_NEAR(0.3, c.died, 1e-12);
	curve_release(&c);
	spans_release(&s);
}

TEST(empty)
{
	struct spans s = {0};
	struct curve c;
	EXPECT_INT(0, interval_curve(&s, &c));
	EXPECT_INT(0, c.points.count);
	EXPECT_INT(0, c.known);
	EXPECT(isnan(curve_at(&c, 1).p));
	curve_release(&c);
}

TEST(out_of_memory)
{
	struct rng r = rng_init(tap_seed());
	struct spans s = {0};
	for (int i = 0; i < 200; i++)
		see(&r, &s, 1000 * rng_unit(&r), 100, 5000);
	uint64_t held = mem_held();
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n++) {
		struct curve c;
		mem_fail_at(n);
		err = interval_curve(&s, &c);
		mem_fail_at(0);
		curve_release(&c);
		EXPECT_INT(held, mem_held());
	}
	spans_release(&s);
}
