#include "stat/conflict.h"

#include "base/error.h"
#include "sim.h"
#include "stat/weight.h"
#include "support/tap.h"

static const struct sim_plan plans[] = {
	{.interval = 256, .least = 64, .most = 64, .track = 1, .lost = 0, .end = 0},
	{.interval = 1024, .least = 16, .most = 4096, .track = 1, .lost = 0.05, .end = 20},
	{.interval = 512, .least = 16, .most = 512, .track = 2, .lost = 0.05, .end = 30},
};

/* Adds objects until so many were sampled. */
static void fill(
	struct rng *r, struct ages *a, size_t plan, const struct sim_life *life, int samples)
{
	while (samples > 0) {
		struct sim_object o = sim_draw(r, &plans[plan], life);
		if (!o.sampled)
			continue;
		samples--;
		EXPECT_INT(0, ages_add(a, o.died ? FATE_DIED : FATE_LOST, 0, o.seen, o.weight));
	}
}

static struct conflict test_callers(
	struct rng *r, size_t plan, const struct sim_life *const *lives, size_t count, int samples)
{
	struct ages a[CONFLICT_CALLERS] = {0};
	const struct ages *callers[CONFLICT_CALLERS] = {NULL};
	struct conflict c;
	for (size_t i = 0; i < count; i++) {
		fill(r, &a[i], plan, lives[i], samples);
		callers[i] = &a[i];
	}
	EXPECT_INT(0, conflict_test(callers, count, &c));
	for (size_t i = 0; i < count; i++)
		ages_release(&a[i]);
	return c;
}

/* The same life for all: at most one split in a hundred, and the test alone near its level. */
TEST(splits_falsely_at_most_once_in_a_hundred)
{
	enum { RUNS = 60 };
	int runs = 0, splits = 0, rejected = 0;
	struct rng r = rng_init(tap_seed());
	for (size_t plan = 0; plan < ARRAY_SIZE(plans); plan++)
		for (size_t life = 0; life < sim_life_count; life++)
			for (int run = 0; run < RUNS; run++) {
				const struct sim_life *same[3];
				same[0] = same[1] = same[2] = &sim_lives[life];
				size_t count = run % 2 ? 2 : 3;
				struct conflict c =
					test_callers(&r, plan, same, count, 60 + 3 * run);
				runs++;
				splits += conflict_decide(&c, c.p);
				rejected += c.p <= CONFLICT_ALPHA;
			}
	tap_check(splits <= runs / 100, __FILE__, __LINE__, "%d false splits of %d", splits, runs);
	tap_check(rejected <= runs / 50, __FILE__, __LINE__, "%d small p of %d", rejected, runs);
}

static double short_hazard(uint32_t age)
{
	return age == 0 ? 0.98 : 0.1;
}

static double long_hazard(uint32_t age)
{
	return age == 0 ? 0.06 : 0.02;
}

/* 2 % of one caller's objects outlive a collection, 94 % of the other's. */
TEST(finds_two_callers_that_differ)
{
	static const struct sim_life brief = {"short", short_hazard},
				     lasting = {"long", long_hazard};
	const struct sim_life *lives[] = {&brief, &lasting};
	struct rng r = rng_init(tap_seed());
	int found = 0, runs = 0;
	for (size_t plan = 0; plan < ARRAY_SIZE(plans); plan++)
		for (int run = 0; run < 100; run++, runs++) {
			struct conflict c = test_callers(&r, plan, lives, 2, 200);
			found += conflict_decide(&c, c.p);
			EXPECT(c.longest == 1 && c.shortest == 0 && c.effect > 0.5);
		}
	tap_check(found >= runs * 99 / 100, __FILE__, __LINE__, "found %d of %d", found, runs);
}

/* One caller has few samples, the others many. */
static struct conflict test_few(struct rng *r, size_t plan, const struct sim_life *few,
	const struct sim_life *many, int samples)
{
	struct ages a[3] = {0};
	const struct ages *callers[] = {&a[0], &a[1], &a[2]};
	struct conflict c;
	fill(r, &a[0], plan, few, samples);
	fill(r, &a[1], plan, many, 500);
	fill(r, &a[2], plan, many, 60);
	EXPECT_INT(0, conflict_test(callers, ARRAY_SIZE(callers), &c));
	for (size_t i = 0; i < ARRAY_SIZE(callers); i++)
		ages_release(&a[i]);
	return c;
}

/* Ten to twenty samples of a caller whose objects all stay, beside one whose nearly all die, are
 * enough; and where it lives as the others they split it off no more often than more would. */
TEST(few_samples_of_one_caller_tell_it_apart)
{
	enum { RUNS = 50 };
	static const struct sim_life brief = {"short", short_hazard},
				     lasting = {"long", long_hazard};
	struct rng r = rng_init(tap_seed());
	int found = 0, runs = 0, splits = 0, rejected = 0, same = 0;
	for (int run = 0; run < RUNS; run++)
		for (int n = 11; n < 20; n += 4, runs++) {
			struct conflict c = test_few(&r, 0, &lasting, &brief, n);
			found += conflict_decide(&c, c.p) && c.longest == 0 && c.effect > 0.4;
		}
	for (size_t life = 0; life < sim_life_count; life++)
		for (int run = 0; run < 3 * RUNS; run++, same++) {
			struct conflict c = test_few(&r, (size_t)run % ARRAY_SIZE(plans),
				&sim_lives[life], &sim_lives[life], 10 + run % 10);
			splits += conflict_decide(&c, c.p);
			rejected += c.p <= CONFLICT_ALPHA;
		}
	tap_check(found >= runs * 99 / 100, __FILE__, __LINE__, "found %d of %d", found, runs);
	tap_check(splits <= same / 100, __FILE__, __LINE__, "%d false of %d", splits, same);
	tap_check(rejected <= same / 50, __FILE__, __LINE__, "%d small p of %d", rejected, same);
}

TEST(too_few_samples_decide_nothing)
{
	const struct sim_life *lives[] = {&sim_lives[0], &sim_lives[5]};
	struct rng r = rng_init(tap_seed());
	struct conflict c = test_callers(&r, 0, lives, 2, 9);
	EXPECT_INT(0, c.df);
	EXPECT_NEAR(1, c.p, 0);
	EXPECT(!conflict_decide(&c, 0));
	const struct ages *many[CONFLICT_CALLERS + 1] = {NULL};
	EXPECT_INT(ERR_LIMIT, conflict_test(many, CONFLICT_CALLERS + 1, &c));
}

/* A difference too small to act on is none, however sure. */
TEST(small_effects_do_not_split)
{
	struct ages a[2] = {0};
	for (int i = 0; i < 20000; i++)
		for (int k = 0; k < 2; k++)
			EXPECT_INT(0, ages_add(&a[k], FATE_DIED, 0, i % 100 < 50 + 8 * k, 2));
	const struct ages *callers[] = {&a[0], &a[1]};
	struct conflict c;
	EXPECT_INT(0, conflict_test(callers, 2, &c));
	EXPECT(c.p < 1e-9);
	EXPECT_NEAR(0.08, c.effect, 1e-9);
	EXPECT_INT(1, c.t);
	EXPECT(!conflict_decide(&c, c.p));
	ages_release(&a[0]);
	ages_release(&a[1]);
}

/* Curves that differ by chance only, for all that 25 samples can tell, have no effect. */
TEST(intervals_that_touch_are_no_effect)
{
	struct ages a[2] = {0};
	for (int i = 0; i < 25; i++)
		for (int k = 0; k < 2; k++)
			EXPECT_INT(0, ages_add(&a[k], FATE_DIED, 0, i < 11 + 4 * k, 2));
	const struct ages *callers[] = {&a[0], &a[1]};
	struct conflict c;
	EXPECT_INT(0, conflict_test(callers, 2, &c));
	EXPECT_INT(1, c.df);
	EXPECT_NEAR(0, c.effect, 0);
	EXPECT(!conflict_decide(&c, 0));
	ages_release(&a[0]);
	ages_release(&a[1]);
}

TEST(out_of_memory)
{
	struct ages a = {0};
	for (uint32_t i = 0; i < 100; i++)
		EXPECT_INT(0, ages_add(&a, FATE_DIED, 0, i % 20, 2));
	const struct ages *callers[] = {&a, &a};
	uint64_t held = mem_held();
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n++) {
		struct conflict c;
		mem_fail_at(n);
		err = conflict_test(callers, 2, &c);
		mem_fail_at(0);
		EXPECT_INT(held, mem_held());
	}
	ages_release(&a);
}
