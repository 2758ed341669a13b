#include "analyze/advise_run.h"

#include <math.h>

#include "base/error.h"
#include "support/advise_of.h"
#include "support/tap.h"

#define MB 1000000.0

static const struct sim_site shop[] = {
	{"byte[]", {"a.B.c:1", "a.Main.main:2"}, 4096, 300, 100, 0, 0},
	{"a.Order", {"a.Parser.order:40", "a.Main.main:2"}, 640, 120, 20, 2, 6},
	{"a.Term", {"a.Index.add:17", "a.Main.main:2"}, 2048, 60, 3, 16, 60},
	{"a.Page[]", {"a.Cache.page:3", "a.Main.main:2"}, 512, 80, 50, 6, 9},
};

static struct sim_text facts[] = {{"gc", "G1"}, {"jdk.version", "17.0.9"}, {"deaths", "collection"},
	{"heap.max", "536870912"}, {"tenuring.max", "15"}, {NULL, NULL}};

static struct sim program(void)
{
	return (struct sim){.sites = shop,
		.count = 4,
		.facts = facts,
		.seed = tap_seed(),
		.samples = 20000,
		.interval = 100000,
		.gc_bytes = 20000000,
		.promote = 15,
		.young_role = ROLE_YOUNG,
		.full_role = ROLE_FULL,
		.full_every = 40,
		.bytes_per_s = 200000000,
		.gc_ns = 3000000,
		.copy_ns = 0.8};
}

static const struct advise_run *run_of(struct advise_of *a, const struct sim *s)
{
	EXPECT_INT(0, advise_of_sim(a, s));
	EXPECT_INT(0, advise_of_find(a, 0));
	return &a->advise.run;
}

/* A thousand collections, none of the old generation: what is still young at the end is few. */
static struct sim long_program(uint32_t promote)
{
	struct sim s = program();
	s.gc_bytes = 2000000;
	s.full_every = 0;
	s.promote = promote;
	return s;
}

/* The simulated collector sums up what it copies, object by object. Ages must say the same, but for
 * what is still young at the end: up to 16 of 1000 collections. */
TEST(ages_say_what_the_collector_did)
{
	for (uint32_t t = 1; t <= 15; t += 7) {
		struct advise_of a;
		struct sim s = long_program(t);
		const struct advise_run *r = run_of(&a, &s);
		EXPECT(r->vm_known && r->ages_known);
		EXPECT_INT(t, r->held_known);
		double vm = r->survivors + r->promoted, ages = r->all.copied[TENURING_MOST];
		EXPECT_NEAR(1, ages / vm, 0.005);
		EXPECT_NEAR(ages, advise_run_copied(r), 0.005 * ages);
		EXPECT_NEAR(1, r->all.promoted[TENURING_MOST] / r->promoted, 0.005);
		advise_of_release(&a);
	}
}

/* What would be at another bound is what the collector does with it. */
TEST(another_threshold_is_foretold)
{
	struct advise_of a, b;
	struct sim s = long_program(15);
	const struct advise_run *r = run_of(&a, &s);
	for (uint32_t t = 0; t <= 8; t += 2) {
		s.promote = t;
		/* A VM with the bound 0 tells so in the fact; its threshold reads as unknown. */
		facts[4].value = t ? "15" : "0";
		const struct advise_run *then = run_of(&b, &s);
		struct whatif w = advise_whatif(r, t, 1);
		EXPECT(!w.at_most);
		EXPECT_NEAR(1, w.copied / (then->survivors + then->promoted), 0.005);
		EXPECT_NEAR(1, w.promoted / then->promoted, 0.005);
		advise_of_release(&b);
	}
	facts[4].value = "15";
	EXPECT(advise_whatif(r, TENURING_MOST, 2).at_most);
	advise_of_release(&a);
}

TEST(the_cost_of_copying_is_found)
{
	struct advise_of a;
	struct sim s = program();
	const struct advise_run *r = run_of(&a, &s);
	EXPECT(r->cost_known);
	/* Three times the interval's half width: chance alone does not go there. */
	EXPECT_NEAR(0.8, r->cost.value,
		3 * fmax(r->cost.hi - r->cost.value, r->cost.value - r->cost.lo));
	EXPECT(r->fixed >= 0);
	double line = (double)r->young * r->fixed + r->cost.value * (r->survivors + r->promoted);
	EXPECT_NEAR(1, r->young_pause / line, 0.15);
	advise_of_release(&a);
}

/* Pauses that have nothing to do with copying cost nothing that can be told. */
TEST(no_cost_where_pauses_do_not_follow)
{
	struct advise_of a;
	struct sim s = program();
	s.copy_ns = 0;
	const struct advise_run *r = run_of(&a, &s);
	EXPECT(!r->cost_known || r->cost.lo < 0.02);
	for (size_t i = 0; i < a.model.gcs.list.count; i++)
		a.model.gcs.list.at[i].heap_after = a.model.gcs.list.at[i].old_after = 0;
	EXPECT_INT(0, advise_of_find(&a, 0));
	EXPECT(!r->vm_known && !r->cost_known && isnan(r->fixed));
	EXPECT_NEAR(1, r->fit, 0);
	advise_of_release(&a);
}

struct gc_sums {
	double pause, young;
};

static int add_gc(void *arg, const struct record *r)
{
	struct gc_sums *sums = arg;
	sums->pause += r->kind == RECORD_gc ? (double)r->gc.pause : 0;
	sums->young += r->kind == RECORD_gc && r->gc.collector == 1;
	return 0;
}

TEST(steps_and_pauses_are_the_traces)
{
	struct advise_of a;
	struct sim s = program();
	const struct advise_run *r = run_of(&a, &s);
	struct gc_sums sums = {0};
	EXPECT_INT(0, sim_run(&s, add_gc, &sums));
	EXPECT_NEAR(sums.pause, r->pause, 1);
	EXPECT(sums.young > 0);
	EXPECT_NEAR(sums.young, (double)r->young, 0);
	EXPECT_NEAR(20 * MB * 40 / 39, r->step, 0.6 * MB);
	EXPECT_NEAR(536870912, r->heap_max, 0);
	advise_of_release(&a);
}

/* Collectors without survivor spaces, and ages that only the old generation tells. */
TEST(without_young_ages_nothing_is_judged)
{
	struct advise_of a;
	struct sim s = program();
	facts[0].value = "ZGC";
	EXPECT(!run_of(&a, &s)->ages_known);
	advise_of_release(&a);
	facts[0].value = "Serial";
	facts[2].value = "old";
	EXPECT(!run_of(&a, &s)->ages_known);
	advise_of_release(&a);
	facts[2].value = "collection";
	EXPECT(run_of(&a, &s)->ages_known);
	advise_of_release(&a);
	facts[0].value = "G1";
	s.samples = 1000; /* five collections */
	EXPECT(!run_of(&a, &s)->ages_known);
	advise_of_release(&a);
}
