#include "analyze/lifespans.h"

#include "base/error.h"
#include "base/rng.h"
#include "stat/survival.h"
#include "support/tap.h"

static const unsigned gc_clocks = 1u << CLOCK_YOUNG | 1u << CLOCK_FULL;

static void add(struct lifespans *l, struct life life, double weight)
{
	EXPECT_INT(0, lifespans_add(l, &life, 1, weight, gc_clocks));
}

static double survives(const struct lifespans *l, enum clock clock, uint64_t t)
{
	struct curve c;
	EXPECT_INT(0, survival_curve(lifespans_ages(l, clock), &c));
	double p = curve_at(&c, t).p;
	curve_release(&c);
	return p;
}

/* Three found by a young collection between two full ones, and one that lives on. */
static void begin(struct lifespans *l)
{
	for (int i = 0; i < 3; i++)
		add(l, (struct life){.died = true, .young = 1, .full = 0, .full_clock = 4}, 2);
	add(l, (struct life){.young = 2, .full = 1, .full_clock = 5}, 2);
}

TEST(a_death_between_full_collections_counts_when_another_came)
{
	struct lifespans l = {0};
	begin(&l);
	EXPECT_INT(0, lifespans_settle(&l, 5));
	EXPECT_NEAR(0.25, survives(&l, CLOCK_FULL, 1), 1e-12);
	EXPECT_NEAR(0.25, survives(&l, CLOCK_YOUNG, 2), 1e-12);
	lifespans_release(&l);
}

TEST(a_death_after_the_last_full_collection_proves_nothing)
{
	struct lifespans l = {0};
	begin(&l);
	EXPECT_INT(0, lifespans_settle(&l, 4));
	EXPECT_NEAR(1, survives(&l, CLOCK_FULL, 1), 1e-12);
	EXPECT_NEAR(0.25, survives(&l, CLOCK_YOUNG, 2), 1e-12);
	lifespans_release(&l);
}

TEST(only_the_clocks_asked_for)
{
	struct lifespans l = {0};
	struct life life = {.died = true, .full_found = true};
	EXPECT_INT(0, lifespans_add(&l, &life, 1, 1, 1u << CLOCK_FULL | 1u << CLOCK_NS));
	EXPECT_INT(0, lifespans_ages(&l, CLOCK_YOUNG)->all.n);
	EXPECT_INT(1, lifespans_ages(&l, CLOCK_FULL)->all.n);
	EXPECT_INT(ERR_USAGE, lifespans_add(&l, &life, 1, 0.5, gc_clocks));
	lifespans_release(&l);
}

static struct life random_life(struct rng *rng, uint64_t full_clock)
{
	return (struct life){.died = rng_below(rng, 2),
		.full_found = rng_below(rng, 2),
		.young = rng_below(rng, 9),
		.full = rng_below(rng, 3),
		.full_clock = full_clock};
}

/* Two that were settled apart and merged are one that had all. */
TEST(a_merge_is_what_adding_all_gives)
{
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < 200; round++) {
		struct lifespans all = {0}, part[2] = {{.open_clock = 0}, {.open_clock = 0}};
		for (uint64_t i = 0; i < 30; i++) {
			struct life life = random_life(&rng, i / 7);
			double weight = (double)(1 + rng_below(&rng, 4));
			add(&all, life, weight);
			add(&part[rng_below(&rng, 2)], life, weight);
		}
		EXPECT_INT(0, lifespans_settle(&all, 4));
		for (int i = 0; i < 2; i++)
			EXPECT_INT(0, lifespans_settle(&part[i], 4));
		EXPECT_INT(0, lifespans_merge(&part[0], &part[1]));
		for (int c = 0; c < CLOCKS_GC; c++) {
			const struct ages *a = lifespans_ages(&all, (enum clock)c);
			const struct ages *b = lifespans_ages(&part[0], (enum clock)c);
			EXPECT_INT(30, a->all.n);
			EXPECT_INT(a->rows.count, b->rows.count);
			for (size_t i = 0; i < a->rows.count && i < b->rows.count; i++) {
				EXPECT_INT(a->rows.at[i].age, b->rows.at[i].age);
				EXPECT_INT(a->rows.at[i].died.n, b->rows.at[i].died.n);
				EXPECT_NEAR(a->rows.at[i].died.w, b->rows.at[i].died.w, 1e-9);
				EXPECT_NEAR(a->rows.at[i].lost.w, b->rows.at[i].lost.w, 1e-9);
			}
		}
		for (int i = 0; i < 2; i++)
			lifespans_release(&part[i]);
		lifespans_release(&all);
	}
}

TEST(out_of_memory)
{
	uint64_t held = mem_held();
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n++) {
		struct lifespans l = {0};
		struct life life = {.died = true, .full_clock = 1};
		mem_fail_at(n);
		err = lifespans_add(&l, &life, 1, 1, gc_clocks);
		err = err ? err : lifespans_settle(&l, 2);
		mem_fail_at(0);
		EXPECT(err == ERR_NONE || err == ERR_NOMEM);
		lifespans_release(&l);
		EXPECT_INT(held, mem_held());
	}
}
