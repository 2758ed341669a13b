/* The whole loop against a simulated heap: learn, act, judge, take back. */
#include "tenure/controller.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "loop.h"
#include "support/tap.h"
#include "tenure/decisions.h"

static const struct heap_law garbage[] = {
	{.share = 0.7, .size = 160, .part = {{1, 0, 0.4}}},
	{.share = 0.3, .size = 80, .part = {{0.97, 0, 0.4}, {0.03, 0.5, 1.2}}},
};

TEST(where_all_dies_young_nothing_is_ever_done)
{
	struct loop l;
	begin(&l, garbage, 2);
	rounds(&l, 60);
	EXPECT_INT(0, l.takes + l.takes_back + l.advices + l.young_advices);
	EXPECT(l.low_at > 0 && !l.full_at);
	end(&l);
}

static const struct heap_law started[] = {
	{.share = 0.66, .size = 160, .part = {{1, 0, 0.02}}},
	{.share = 0.14, .size = 120, .part = {{1, 0, 0.02}}},
	{.share = 0.2, .size = 400, .part = {{1, 0, 0.02}}, .flags = SNAPSHOT_LEAF},
};

/* What a start has filled grows old once: by the time of the first decision nothing is left to
 * spare. */
TEST(a_start_is_no_reason)
{
	struct loop l;
	begin(&l, a_third, 3);
	l.rule.learn_rounds = 4; /* what was young by then has climbed through its ages */
	rounds(&l, 1);
	l.heap.laws = started;
	rounds(&l, 40);
	EXPECT(l.copied < 0.05);
	EXPECT_INT(0, l.takes + l.takes_back + l.advices);
	end(&l);
}

/* Copied once in place of sixteen times: as foretold, and a plain flag does it. */
TEST(where_a_third_lives_long_it_is_copied_once)
{
	struct loop l;
	begin(&l, a_third, 3);
	rounds(&l, 2);
	double before = l.copied;
	rounds(&l, 30);
	EXPECT_INT(2, l.first_take);
	EXPECT(l.takes > 0);
	EXPECT_INT(0, l.takes_back);
	EXPECT_NEAR(l.observed, l.predicted, 0.15 * l.observed);
	EXPECT_INT(CONTROLLER_HOLD, l.judged); /* and no more on the way there */
	EXPECT(l.copied < before / 4);
	EXPECT(controller_threshold(l.c) < 15);
	EXPECT(strstr(controller_flag(l.c), "-XX:MaxTenuringThreshold=") != NULL);
	EXPECT_INT(atoi(strchr(controller_flag(l.c), '=') + 1), controller_flag_bound(l.c));
	end(&l);
}

/* While spaces are being sized what is seen in a collection is of another eden than the last one's.
 */
TEST(what_is_foretold_is_so_for_each_byte_that_the_window_allocated)
{
	struct loop l;
	begin(&l, a_third, 3);
	l.heap.unit = l.heap.eden;
	l.heap.eden *= 2.2;
	rounds(&l, 1);
	l.heap.eden = l.heap.unit;
	rounds(&l, 12);
	EXPECT_NEAR(l.observed, l.predicted, 0.04 * l.observed);
	end(&l);
}

/* Where the threshold can't be set, only what refers to nothing jumps; the flag is named. */
TEST(without_the_threshold_leaves_alone_jump)
{
	struct loop l;
	begin(&l, a_third, 3);
	l.rule.can_set_threshold = false;
	rounds(&l, 20);
	EXPECT_INT(1, l.takes);
	EXPECT(!l.heap.jump[0] && !l.heap.jump[1] && l.heap.jump[2]);
	EXPECT_NEAR(l.observed, l.predicted, 0.15 * l.observed);
	EXPECT_INT(15, controller_threshold(l.c));
	EXPECT(controller_flag(l.c)[0]);
	end(&l);
}

/* Where classes are rewritten for longer than things take to settle (phases, Serial: 0.8 s, and a
 * collection every 12 ms), what came of it is looked at once it is in force. */
TEST(what_jumps_late_is_held_to_its_forecast_when_it_does)
{
	struct loop l;
	begin(&l, a_third, 3);
	l.rule.can_set_threshold = false;
	l.late = 60;
	rounds(&l, 20);
	EXPECT_INT(1, l.takes);
	EXPECT_INT(0, l.takes_back);
	EXPECT_NEAR(l.observed, l.predicted, 0.05 * l.observed);
	end(&l);
}

TEST(where_it_only_learns_it_says_once_what_would_be)
{
	struct loop l;
	begin(&l, a_third, 3);
	l.rule.learn_only = true;
	rounds(&l, 20);
	EXPECT_INT(1, l.takes);
	EXPECT(l.any_zero);
	EXPECT_INT(0, l.takes_back);
	EXPECT_INT(1, l.advices);
	EXPECT_INT(15, controller_threshold(l.c));
	end(&l);
	begin(&l, a_third, 3);
	l.rule.learn_only = true;
	l.rule.can_set_threshold = false;
	rounds(&l, 20);
	EXPECT_INT(1, l.takes);
	EXPECT(!l.heap.jump[2]);
	end(&l);
}

/* Requests in flight survive one or two collections: promoted at once they would fill the old
 * generation. A cache beside them is worth the jump. */
static const struct heap_law in_flight[] = {
	{.share = 0.5, .size = 160, .part = {{1, 0, 0.4}}},
	{.share = 0.35, .size = 120, .part = {{1, 0.7, 2.2}}},
	{.share = 0.15, .size = 100, .part = {{1, 25, 60}}},
};

TEST(requests_in_flight_stay_young_and_the_cache_jumps)
{
	struct loop l;
	begin(&l, in_flight, 3);
	l.process_cpu = 10000000;
	rounds(&l, 2);
	double before = l.copied;
	rounds(&l, 38);
	EXPECT(!l.any_zero);
	EXPECT(controller_threshold(l.c) >= 2);
	EXPECT(l.heap.jump[2] && !l.heap.jump[1] && !l.heap.jump[0]);
	EXPECT_NEAR(l.observed, l.predicted, 0.15 * l.observed);
	EXPECT(l.copied < 0.5 * before);
	EXPECT_INT(0, l.takes_back);
	end(&l);
}

/* What is in flight and what stays are made at the same place, so that a bound does what can be
 * done; sessions stay too, and are few once all who come are logged in. */
#define SERVED(all, sessions)                                                                      \
	{.share = (all), .size = 160, .part = {{1, 0, 0.4}}},                                      \
		{.share = 0.4, .size = 100, .part = {{0.9, 0.7, 2.2}, {0.1, 25, 60}}},             \
	{                                                                                          \
		.share = (sessions), .size = 100, .part = { {1, 25, 60} }                          \
	}
static const struct heap_law logging_in[] = {SERVED(0.57, 0.03)};
static const struct heap_law logged_in[] = {SERVED(0.596, 0.004)};
static const struct heap_law many_log_in[] = {SERVED(0.45, 0.15)};

static size_t jumps_in(const struct loop *l)
{
	size_t count;
	controller_jumps(l->c, &count);
	return count;
}

/* Jumps that save little beside a bound are not worth their helper and the classes' code. */
TEST(where_a_bound_does_nearly_all_it_does_it_alone)
{
	struct loop l;
	begin(&l, logging_in, 3);
	l.process_cpu = 10000000;
	rounds(&l, 2);
	l.heap.laws = logged_in;
	rounds(&l, 38);
	EXPECT(controller_threshold(l.c) < 15);
	EXPECT_INT(0, jumps_in(&l));
	EXPECT_INT(1, l.takes);
	EXPECT_INT(0, l.takes_back);
	end(&l);
}

TEST(jumps_that_give_much_beside_a_bound_are_taken)
{
	struct loop l;
	begin(&l, many_log_in, 3);
	l.process_cpu = 10000000;
	rounds(&l, 40);
	EXPECT(controller_threshold(l.c) < 15);
	EXPECT(l.heap.jump[2] && !l.heap.jump[1]);
	EXPECT_INT(0, l.takes_back);
	end(&l);
}

/* As many as that only in the first rounds: the next ones are waited for. */
TEST(a_start_is_no_measure_for_jumps)
{
	struct loop l;
	begin(&l, many_log_in, 3);
	l.process_cpu = 10000000;
	rounds(&l, 2);
	EXPECT_INT(0, l.takes);
	l.heap.laws = logged_in;
	rounds(&l, 2);
	EXPECT(controller_threshold(l.c) < 15);
	rounds(&l, 36);
	EXPECT_INT(0, jumps_in(&l));
	EXPECT_INT(1, l.takes);
	end(&l);
}

/* Of a round that is not over; and what it has shown. */
static void part_of_round(struct loop *l, struct round *r)
{
	enum { PART = ROUND / 2 };
	round_clear(r);
	r->room = (struct young_room){.heap = 1ull << 30, .young = 100 << 20};
	while (r->count < PART) {
		young_heap_cycle(&l->heap);
		round_add(r, &l->heap.last);
	}
	r->wall = 1000000000 / ROUND * PART;
	r->process_cpu = l->process_cpu / ROUND * PART;
	r->young = l->heap.young;
	learner_glance(l->heap.learner, &l->s);
}

/* A program that places jump for, and one that a bound does for. */
static void begin_both(struct loop *jumps, struct loop *bound)
{
	begin(jumps, in_flight, 3);
	begin(bound, a_third, 3);
	jumps->process_cpu = bound->process_cpu = 10000000;
}

/* A round that ends before its time since a bound is clear, and no bound alone is best at its end:
 * the next one is waited for. */
TEST(a_part_of_a_round_is_no_measure_for_jumps)
{
	struct loop jumps, bound;
	struct round part = {.count = 0};
	begin_both(&jumps, &bound);
	jumps.patient = bound.patient = true;
	jumps.rule.learn_rounds = 6; /* no start any more */
	rounds(&jumps, 5);
	rounds(&bound, 1);
	part_of_round(&bound, &part);
	EXPECT(controller_is_clear(jumps.c, &bound.s, &part));
	rounds(&jumps, 1);
	EXPECT_INT(0, jumps.takes);
	rounds(&jumps, 1);
	EXPECT(jumps_in(&jumps) > 0);
	end(&jumps);
	end(&bound);
}

/* Where the rest of the round may show that they pay for it: the price falls as the program runs.
 */
TEST(a_bound_waits_for_jumps_that_have_only_to_pay_for_compiling)
{
	struct loop jumps, bound;
	struct round part = {.count = 0};
	begin_both(&jumps, &bound);
	jumps.rule.rewrites = bound.rule.rewrites = true;
	rounds(&jumps, 1);
	rounds(&bound, 1);
	part_of_round(&jumps, &part);
	part.process_age = part.compilers = 1000000000; /* nothing is worth it */
	EXPECT(!controller_is_clear(jumps.c, &jumps.s, &part));
	part_of_round(&bound, &part);
	part.process_age = part.compilers = 1000000000;
	EXPECT(controller_is_clear(bound.c, &bound.s, &part));
	end(&jumps);
	end(&bound);
}

/* Nor for what a bound is foretold to leave. */
TEST(a_start_is_no_measure_for_a_bound)
{
	struct loop l;
	begin(&l, many_log_in, 3);
	l.process_cpu = 10000000;
	rounds(&l, 1);
	l.heap.laws = logged_in;
	rounds(&l, 12);
	EXPECT_INT(2, l.first_take);
	EXPECT_NEAR(l.observed, l.predicted, 0.15 * l.observed);
	end(&l);
}

/* They gave much, and give little: at a probe the bound goes on alone. */
TEST(jumps_that_give_little_any_more_leave_the_bound_alone)
{
	struct loop l;
	begin(&l, many_log_in, 3);
	l.process_cpu = 10000000;
	rounds(&l, 8);
	EXPECT(l.heap.jump[2]);
	l.heap.laws = logged_in;
	rounds(&l, 24);
	EXPECT(l.probes > 0);
	EXPECT(!l.heap.jump[2]);
	EXPECT(controller_threshold(l.c) < 15);
	rounds(&l, 40);
	EXPECT_INT(0, jumps_in(&l));
	EXPECT_INT(1, l.takes_back); /* the one jump */
	end(&l);
}

TEST(a_new_phase_is_noticed_within_three_rounds)
{
	struct loop l;
	begin(&l, a_third, 3);
	rounds(&l, 12);
	EXPECT(l.takes > 0 && !l.takes_back);
	l.heap.laws = other_phase;
	rounds(&l, 3);
	EXPECT(l.takes_back > 0);
	EXPECT_INT(15, controller_threshold(l.c));
	size_t jumps;
	controller_jumps(l.c, &jumps);
	EXPECT_INT(0, jumps);
	/* Nor is what was right then taken again; twice the young generation would help now. */
	rounds(&l, 30);
	EXPECT(controller_threshold(l.c) > 1);
	EXPECT(!l.heap.jump[1] && !l.heap.jump[2]);
	EXPECT_INT(1, l.young_advices);
	end(&l);
}

/* Rounds from the change of phase to the first marking after it, and until all was taken back. */
struct notice {
	uint32_t marked, back;
};

static struct notice notice_of(uint32_t mark_every, uint64_t interval, uint32_t most)
{
	struct loop l;
	struct notice n = {0, 0};
	begin(&l, a_third, 3);
	l.heap.mark_every = mark_every;
	l.heap.interval = interval;
	rounds(&l, 12);
	EXPECT(l.takes > 0 && !l.takes_back);
	l.heap.laws = other_phase;
	uint64_t changed = l.heap.young;
	for (uint32_t i = 1; i <= most && !n.back; i++) {
		one_round(&l);
		bool marked = mark_every && l.heap.young / mark_every > changed / mark_every;
		n.marked = !n.marked && marked ? i : n.marked;
		n.back = l.takes_back ? i : 0;
	}
	end(&l);
	return n;
}

/* What died shows where the old generation was looked through: by a tenth of the objects, too. */
TEST(it_is_noticed_within_three_rounds_of_a_marking)
{
	static const uint32_t every[] = {4, 16, 24, 50, 90};
	for (size_t i = 0; i < ARRAY_SIZE(every); i++) {
		struct notice n = notice_of(every[i], 2000, 12);
		EXPECT(n.marked && n.back && n.back >= n.marked && n.back < n.marked + 3);
	}
}

TEST(where_nothing_marks_it_is_noticed_by_a_probe)
{
	struct notice n = notice_of(0, 2000, 30);
	EXPECT(n.back > 3);
}

/* What is kept for 20 collections and more dies in the old generation, as it would have anyway. */
TEST(what_dies_old_is_no_new_phase)
{
	struct loop l;
	begin(&l, a_third, 3);
	l.heap.mark_every = 90;
	l.heap.interval = 2000;
	rounds(&l, 60);
	EXPECT(l.takes > 0);
	EXPECT_INT(0, l.takes_back);
	end(&l);
}

/* A cache's entries, dropped after some collections. */
static const struct heap_law cached[] = {
	{.share = 0.9, .size = 160, .part = {{1, 0, 0.02}}},
	{.share = 0.1, .size = 400, .part = {{1, 1, 12}}},
};

/* Survivor spaces that what survives once fills to about the half have a threshold of 1 for most
 * collections, and of 15 for some: entries are promoted at their second copy, and nearly all die
 * there, with a bound of 0 and without. */
TEST(what_dies_where_it_was_promoted_anyway_is_no_new_phase)
{
	struct loop l;
	begin(&l, cached, 2);
	l.heap.adaptive = true;
	l.heap.survivor = 40000;
	l.heap.mark_every = 24;
	l.heap.interval = 2000;
	rounds(&l, 60);
	EXPECT_INT(0, controller_threshold(l.c));
	EXPECT_INT(0, l.takes_back);
	end(&l);
}

/* G1 lets all stay young where a mixed collection has left little that is, and in the next one
 * promotes it: nothing gets as old as that threshold. So what dies at such ages would have died in
 * the old generation without the levers. */
static const struct heap_law sessions[] = {
	{.share = 0.6, .size = 160, .part = {{1, 0, 0.4}}},
	{.share = 0.4, .size = 100, .part = {{0.5, 0, 0.4}, {0.5, 4, 9}}},
};

/* Its rounds are without what is done: the last one there is not one of them. */
static void past_probe(struct loop *l)
{
	while (l->probing)
		rounds(l, 1);
	rounds(l, 1);
}

TEST(a_threshold_that_one_collection_has_alone_keeps_nothing_young)
{
	struct loop l;
	begin(&l, sessions, 2);
	l.process_cpu = 10000000;
	l.heap.lone = 2;
	l.heap.mark_every = 4;
	rounds(&l, 2);
	double before = l.copied;
	rounds(&l, 18);
	past_probe(&l);
	EXPECT_INT(0, l.takes_back);
	EXPECT(controller_threshold(l.c) < 15);
	EXPECT(l.copied < 0.75 * before);
	end(&l);
}

/* Survivor spaces too small for what survives: nearly all is promoted at its first copy, and no
 * lever saves copies. */
TEST(where_survivors_overflow_nothing_is_promised)
{
	struct loop l;
	begin(&l, a_third, 3);
	l.heap.survivor = 2500;
	rounds(&l, 40);
	EXPECT_INT(0, l.takes + l.takes_back + l.advices);
	end(&l);
}

/* Long-lived objects that are few: noise of 30 % and outliers move nothing. */
static const struct heap_law calm[] = {
	{.share = 0.995, .size = 160, .part = {{1, 0, 0.4}}},
	{.share = 0.005, .size = 120, .part = {{1, 0.5, 1.6}}},
};

TEST(noise_moves_nothing)
{
	struct loop l;
	begin(&l, calm, 2);
	l.heap.noise = 0.3;
	l.heap.outlier = 0.02;
	rounds(&l, 100);
	EXPECT_INT(0, l.takes + l.takes_back);
	end(&l);
}

TEST(noise_takes_nothing_back)
{
	struct loop l;
	begin(&l, a_third, 3);
	l.heap.noise = 0.3;
	l.heap.outlier = 0.02;
	rounds(&l, 100);
	EXPECT(l.takes > 0);
	EXPECT_INT(0, l.takes_back);
	EXPECT(l.probes > 0);
	end(&l);
}

/* What is kept sways by a third, and it pays all the while, so that it stays, and is looked at
 * again ever more seldom. */
static const struct heap_law more_of_it[] = {
	{.share = 0.5, .size = 160, .part = {{1, 0, 0.02}}},
	{.share = 0.2, .size = 120, .part = {{1, 40, 60}}},
	{.share = 0.3, .size = 400, .part = {{1, 40, 60}}, .flags = SNAPSHOT_LEAF},
};

TEST(swaying_takes_nothing_back)
{
	struct loop l;
	uint32_t early = 0;
	begin(&l, a_third, 3);
	for (int i = 0; i < 24; i++) {
		l.heap.laws = i % 2 ? more_of_it : a_third;
		rounds(&l, 7);
		early = i == 11 ? l.probes : early;
	}
	EXPECT(l.takes > 0);
	EXPECT_INT(0, l.takes_back);
	EXPECT(early >= 1 && early <= 8);
	EXPECT(l.probes - early <= early);
	EXPECT(controller_threshold(l.c) < 15);
	end(&l);
}

/* Everything there is to know of a program that goes to and fro: each change is noticed, and each
 * failure waits twice as long. */
TEST(to_and_fro_is_waited_out)
{
	struct loop l;
	begin(&l, a_third, 3);
	uint32_t before = 0, half = 0;
	for (int i = 0; i < 12; i++) {
		l.heap.laws = i % 2 ? other_phase : a_third;
		rounds(&l, 10);
		half = i == 5 ? l.takes_back : half;
	}
	before = l.takes_back - half;
	EXPECT(half >= 1);
	EXPECT(before <= half);
	end(&l);
}

/* Copies go and time does not: old objects that point to young ones, say. It is taken back, and
 * tried again after ever longer. */
TEST(what_does_not_pay_is_taken_back)
{
	struct loop l;
	begin(&l, a_third, 3);
	rounds(&l, 2);
	EXPECT(l.takes > 0);
	l.heap.card = 40;
	rounds(&l, 4);
	EXPECT(l.takes_back > 0);
	EXPECT_INT(15, controller_threshold(l.c));
	EXPECT(l.last_take_back - l.first_take <= 3);
	end(&l);
}

/* Kept for some collections: better promoted at once, were it not that the old generation is filled
 * with it and marked, in bursts, which the median of a round's groups does not show. */
static const struct heap_law kept_for_some[] = {
	{.share = 0.7, .size = 160, .part = {{1, 0, 0.02}}},
	{.share = 0.15, .size = 60, .part = {{1, 4, 12}}},
	{.share = 0.15, .size = 60, .part = {{1, 4, 12}}},
};

static void mark_beyond(struct loop *l, double old, double ns, const struct heap_law *laws)
{
	begin(l, laws, 3);
	l->rule.can_jump = false;
	l->heap.mark_every = 0;
	l->heap.most_old = old;
	l->heap.mark = ns;
	rounds(l, 40);
}

TEST(what_makes_it_mark_is_taken_back)
{
	struct loop l;
	mark_beyond(&l, 1500000, 0, kept_for_some);
	EXPECT(l.takes > 0);
	EXPECT_INT(0, l.takes_back);
	end(&l);
	mark_beyond(&l, 1500000, 5, kept_for_some);
	EXPECT(l.takes > 0);
	EXPECT(l.takes_back > 0);
	end(&l);
}

/* All that is promoted would be anyway: the same markings come with levers and without. */
TEST(marking_that_comes_anyway_is_no_fault)
{
	struct loop l;
	mark_beyond(&l, 4000000, 2, a_third);
	EXPECT(l.takes > 0);
	EXPECT_INT(0, l.takes_back);
	end(&l);
}

/* Cards cost only while a lever is moved: the same failure again and again. */
static void pay_for_levers(struct loop *l, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		l->heap.card = controller_threshold(l->c) < 15 ? 40 : 0;
		one_round(l);
	}
}

TEST(a_failure_is_not_repeated_soon)
{
	struct loop l;
	begin(&l, a_third, 3);
	one_round(&l);
	pay_for_levers(&l, 40);
	uint32_t early = l.takes_back;
	pay_for_levers(&l, 120);
	EXPECT(early >= 1 && early <= 4);
	EXPECT(l.takes_back - early <= 3);
	end(&l);
}

/* An earlier run's decisions are in force from the first round, and stay where they pay. */
TEST(what_was_learnt_before_is_in_force_at_once)
{
	struct loop l;
	begin(&l, in_flight, 3);
	l.rule.apply_only = true;
	EXPECT_INT(0, controller_init(&l.c, &l.rule));
	struct place_context cache = young_heap_place(&l.heap, 2, 0);
	EXPECT_INT(0, controller_load_jump(l.c, &cache));
	EXPECT_INT(0, controller_load_jump(l.c, &cache));
	controller_load_threshold(l.c, 3);
	l.heap.most = 3;
	young_heap_jump(&l.heap, &cache, true);
	learner_jump(l.heap.learner, &cache, true);
	rounds(&l, 40);
	size_t count;
	controller_jumps(l.c, &count);
	EXPECT_INT(1, count);
	EXPECT_INT(3, controller_threshold(l.c));
	EXPECT_INT(0, l.takes + l.takes_back);
	end(&l);
}

/* "-XX:MaxTenuringThreshold=0 gives you this" was said where nothing was done. */
TEST(no_flag_is_told_of_where_a_file_has_nothing_to_apply)
{
	struct loop l;
	begin(&l, a_third, 3);
	l.rule.apply_only = true;
	rounds(&l, 10);
	EXPECT_INT(CONTROLLER_LEARN, controller_state(l.c));
	EXPECT_INT(0, l.takes + l.advices);
	EXPECT(!controller_flag(l.c)[0]);
	end(&l);
	begin(&l, a_third, 3);
	l.rule.learn_only = true;
	rounds(&l, 10);
	EXPECT(l.advices && controller_flag(l.c)[0]);
	end(&l);
}

/* A file that says 15 moves nothing, and what is learnt begins as without it. */
TEST(a_bound_that_bounds_nothing_is_not_in_force)
{
	struct loop l;
	begin(&l, in_flight, 3);
	EXPECT_INT(0, controller_init(&l.c, &l.rule));
	controller_load_threshold(l.c, THRESHOLD_MOST);
	EXPECT_INT(CONTROLLER_LEARN, controller_state(l.c));
	EXPECT_INT(THRESHOLD_MOST, controller_threshold(l.c));
	end(&l);
}

/* The program starts slowly, and then does what the decisions are for: they stay, and there is a
 * measure for them then. */
TEST(what_was_learnt_before_outlasts_the_start)
{
	struct loop l;
	begin(&l, calm, 2);
	l.rule.apply_only = true;
	EXPECT_INT(0, controller_init(&l.c, &l.rule));
	controller_load_threshold(l.c, 1);
	l.heap.most = 1;
	rounds(&l, 5);
	l.heap.laws = a_third;
	l.heap.law_count = 3;
	rounds(&l, 40);
	EXPECT_INT(1, controller_threshold(l.c));
	EXPECT(l.probes >= 1 && l.keeps >= 1);
	EXPECT_INT(0, l.takes + l.takes_back);
	/* And go where they don't pay: cards. */
	l.heap.card = 60;
	rounds(&l, 10);
	EXPECT_INT(15, controller_threshold(l.c));
	end(&l);
}

/* What dies in the old generation keeps alive what it refers to. */
static const struct heap_law dies_young[2] = {
	{.share = 0.7, .size = 160, .part = {{1, 0, 0.02}}},
	{.share = 0.3, .size = 120, .part = {{1, 0, 1.2}}},
};
static const struct heap_law is_kept[2] = {
	{.share = 0.7, .size = 160, .part = {{1, 0, 0.02}}},
	{.share = 0.3, .size = 120, .part = {{1, 0.8, 3}}},
};

/* Nobody looks there, and the collector's CPU, most of it for other things, says nothing of it:
 * what is copied does. */
TEST(a_file_that_makes_the_collector_copy_more_goes)
{
	struct loop l;
	begin(&l, is_kept, 2);
	l.rule.apply_only = true;
	l.heap.cost = (struct cost){.old = 2};
	l.heap.mark_every = 0;
	EXPECT_INT(0, controller_init(&l.c, &l.rule));
	controller_load_threshold(l.c, 0);
	l.heap.most = 0;
	for (uint32_t i = 0; i < 20; i++) {
		l.heap.laws = l.heap.most ? dies_young : is_kept;
		one_round(&l);
	}
	EXPECT_INT(THRESHOLD_MOST, controller_threshold(l.c));
	EXPECT_INT(1, l.takes_back);
	EXPECT_STR("the decisions file says so; what it costs is measured now", l.kept);
	end(&l);
}

/* What a file says of a_third, with so many rounds of trust. */
static void begin_loaded(struct loop *l, const struct heap_law *laws, uint32_t trust)
{
	begin(l, laws, 3);
	l->heap.mark_every = 24;
	l->heap.interval = 2000;
	EXPECT_INT(0, controller_init(&l->c, &l->rule));
	controller_trust(l->c, trust);
	controller_load_threshold(l->c, 0);
	l->heap.most = 0;
}

/* Rounds until there was a probe, or all was taken back; most + 1: never. */
static uint32_t rounds_to_probe(struct loop *l, uint32_t most)
{
	for (uint32_t i = 1; i <= most; i++) {
		one_round(l);
		if (l->probes)
			return i;
	}
	return most + 1;
}

static uint32_t rounds_to_take_back(struct loop *l, uint32_t most)
{
	for (uint32_t i = 1; i <= most; i++) {
		one_round(l);
		if (l->takes_back)
			return i;
	}
	return most + 1;
}

/* Learnt, then held to what was before; each probe that finds it still right doubles the rounds to
 * the next one, and so what the next run is told. */
TEST(what_has_stood_its_test_is_trusted_by_the_next_run)
{
	struct loop l;
	begin(&l, a_third, 3);
	rounds(&l, 2);
	EXPECT(l.takes > 0);
	EXPECT_INT(0, controller_trusted(l.c));
	rounds(&l, 1); /* settling */
	EXPECT_INT(0, controller_trusted(l.c));
	rounds(&l, 2);
	EXPECT_INT(16, controller_trusted(l.c));
	while (!l.probes && l.rounds < 40)
		one_round(&l);
	EXPECT(l.rounds <= 2 + 4 + 3); /* decided by a start: before its turn */
	while (l.probes < 2 && l.rounds < 40)
		one_round(&l);
	EXPECT_INT(0, l.asked);
	EXPECT_INT(16, controller_trusted(l.c));
	rounds(&l, 1);
	EXPECT_INT(32, controller_trusted(l.c));
	l.heap.card = 60; /* it does not pay any more */
	rounds_to_take_back(&l, 10);
	EXPECT_INT(0, controller_trusted(l.c));
	end(&l);
}

TEST(a_trusted_file_is_looked_at_as_late_as_in_the_run_before)
{
	static const uint32_t trust[] = {0, 16, 64, 1000}, after[] = {4, 16, 64, 256};
	for (size_t i = 0; i < ARRAY_SIZE(trust); i++) {
		struct loop l;
		begin_loaded(&l, a_third, trust[i]);
		EXPECT_INT(trust[i] ? after[i] : 0, controller_trusted(l.c));
		/* Beside a round of settling, and one until sampling has gone up. */
		uint32_t probe = rounds_to_probe(&l, 300);
		EXPECT(probe > after[i] && probe <= after[i] + 2);
		EXPECT_INT(0, l.takes_back);
		rounds(&l, 2); /* the second is the measure that there was none of */
		EXPECT_INT(0, l.takes_back);
		EXPECT(l.keeps > 0);
		EXPECT_INT(after[i] < 16    ? 32
			   : after[i] < 256 ? 2 * after[i]
					    : 256,
			controller_trusted(l.c));
		end(&l);
	}
}

/* The program keeps nothing any more for which the decisions were made. */
TEST(a_wrong_file_is_taken_back_however_it_is_trusted)
{
	static const uint32_t every[] = {4, 24, 90};
	for (size_t i = 0; i < ARRAY_SIZE(every); i++) {
		struct loop l;
		begin_loaded(&l, other_phase, 256);
		l.heap.mark_every = every[i];
		/* The first marking that comes after what was born has settled; then a probe. */
		EXPECT(rounds_to_take_back(&l, 20) <= 4 + every[i] / 16);
		EXPECT_INT(1, l.probes);
		EXPECT_INT(1, l.asked); /* and it says what for */
		EXPECT_INT(0, controller_trusted(l.c));
		end(&l);
	}
}

/* What the collector costs is held to what it did cost in this run. */
TEST(a_trusted_file_is_looked_at_when_it_gets_dear)
{
	struct loop l;
	begin_loaded(&l, a_third, 256);
	rounds(&l, 12);
	EXPECT_INT(0, l.probes);
	l.dear = 60;
	EXPECT(rounds_to_take_back(&l, 20) <= 8);
	end(&l);
}

TEST(what_is_for_another_program_is_looked_at_soon)
{
	struct loop l;
	begin_loaded(&l, a_third, 256);
	l.dear = 60; /* from the start: nothing tells but a probe */
	rounds(&l, 30);
	EXPECT_INT(0, l.probes);
	controller_doubt(l.c);
	EXPECT_INT(0, controller_trusted(l.c));
	EXPECT(rounds_to_probe(&l, 20) <= 5);
	EXPECT(rounds_to_take_back(&l, 20) <= 6);
	end(&l);
}

/* The probe goes on, and its end gives the levers back. */
TEST(a_class_that_comes_in_a_probe_leaves_it_be)
{
	struct loop l;
	begin_loaded(&l, a_third, 0);
	rounds_to_probe(&l, 10);
	EXPECT_INT(15, l.heap.most);
	struct place_context late = young_heap_place(&l.heap, 1, 0);
	EXPECT_INT(0, controller_load_jump(l.c, &late));
	EXPECT_INT(CONTROLLER_PROBE, controller_state(l.c));
	rounds(&l, 2);
	EXPECT_INT(0, l.heap.most);
	end(&l);
}

TEST(a_trusted_file_outlasts_noise)
{
	struct loop l;
	begin_loaded(&l, a_third, 64);
	l.heap.noise = 0.3;
	l.heap.outlier = 0.02;
	rounds(&l, 100);
	EXPECT(l.probes >= 1 && l.probes <= 2);
	EXPECT_INT(0, l.takes_back);
	end(&l);
}

static const struct heap_law far_more_in_flight[] = {
	{.share = 0.1, .size = 160, .part = {{1, 0, 0.4}}},
	{.share = 0.75, .size = 120, .part = {{1, 0.7, 2.2}}},
	{.share = 0.15, .size = 100, .part = {{1, 25, 60}}},
};

/* Requests in flight are so many bytes, however large eden is: the collector makes it smaller for
 * some rounds, and larger again, and all the time each collection copies the same. */
TEST(a_trusted_file_outlasts_an_eden_that_sways)
{
	struct loop l;
	begin_loaded(&l, in_flight, 64);
	controller_load_threshold(l.c, 3);
	l.heap.most = 3;
	l.heap.unit = l.heap.eden;
	l.heap.noise = 0.1;
	for (int i = 0; i < 60; i++) {
		l.heap.eden = l.heap.unit * (i % 20 < 12 ? 1 : 0.65);
		one_round(&l);
	}
	EXPECT_INT(0, l.probes);
	EXPECT_INT(0, l.takes_back);
	/* But not that far more is in flight. */
	l.heap.laws = far_more_in_flight;
	rounds_to_probe(&l, 4);
	EXPECT_INT(1, l.asked);
	end(&l);
}

/* Another program takes what the processor has: its caches, for a round or for many. */
TEST(a_trusted_file_outlasts_a_slower_machine)
{
	struct loop l;
	begin_loaded(&l, a_third, 64);
	for (int i = 0; i < 60; i++) {
		double slow = i % 20 >= 14 ? 1.6 : 1;
		l.heap.slow = slow;
		l.process_cpu = (uint64_t)(10000000 * slow);
		one_round(&l);
	}
	EXPECT_INT(0, l.probes);
	EXPECT_INT(0, l.takes_back);
	end(&l);
}

/* As many as a file may say; all of them can be taken back, with or without memory. */
TEST(a_file_s_decisions_are_all_in_force)
{
	struct loop l;
	begin(&l, in_flight, 3);
	EXPECT_INT(0, controller_init(&l.c, &l.rule));
	struct place_context at = {.place.class_id = 1};
	for (at.place.bci = 0; at.place.bci < DECISIONS_MOST; at.place.bci++)
		EXPECT_INT(0, controller_load_jump(l.c, &at));
	EXPECT_INT(ERR_LIMIT, controller_load_jump(l.c, &at));
	size_t count;
	controller_jumps(l.c, &count);
	EXPECT_INT(DECISIONS_MOST, count);
	mem_fail_at(1);
	controller_stop(l.c, "the end");
	mem_fail_at(0);
	const struct action *a = controller_actions(l.c, &count);
	EXPECT_INT(DECISIONS_MOST, count);
	for (size_t i = 0; i < count; i++)
		EXPECT(a[i].kind == ACTION_TAKE_BACK && a[i].at.place.bci == (int32_t)i);
	end(&l);
}

TEST(a_decision_needs_memory)
{
	struct loop l;
	begin(&l, in_flight, 3);
	EXPECT_INT(0, controller_init(&l.c, &l.rule));
	struct place_context at = {.place.class_id = 1};
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, controller_load_jump(l.c, &at));
	mem_fail_at(0);
	EXPECT_INT(0, controller_load_jump(l.c, &at));
	end(&l);
}

/* A class that can't be transformed: its place is not asked for again. */
TEST(what_is_refused_is_not_asked_for_again)
{
	struct loop l;
	size_t count;
	begin(&l, a_third, 3);
	l.rule.can_set_threshold = false;
	rounds(&l, 2);
	const struct action *a = controller_actions(l.c, &count);
	EXPECT_INT(1, count);
	struct action refused = a[0];
	controller_refused(l.c, &refused);
	young_heap_jump(&l.heap, &refused.at, false);
	learner_jump(l.heap.learner, &refused.at, false);
	EXPECT_INT(CONTROLLER_LEARN, controller_state(l.c));
	rounds(&l, 20);
	EXPECT_INT(1, l.takes);
	end(&l);
}

/* All that is to jump after a round is refused, but what is made at place 2 where it is `but`. */
static uint32_t refuse_jumps(struct loop *l, bool but)
{
	const struct place_context kept = young_heap_place(&l->heap, 2, 0);
	size_t count;
	uint32_t refused = 0;
	const struct action *a = controller_actions(l->c, &count);
	for (size_t i = 0; i < count; i++) {
		if (a[i].lever != LEVER_JUMP || a[i].kind != ACTION_TAKE ||
			(but && place_context_same(&a[i].at, &kept)))
			continue;
		controller_refused(l->c, &a[i]);
		young_heap_jump(&l->heap, &a[i].at, false);
		learner_jump(l->heap.learner, &a[i].at, false);
		refused++;
	}
	return refused;
}

/* A bound that is right beside jumps is not without them: it is the one that stands where nothing
 * can jump, with its own forecast. */
TEST(a_bound_that_was_to_stand_beside_jumps_is_chosen_anew_without)
{
	struct loop l, bound;
	uint32_t refused = 0;
	begin(&bound, in_flight, 3);
	bound.rule.can_jump = false;
	rounds(&bound, 12);
	begin(&l, in_flight, 3);
	l.process_cpu = 10000000;
	for (int i = 0; i < 12; i++) {
		one_round(&l);
		refused += refuse_jumps(&l, false);
	}
	EXPECT_INT(1, refused);
	EXPECT_INT(controller_threshold(bound.c), controller_threshold(l.c));
	EXPECT_INT(0, l.takes_back);
	EXPECT_NEAR(l.observed, l.predicted, 0.1 * l.observed);
	EXPECT(l.copied < 1.05 * bound.copied);
	end(&l);
	end(&bound);
}

static const struct heap_law two_leaves[] = {
	{.share = 0.66, .size = 160, .part = {{1, 0, 0.02}}},
	{.share = 0.14, .size = 120, .part = {{1, 30, 60}}, .flags = SNAPSHOT_LEAF},
	{.share = 0.2, .size = 400, .part = {{1, 20, 50}}, .flags = SNAPSHOT_LEAF},
};

TEST(what_is_refused_is_not_foretold)
{
	struct loop l;
	uint32_t refused = 0;
	begin(&l, two_leaves, 3);
	l.rule.can_set_threshold = false;
	for (int i = 0; i < 12; i++) {
		one_round(&l);
		refused += refuse_jumps(&l, true);
	}
	EXPECT_INT(1, refused);
	EXPECT(l.heap.jump[2] && !l.heap.jump[1]);
	EXPECT_INT(0, l.takes_back);
	EXPECT_NEAR(l.observed, l.predicted, 0.1 * l.observed);
	end(&l);
}

/* An eighth or so of the copies is what place 2 takes, which could jump. */
static const struct heap_law an_eighth[] = {
	{.share = 0.66, .size = 160, .part = {{0.6, 0, 0.9}, {0.4, 1, 1.9}}},
	{.share = 0.3318, .size = 120, .part = {{1, 0, 0.02}}, .flags = SNAPSHOT_LEAF},
	{.share = 0.0082, .size = 400, .part = {{1, 30, 60}}, .flags = SNAPSHOT_LEAF},
};
/* And here it has next to nothing beside place 1. */
static const struct heap_law one_leaf[] = {
	{.share = 0.66, .size = 160, .part = {{0.6, 0, 0.9}, {0.4, 1, 1.9}}},
	{.share = 0.3318, .size = 120, .part = {{1, 30, 60}}, .flags = SNAPSHOT_LEAF},
	{.share = 0.0082, .size = 400, .part = {{1, 30, 60}}, .flags = SNAPSHOT_LEAF},
};

/* No more is asked of what is found next than if nothing had been tried. */
TEST(what_can_not_be_done_is_no_failure)
{
	struct loop l;
	uint32_t refused = 0;
	begin(&l, one_leaf, 3);
	l.heap.eden = 800000; /* few of place 2 would do */
	l.rule.can_set_threshold = false;
	l.process_cpu = 10000000;
	for (int i = 0; i < 4; i++) {
		one_round(&l);
		refused += refuse_jumps(&l, true);
	}
	EXPECT_INT(1, refused);
	EXPECT(l.takes_back && !l.heap.jump[2]);
	l.heap.laws = an_eighth;
	rounds(&l, 40);
	EXPECT(l.heap.jump[2]);
	end(&l);
}

TEST(what_is_kept_out_is_never_chosen)
{
	struct loop l;
	begin(&l, in_flight, 3);
	EXPECT_INT(0, controller_init(&l.c, &l.rule));
	struct place_context cache = young_heap_place(&l.heap, 2, 0);
	EXPECT_INT(0, controller_keep_out(l.c, &cache));
	rounds(&l, 12);
	EXPECT(!l.heap.jump[2]);
	end(&l);
}

TEST(at_the_end_all_is_as_it_was)
{
	struct loop l;
	size_t count;
	begin(&l, in_flight, 3);
	rounds(&l, 6);
	EXPECT(l.takes > 0);
	controller_stop(l.c, "detached");
	const struct action *a = controller_actions(l.c, &count);
	EXPECT_INT(l.takes, count);
	for (size_t i = 0; i < count; i++)
		carry_out(&l, &a[i]);
	EXPECT_INT(15, l.heap.most);
	EXPECT(!l.heap.jump[0] && !l.heap.jump[1] && !l.heap.jump[2]);
	uint32_t takes = l.takes;
	rounds(&l, 10);
	EXPECT_INT(takes, l.takes);
	end(&l);
}

static void lose_jumps(struct loop *l)
{
	size_t count;
	controller_lose_jumps(l->c, "they do nothing");
	const struct action *a = controller_actions(l->c, &count);
	for (size_t i = 0; i < count; i++)
		carry_out(l, &a[i]);
	EXPECT_INT(15, l->heap.most);
	EXPECT(!l->heap.jump[0] && !l->heap.jump[1] && !l->heap.jump[2]);
}

TEST(where_jumps_do_nothing_the_threshold_is_left)
{
	struct loop l;
	begin(&l, a_third, 3);
	rounds(&l, 6);
	uint32_t takes = l.takes;
	EXPECT(takes > 0);
	lose_jumps(&l);
	EXPECT_INT(takes, l.takes_back);
	rounds(&l, 30);
	EXPECT(l.heap.most < 15 && !l.heap.jump[0] && !l.heap.jump[1] && !l.heap.jump[2]);
	end(&l);
}

TEST(jumps_can_be_lost_before_anything_is_moved_and_in_a_probe)
{
	struct loop l;
	begin(&l, a_third, 3);
	l.rule.can_set_threshold = false;
	rounds(&l, 1);
	lose_jumps(&l);
	rounds(&l, 20);
	EXPECT_INT(0, l.takes);
	end(&l);
	begin(&l, a_third, 3);
	l.rule.can_set_threshold = false;
	while (!l.probes && l.rounds < 60)
		rounds(&l, 1);
	EXPECT_INT(1, l.probes);
	lose_jumps(&l);
	EXPECT(!l.heap.rests);
	uint32_t takes = l.takes;
	rounds(&l, 20);
	EXPECT_INT(takes, l.takes);
	end(&l);
}

/* GC that takes 0.1 % of the time, with short pauses, is nobody's trouble. */
TEST(where_gc_takes_no_time_nothing_is_done)
{
	struct loop l;
	begin(&l, a_third, 3);
	l.rule.least_share = 0.99;
	rounds(&l, 10);
	EXPECT_INT(0, l.takes);
	end(&l);
}

static const struct heap_law large[] = {
	{.share = 0.7, .size = 160, .part = {{1, 0, 0.02}}},
	{.share = 0.3, .size = 4000, .part = {{1, 2, 6}}},
};

/* Small objects at times, large ones at others: what each costs can be told. */
TEST(costs_are_measured_where_objects_differ)
{
	struct loop l;
	bool measured = true;
	begin(&l, a_third, 3);
	l.rule.learn_rounds = 1000;
	l.heap.cost = (struct cost){.byte = 0.2, .object = 60, .old = 2};
	rounds(&l, 4);
	EXPECT_NEAR(30, controller_cost(l.c, &measured).object, 0);
	EXPECT(!measured);
	for (int i = 0; i < 8; i++) {
		l.heap.laws = i % 2 ? a_third : large;
		l.heap.law_count = i % 2 ? 3 : 2;
		rounds(&l, 3);
	}
	struct cost got = controller_cost(l.c, &measured);
	EXPECT(measured);
	EXPECT_NEAR(0.2, got.byte, 0.06);
	EXPECT_NEAR(60, got.object, 15);
	end(&l);
}

TEST(sampling_goes_up_when_copies_rise)
{
	struct loop l;
	begin(&l, garbage, 2);
	rounds(&l, 12);
	EXPECT(l.low_at > 0 && !l.full_at);
	l.heap.laws = a_third;
	l.heap.law_count = 3;
	rounds(&l, 2);
	EXPECT(l.full_at > 0);
	rounds(&l, 6);
	EXPECT(l.takes > 0);
	end(&l);
}
