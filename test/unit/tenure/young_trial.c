#include "tenure/young_trial.h"

#include <math.h>

#include "base/compiler.h"
#include "support/tap.h"

enum { MB = 1 << 20 };

static struct round of(uint64_t allocated, uint64_t copied, uint64_t cpu)
{
	return (struct round){.count = 1,
		.collection[0] = {.allocated = allocated, .survivors = copied, .cpu = cpu}};
}

/* By fields: what lies between them is anybody's. */
static bool is_same(const struct decision_young *a, const struct decision_young *b)
{
	return a->there == b->there && a->set == b->set && a->mb == b->mb &&
	       a->heap_mb == b->heap_mb && a->before_mb == b->before_mb && a->runs == b->runs &&
	       a->before.copied == b->before.copied && a->before.cpu == b->before.cpu &&
	       a->before.cpu_calm == b->before.cpu_calm && a->before.full == b->before.full &&
	       a->expected == b->expected;
}

TEST(a_start_does_not_count_and_a_few_rounds_tell_nothing)
{
	struct young_trial t = {0};
	struct young_figures f;
	struct round start = of(MB, MB, MB), later = of(2 * MB, 1000, 500);
	for (int i = 0; i < 5; i++) {
		EXPECT(!young_trial_figures(&t, &f));
		young_trial_round(&t, i < 2 ? &start : &later);
	}
	EXPECT(young_trial_figures(&t, &f));
	EXPECT_INT(500, f.copied);
	EXPECT_INT(250, f.cpu);
	EXPECT_INT(240, f.cpu_calm); /* 240 to 255 */
	later.collection[0].cpu = ROUND_UNKNOWN;
	young_trial_round(&t, &later);
	EXPECT(young_trial_figures(&t, &f));
	EXPECT_INT(500, f.copied);
	EXPECT_INT(0, f.cpu);
	EXPECT_INT(0, f.cpu_calm);
}

/* 30 rounds, of which others made all but four take ten times as much, or all but three. */
TEST(calm_is_what_a_tenth_of_the_rounds_took)
{
	for (int calm = 3; calm <= 4; calm++) {
		struct young_trial t = {0};
		struct young_figures f;
		for (int i = 0; i < 32; i++) {
			bool is_calm = i >= 2 && i < 2 + calm;
			struct round r = of(MB, 1000, is_calm ? 512 : 5120);
			young_trial_round(&t, &r);
		}
		EXPECT(young_trial_figures(&t, &f));
		EXPECT_INT(calm == 3 ? 5120 : 512, f.cpu_calm);
	}
}

/* All its collections were full ones, say: what it allocated was copied by none that counts. */
TEST(a_round_may_not_know_what_it_copied)
{
	struct young_trial t = {0};
	struct young_figures f;
	struct round known = of(2 * MB, 1000, 500), blind = of(2 * MB, 1000, 1500);
	round_go_blind(&blind);
	for (int i = 0; i < 6; i++)
		young_trial_round(&t, i < 4 ? &known : &blind);
	EXPECT(young_trial_figures(&t, &f));
	EXPECT_INT(500, f.copied);
	EXPECT_INT(500, f.cpu);
}

TEST(what_full_collections_keep_is_of_all_that_was_allocated)
{
	struct young_trial t = {0};
	struct young_figures f;
	struct round r = of(2 * MB, 1000, 500);
	for (int i = 0; i < 6; i++) {
		r.full = i % 2 ? 400 : 0;
		young_trial_round(&t, &r);
	}
	EXPECT(young_trial_figures(&t, &f));
	EXPECT_INT(100, f.full);
}

/* Each collection is a full one: the worst that a size can do. */
TEST(a_run_of_full_collections_is_judged)
{
	struct young_trial t = {0};
	struct young_figures f;
	struct diag why = {""};
	struct round blind = of(2 * MB, 1000, 500);
	round_go_blind(&blind);
	blind.full = 2000;
	for (int i = 0; i < 5; i++)
		young_trial_round(&t, &blind);
	EXPECT(young_trial_figures(&t, &f));
	EXPECT_INT(0, f.copied);
	EXPECT_INT(1000, f.full);
	EXPECT(young_trial_fails(&(struct young_figures){2999, 0, 0, 0}, &f, &why));
	EXPECT(!young_trial_fails(&(struct young_figures){3001, 0, 0, 0}, &f, &why));
}

TEST(no_figure_is_more_than_a_file_may_say)
{
	struct young_trial t = {0};
	struct young_run run = {.known = true,
		.offer = {.bytes = 200 * MB, .now.bytes = 100, .then.bytes = 99},
		.room = {.heap = 400 * MB, .young = 100 * MB}};
	struct round r = of(1000, 1ull << 50, 1ull << 60);
	struct decisions d = {.list = {0}}, back;
	struct diag why = {""};
	struct buf b = {0};
	for (int i = 0; i < 5; i++)
		young_trial_round(&t, &r);
	EXPECT(young_trial_figures(&t, &run.now));
	d.young = young_trial_next(&(struct decision_young){.there = false}, &run, &why);
	decisions_write(&d, &b);
	EXPECT_INT(0, decisions_read(&back, buf_slice(&b), "f", &why));
	EXPECT_STR("", why.text);
	EXPECT(is_same(&back.young, &d.young));
	decisions_release(&back);
	buf_release(&b);
}

TEST(it_fails_where_the_collector_does_more)
{
	static const struct {
		struct young_figures before, now;
		bool fails;
	} cases[] = {
		{{1000, 500, 0, 400}, {600, 300, 0, 200}, false},
		{{1000, 500, 0, 400}, {1000, 300, 0, 200}, true},
		{{1000, 500, 0, 400}, {600, 1000, 0, 900}, false},
		{{1000, 500, 0, 400}, {600, 1001, 0, 801}, true},
		{{1000, 0, 0, 0}, {600, 1001, 0, 801}, false},
		{{1000, 500, 0, 400}, {600, 0, 0, 0}, false},
		{{0, 0, 0, 0}, {600, 1001, 0, 801}, false},
		/* Where some rounds have taken little, others were disturbed. */
		{{1000, 500, 0, 400}, {600, 5000, 0, 800}, false},
		{{1000, 500, 0, 0}, {600, 5000, 0, 800}, false},
		/* A byte that a full collection keeps is three that are copied. */
		{{1000, 500, 100, 0}, {600, 500, 233, 0}, false},
		{{1000, 500, 100, 0}, {600, 500, 234, 0}, true},
		{{1000, 500, 100, 0}, {1100, 500, 66, 0}, false},
		{{1000, 500, YOUNG_FULL_UNKNOWN, 0}, {600, 500, 9999, 0}, false},
		{{1000, 500, 100, 0}, {999, 500, YOUNG_FULL_UNKNOWN, 0}, false},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct diag why = {""};
		bool fails = young_trial_fails(&cases[i].before, &cases[i].now, &why);
		EXPECT_INT(cases[i].fails, fails);
		EXPECT_INT(fails, why.text[0] != 0);
	}
}

static const struct young_run offered = {.known = true,
	.now = {1000, 500, 0, 400},
	.offer = {.bytes = 200 * MB, .now.bytes = 100, .then.bytes = 40},
	.room = {.heap = 400 * MB, .young = 100 * MB}};
static const struct decision_young none, said = {.there = true,
						 .set = true,
						 .mb = 200,
						 .heap_mb = 400,
						 .before_mb = 100,
						 .before = {1000, 500, 0, 400},
						 .expected = 400};

TEST(what_is_offered_is_for_the_next_run)
{
	struct diag why;
	struct decision_young next = young_trial_next(&none, &offered, &why);
	EXPECT(is_same(&next, &said));
	struct young_run run = offered;
	run.known = false; /* too short */
	EXPECT(!young_trial_next(&none, &run, &why).there);
	run = offered;
	run.room.held = 140ull * MB; /* it has grown since */
	EXPECT(!young_trial_next(&none, &run, &why).there);
	run = offered;
	run.offer.bytes = 0;
	EXPECT(!young_trial_next(&none, &run, &why).there);
}

TEST(what_was_set_stays_while_it_pays)
{
	struct diag why;
	struct young_run run = {.set = true,
		.known = true,
		.now = {450, 300, 0, 0},
		.room = {.heap = 400 * MB, .young = 200 * MB}};
	struct decision_young next = young_trial_next(&said, &run, &why);
	EXPECT(next.set && next.mb == 200 && next.runs == 1 && next.before.copied == 1000);
	run.known = false;
	EXPECT_INT(0, young_trial_next(&said, &run, &why).runs);
	run.known = true;
	run.offer = (struct young_offer){.bytes = 250 * MB, .now.bytes = 10, .then.bytes = 6};
	next = young_trial_next(&next, &run, &why); /* a step further */
	EXPECT(next.set && next.mb == 250 && next.before_mb == 200 && !next.runs);
	EXPECT_INT(450, next.before.copied);
	EXPECT_INT(270, next.expected);
	EXPECT_STR("", why.text);
}

TEST(what_failed_is_kept_out_and_so_is_what_is_as_large)
{
	struct diag why;
	struct young_run run = offered;
	run.set = true;
	run.now = (struct young_figures){450, 1200, 0, 900};
	struct decision_young out = young_trial_next(&said, &run, &why);
	EXPECT(out.there && !out.set && out.mb == 200);
	EXPECT_STR(
		"the collector took 140 % more of the CPU for each byte than without it", why.text);
	struct decision_young next = young_trial_next(&out, &offered, &why);
	EXPECT(!next.set && next.mb == 200);
	EXPECT_STR("", why.text);
	run = offered;
	run.offer.bytes = 150 * MB;
	next = young_trial_next(&out, &run, &why);
	EXPECT(next.set && next.mb == 150);
	run = offered;
	run.room.heap = 800ull * MB; /* another heap's */
	next = young_trial_next(&out, &run, &why);
	EXPECT(next.set && next.mb == 200 && next.heap_mb == 800);
}

TEST(what_was_not_tried_waits)
{
	struct diag why;
	struct young_run run = offered;
	run.offer.bytes = 150 * MB;
	struct decision_young next = young_trial_next(&said, &run, &why);
	EXPECT(next.set && next.mb == 200);
	run.room.heap = 800ull * MB; /* it was for another heap */
	EXPECT_INT(150, young_trial_next(&said, &run, &why).mb);
	run.offer.bytes = 0;
	EXPECT_INT(200, young_trial_next(&said, &run, &why).mb);
}

TEST(what_a_person_wrote_is_done_and_not_judged)
{
	struct diag why;
	struct decision_young own = {.there = true, .set = true, .mb = 200};
	struct young_run run = {.set = true,
		.known = true,
		.now = {4500, 7000, 0, 0},
		.room = {.heap = 400 * MB, .young = 200 * MB}};
	struct decision_young next = young_trial_next(&own, &run, &why);
	EXPECT(next.set && next.mb == 200 && next.runs == 1);
}
