#include "stat/scan.h"

#include <math.h>

#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"

enum { STEPS = 200 };

static const struct scan_rule rule = {.least = 5, .most = 50, .widen = 5, .limit = 3, .seed = 1};

/* A collection each time some amount was made, at a rate that wobbles by a fifth. */
static void flat(struct scan_step *steps, size_t count, struct rng *r)
{
	for (size_t i = 0; i < count; i++)
		steps[i] = (struct scan_step){0.8 + 0.4 * rng_unit(r), 0.9 + 0.2 * rng_unit(r)};
}

/* There, the same amount takes a third of the time. */
static void spike(struct scan_step *steps, size_t first, size_t count)
{
	for (size_t i = first; i < first + count; i++)
		steps[i].length /= 3;
}

static struct scan scan_of(const struct scan_step *steps, size_t count)
{
	struct scan s;
	EXPECT_INT(0, scan_windows(steps, count, &rule, &s));
	return s;
}

/* The window's ends are where the rate changes, give or take a few steps. */
static void expect_window(const struct scan_window *w, size_t first, size_t count)
{
	EXPECT(w->first + 3 >= first && w->first <= first + 3);
	EXPECT(w->first + w->count + 5 >= first + count &&
		w->first + w->count <= first + count + 5);
}

TEST(one_spike_is_found_where_it_is)
{
	struct rng r = rng_init(tap_seed());
	for (int run = 0; run < 20; run++) {
		struct scan_step steps[STEPS];
		size_t at = rng_below(&r, 150);
		flat(steps, STEPS, &r);
		spike(steps, at, 30);
		struct scan s = scan_of(steps, STEPS);
		EXPECT_INT(1, s.windows.count);
		if (s.windows.count)
			expect_window(&s.windows.at[0], at, 30);
		scan_release(&s);
	}
}

TEST(two_spikes_are_two_windows)
{
	struct rng r = rng_init(tap_seed());
	struct scan_step steps[STEPS];
	flat(steps, STEPS, &r);
	spike(steps, 20, 25);
	spike(steps, 120, 15);
	struct scan s = scan_of(steps, STEPS);
	EXPECT_INT(2, s.windows.count);
	if (s.windows.count == 2) {
		expect_window(&s.windows.at[0], 20, 25);
		expect_window(&s.windows.at[1], 120, 15);
		EXPECT(s.windows.at[0].p <= SCAN_ALPHA && s.windows.at[1].p <= SCAN_ALPHA);
	}
	scan_release(&s);
}

/* Longer than any window is at first. */
TEST(a_long_spike_is_one_window)
{
	struct rng r = rng_init(tap_seed());
	struct scan_step steps[4 * STEPS];
	flat(steps, 4 * STEPS, &r);
	spike(steps, 100, 150);
	struct scan s = scan_of(steps, 4 * STEPS);
	EXPECT_INT(1, s.windows.count);
	if (s.windows.count)
		expect_window(&s.windows.at[0], 100, 150);
	scan_release(&s);
}

/* At 1 % each, more than 11 of 150 come by chance less than once in a million; and the rate, which
 * hardly wobbles over five steps, would not reach 1.25 times the average anyway. */
TEST(a_flat_series_has_no_window)
{
	struct rng r = rng_init(tap_seed());
	int found = 0;
	for (int run = 0; run < 150; run++) {
		struct scan_step steps[60];
		flat(steps, ARRAY_SIZE(steps), &r);
		struct scan s = scan_of(steps, ARRAY_SIZE(steps));
		found += s.windows.count > 0;
		scan_release(&s);
	}
	EXPECT(found <= 11);
}

/* The test alone: rates that differ by tenfold from step to step, with nothing in the order. */
TEST(wild_steps_in_random_order_seldom_stand_out)
{
	struct rng r = rng_init(tap_seed());
	int found = 0;
	for (int run = 0; run < 150; run++) {
		struct scan_step steps[60];
		for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
			steps[i] = (struct scan_step){0.1 + rng_unit(&r), 1};
		struct scan s = scan_of(steps, ARRAY_SIZE(steps));
		found += s.windows.count > 0;
		scan_release(&s);
	}
	EXPECT(found <= 11);
}

/* In any order it makes the same score: it says nothing of the order. */
TEST(one_step_in_which_all_happens_does_not_stand_out)
{
	for (size_t count = 10; count <= 100; count += 10)
		for (size_t at = 0; at < count; at += 3) {
			struct scan_step steps[100];
			for (size_t i = 0; i < count; i++)
				steps[i] = (struct scan_step){1, i == at ? 1e9 : 3000};
			struct scan s = scan_of(steps, count);
			EXPECT_INT(0, s.windows.count);
			EXPECT(s.p > SCAN_ALPHA);
			scan_release(&s);
		}
}

/* Five of ten alike side by side: 6 of 252 orders have them so. */
TEST(scores_that_are_equal_count)
{
	struct scan_step steps[10];
	for (size_t i = 0; i < ARRAY_SIZE(steps); i++)
		steps[i] = (struct scan_step){1, i < 5};
	struct scan s = scan_of(steps, ARRAY_SIZE(steps));
	EXPECT_INT(0, s.windows.count);
	EXPECT(s.p > SCAN_ALPHA);
	scan_release(&s);
}

TEST(windows_never_overlap)
{
	struct rng r = rng_init(tap_seed());
	for (int run = 0; run < 50; run++) {
		struct scan_step steps[STEPS];
		flat(steps, STEPS, &r);
		for (int k = 0; k < 4; k++)
			spike(steps, rng_below(&r, STEPS - 20), 20);
		struct scan s = scan_of(steps, STEPS);
		for (size_t i = 0; i < s.windows.count; i++) {
			const struct scan_window *a = &s.windows.at[i];
			EXPECT(a->count >= 5 && a->first + a->count <= STEPS);
			EXPECT(a->rate >= s.rate);
			for (size_t j = 0; j < i; j++) {
				const struct scan_window *b = &s.windows.at[j];
				EXPECT(a->first + a->count <= b->first ||
					b->first + b->count <= a->first);
			}
		}
		scan_release(&s);
	}
}

TEST(too_few_steps_say_nothing)
{
	struct scan_step steps[9] = {
		{1, 1}, {1, 1}, {1, 1}, {1, 100}, {1, 100}, {1, 100}, {1, 1}, {1, 1}, {1, 1}};
	for (size_t count = 0; count <= 9; count++) {
		struct scan s = scan_of(steps, count);
		EXPECT_INT(0, s.windows.count);
		scan_release(&s);
	}
}

TEST(no_length_and_no_amount_divide_nothing)
{
	struct scan_step steps[20] = {{0, 0}};
	struct scan s = scan_of(steps, ARRAY_SIZE(steps));
	EXPECT_INT(0, s.windows.count);
	EXPECT_NEAR(0, s.rate, 0);
	scan_release(&s);
}

/* Beyond SCAN_STEPS neighbours are joined; windows are told in steps as they were given. */
TEST(long_series_are_joined)
{
	size_t count = 3 * SCAN_STEPS + 1;
	struct scan_step *steps = mem_zalloc(count, sizeof(*steps));
	struct rng r = rng_init(tap_seed());
	flat(steps, count, &r);
	spike(steps, 9000, 90);
	struct scan s = scan_of(steps, count);
	EXPECT(s.windows.count > 0);
	if (s.windows.count) {
		EXPECT(s.windows.at[0].first >= 8980 && s.windows.at[0].first <= 9020);
		EXPECT(s.windows.at[0].count >= 60 && s.windows.at[0].count <= 130);
	}
	scan_release(&s);
	mem_free(steps);
}

TEST(out_of_memory_is_told)
{
	struct rng r = rng_init(tap_seed());
	struct scan_step steps[STEPS];
	flat(steps, STEPS, &r);
	spike(steps, 100, 30);
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err && n < 100; n++) {
		struct scan s;
		mem_fail_at(n);
		err = scan_windows(steps, STEPS, &rule, &s);
		mem_fail_at(0);
		if (!err)
			scan_release(&s);
		else
			EXPECT_INT(ERR_NOMEM, err);
	}
	EXPECT_INT(0, err);
}
