/* How long the levers rest, against a simulated heap: as long as it takes to see what they are
 * worth, and no longer. Each program is run with many seeds, and as often to the end of its rounds.
 */
#include <stdio.h>

#include "base/compiler.h"
#include "loop.h"
#include "support/tap.h"

enum { SEEDS = 6 };

/* What is in flight survives once or twice; a cache beside it. */
static const struct heap_law served[] = {
	{.share = 0.57, .size = 160, .part = {{1, 0, 0.4}}},
	{.share = 0.4, .size = 100, .part = {{0.9, 0.7, 2.2}, {0.1, 25, 60}}},
	{.share = 0.03, .size = 100, .part = {{1, 25, 60}}},
};

/* The same places: nothing is kept for more than four collections. */
static const struct heap_law served_shortly[] = {
	{.share = 0.57, .size = 160, .part = {{1, 0, 0.4}}},
	{.share = 0.4, .size = 100, .part = {{0.9, 0.7, 2.2}, {0.1, 2.2, 4}}},
	{.share = 0.03, .size = 100, .part = {{1, 2.2, 4}}},
};

/* With a smaller cache: what dies early without a second chance costs more than the cache is worth.
 */
static const struct heap_law served_mostly[] = {
	{.share = 0.55, .size = 160, .part = {{1, 0, 0.4}}},
	{.share = 0.435, .size = 100, .part = {{0.97, 0.7, 2.2}, {0.03, 25, 60}}},
	{.share = 0.015, .size = 100, .part = {{1, 25, 60}}},
};

/* The same with so much garbage that no more is copied for it than for a third that is kept. */
static const struct heap_law served_little[] = {
	{.share = 0.83, .size = 160, .part = {{1, 0, 0.4}}},
	{.share = 0.163, .size = 100, .part = {{0.97, 0.7, 2.2}, {0.03, 25, 60}}},
	{.share = 0.007, .size = 100, .part = {{1, 25, 60}}},
};

struct tally {
	uint32_t runs, probes, probed, wrong, longest;
};

static void begin_seeded(struct loop *l, const struct heap_law *laws, uint64_t seed, bool patient)
{
	begin(l, laws, 3);
	l->heap.births = rng_init(seed * 3 + 1);
	l->heap.samples = rng_init(seed * 3 + 2);
	l->heap.cpu = rng_init(seed * 3 + 3);
	l->heap.interval = 2000;
	l->heap.mark_every = 0; /* only a probe tells what dies early */
	l->heap.noise = 0.1;
	l->patient = patient;
}

static void add(struct tally *t, const struct loop *l, bool wrong)
{
	t->runs++;
	t->probes += l->probes;
	t->probed += l->probed;
	t->wrong += wrong;
	t->longest = l->longest > t->longest ? l->longest : t->longest;
}

static void show(const char *what, const struct tally *t)
{
	printf("# %s: %u runs, %u probes of %.1f collections, at most %u; wrong %u\n", what,
		t->runs, t->probes, (double)t->probed / t->probes, t->longest, t->wrong);
}

/* What pays all the time: wrong is what was taken back. */
static struct tally while_it_pays_sampled(
	const struct heap_law *laws, uint64_t interval, bool patient)
{
	struct tally t = {0};
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct loop l;
		begin_seeded(&l, laws, seed, patient);
		l.heap.interval = interval;
		rounds(&l, 60);
		add(&t, &l, l.takes_back);
		end(&l);
	}
	return t;
}

static struct tally while_it_pays(const struct heap_law *laws, bool patient)
{
	return while_it_pays_sampled(laws, 2000, patient);
}

/* What a file says of it, which pays, but for `dear` ns for each byte promoted: nothing is known of
 * before. Until the first probe is over. */
static void loaded(struct tally *t, uint64_t seed, double dear, bool patient)
{
	struct loop l;
	begin_seeded(&l, a_third, seed, patient);
	EXPECT_INT(0, controller_init(&l.c, &l.rule));
	controller_trust(l.c, 16);
	controller_load_threshold(l.c, 0);
	l.heap.most = 0;
	l.dear = dear;
	rounds(&l, 16);
	while ((!l.probes || controller_state(l.c) == CONTROLLER_PROBE) && l.rounds < 40)
		one_round(&l);
	rounds(&l, 4);
	add(t, &l, dear > 0 ? !l.takes_back : l.takes_back);
	end(&l);
}

static struct tally what_a_file_says(double dear, bool patient)
{
	struct tally t = {0};
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		loaded(&t, seed, dear, patient);
	return t;
}

/* It does not pay any more, and only a probe can tell: wrong is what was kept by the first one. */
static struct tally once_it_does_not(
	const struct heap_law *laws, const struct heap_law *then, bool patient)
{
	struct tally t = {0};
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct loop l;
		begin_seeded(&l, laws, seed, patient);
		rounds(&l, 12);
		uint32_t bound = controller_threshold(l.c);
		l.heap.laws = then;
		for (uint32_t before = l.probes; l.probes == before && l.rounds < 60;)
			one_round(&l);
		while (controller_state(l.c) == CONTROLLER_PROBE)
			one_round(&l);
		add(&t, &l, controller_threshold(l.c) == bound);
		end(&l);
	}
	return t;
}

static void compare(const struct tally *is, const struct tally *was, const char *what)
{
	show(what, is);
	show("to the end", was);
	EXPECT(is->probes >= SEEDS && was->probes >= SEEDS);
	EXPECT(is->wrong <= was->wrong);
	EXPECT(is->probed <= was->probed);
}

TEST(what_pays_is_kept_after_fewer_collections)
{
	struct tally is = while_it_pays(a_third, false), was = while_it_pays(a_third, true);
	compare(&is, &was, "a third is kept");
	EXPECT(is.probed <= was.probed / 2);
	is = while_it_pays(served, false), was = while_it_pays(served, true);
	compare(&is, &was, "requests");
	EXPECT(is.probed <= was.probed * 3 / 4);
}

/* Collections of which no ages are known are none by which anything is clear. */
TEST(what_tells_no_ages_makes_nothing_clear)
{
	struct loop l;
	begin_seeded(&l, a_third, 1, false);
	l.spill = 5;
	rounds(&l, 12);
	EXPECT_INT(1, l.probes);
	EXPECT_INT(10, l.probed); /* 6 where all tell */
	EXPECT(!l.takes_back);
	end(&l);
}

TEST(what_does_not_pay_any_more_goes_as_surely)
{
	struct tally is = once_it_does_not(a_third, other_phase, false);
	struct tally was = once_it_does_not(a_third, other_phase, true);
	compare(&is, &was, "a third was kept");
	is = once_it_does_not(served, served_shortly, false);
	was = once_it_does_not(served, served_shortly, true);
	compare(&is, &was, "requests before");
}

/* The program keeps other things, for which another setting is right: it is not gone without any
 * until a wait is over. */
TEST(where_another_setting_pays_it_is_taken_at_once)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct loop l;
		begin_seeded(&l, a_third, seed, false);
		rounds(&l, 12);
		EXPECT_INT(0, controller_threshold(l.c));
		l.heap.laws = served_mostly;
		for (uint32_t before = l.probes; l.probes == before && l.rounds < 60;)
			one_round(&l);
		while (controller_state(l.c) == CONTROLLER_PROBE)
			one_round(&l);
		EXPECT_INT(CONTROLLER_SETTLE, controller_state(l.c));
		EXPECT(controller_threshold(l.c) > 0 && controller_threshold(l.c) < 15);
		end(&l);
	}
}

/* What it is held to is the look that it came from, and not a start that copied far more. */
TEST(another_setting_that_brings_nothing_is_taken_back)
{
	struct loop l;
	begin_seeded(&l, a_third, 1, false);
	rounds(&l, 12);
	l.heap.laws = served_little;
	while (controller_threshold(l.c) == 0 && l.rounds < 60)
		one_round(&l);
	EXPECT(controller_threshold(l.c) < 15 && !l.takes_back && !l.asked);
	for (int i = 0; i < 5 && !l.takes_back; i++) {
		l.heap.most = 15;
		one_round(&l);
	}
	EXPECT_INT(1, l.takes_back);
	end(&l);
}

TEST(what_a_file_says_is_kept_after_fewer_collections)
{
	struct tally is = what_a_file_says(0, false), was = what_a_file_says(0, true);
	compare(&is, &was, "a file's");
	EXPECT(is.probed <= was.probed / 2);
}

/* Old objects that are written to cost more than their copies did. */
TEST(what_a_file_says_goes_where_it_is_dear)
{
	struct tally is = what_a_file_says(60, false), was = what_a_file_says(60, true);
	compare(&is, &was, "a file's, dear");
}

TEST(few_samples_are_enough_where_copies_tell)
{
	struct tally is = while_it_pays_sampled(served, 10000, false);
	struct tally was = while_it_pays_sampled(served, 10000, true);
	compare(&is, &was, "requests, a fifth of the samples");
	EXPECT(is.probed <= was.probed * 2 / 3);
}
