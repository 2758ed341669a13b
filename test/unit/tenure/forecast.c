#include "tenure/forecast.h"

#include <math.h>

#include "support/tap.h"
#include "young_heap.h"

/* Garbage; a buffer that survives one or two; a mid-life cache; a long-lived one; and one with two
 * lives. */
static const struct heap_law shop[] = {
	{.share = 0.6, .size = 160, .part = {{1, 0, 0.3}}},
	{.share = 0.1, .size = 200, .part = {{0.6, 0.5, 2.5}, {0.4, 0, 1}}},
	{.share = 0.1, .size = 120, .part = {{1, 3, 12}}},
	{.share = 0.1, .size = 400, .part = {{0.9, 20, 40}, {0.1, 0, 1}}},
	{.share = 0.1, .size = 80, .part = {{0.5, 18, 30}, {0.5, 0, 4}}},
};
enum { SHOP = ARRAY_SIZE(shop), WARM = 40, LONG = 360 };

static struct snapshot learnt(struct young_heap *h, uint32_t collections, double decay)
{
	struct snapshot s;
	struct learner_rule rule = {.slots = HEAP_SLOTS, .places = 64, .decay = decay};
	EXPECT_INT(0, learner_init(&h->learner, &rule));
	EXPECT_INT(0, snapshot_init(&s, learner_rows(h->learner)));
	for (uint32_t i = 0; i < collections; i++) {
		young_heap_cycle(h);
		if (i + 1 == WARM)
			h->sum = (struct heap_sums){0};
	}
	learner_snapshot(h->learner, &s);
	return s;
}

static void drop(struct young_heap *h, struct snapshot *s)
{
	learner_free(h->learner);
	snapshot_release(s);
	young_heap_release(h);
}

struct kind {
	bool adaptive;
	double survivor;
	uint32_t most;
};

static void set_kind(struct young_heap *h, const struct kind *k)
{
	young_heap_init(h, shop, SHOP, tap_seed());
	h->mark_every = 10;
	h->adaptive = k->adaptive;
	h->survivor = k->survivor;
	h->most = h->threshold = h->reference = k->most;
}

/* The same program, with the levers set as they are: per collection. */
static struct heap_sums rerun(const struct kind *k, uint32_t most, const bool *jump)
{
	struct young_heap h;
	set_kind(&h, k);
	h.most = h.threshold = most < k->most ? most : k->most;
	for (uint32_t i = 0; i < SHOP; i++)
		h.jump[i] = jump && jump[i];
	for (uint32_t i = 0; i < LONG; i++) {
		young_heap_cycle(&h);
		if (i + 1 == WARM)
			h.sum = (struct heap_sums){0};
	}
	struct heap_sums sum = h.sum;
	young_heap_release(&h);
	return sum;
}

static void expect_share(double want, double got, double share, double least)
{
	EXPECT_NEAR(want, got, fmax(fabs(want) * share, least));
}

static void compare(const struct snapshot *s, const struct heap_sums *now, const struct kind *k,
	uint32_t most, const bool *jump, double share)
{
	struct choose_row rows[64] = {0};
	for (size_t i = 0; jump && i < s->count; i++) {
		uint32_t law = (uint32_t)(s->rows[i].at.place.vm_method - 1000);
		rows[i].why = jump[law] ? CHOOSE_YES : CHOOSE_NO;
	}
	struct setting set = {.most = most, .jump = jump ? rows : NULL};
	struct fit fit = {1, 1};
	struct cost cost = COST_DEFAULT;
	struct forecast f = forecast_of(s, &s->held, &set, &fit, &cost);
	struct heap_sums then = rerun(k, most, jump);
	double per = s->collections, n = (double)then.collections;
	double least = 0.002 * now->copied / (double)now->collections;
	expect_share(then.copied / n, f.copied.bytes / per, share, least);
	expect_share(then.copied_objects / n, f.copied.objects / per, share, least / 80);
	expect_share(then.promoted / n, f.promoted.bytes / per, share, least);
	if (!k->adaptive)
		expect_share(then.early / n, f.early.bytes / per, 0.02, 2 * least);
}

static const bool mid_and_long[] = {false, false, true, true, false};
static const bool only_long[] = {false, false, false, true, false};
static const bool two_lives[] = {false, true, false, false, true};

static void compare_all(const struct kind *k, double share)
{
	struct young_heap h;
	set_kind(&h, k);
	struct snapshot s = learnt(&h, LONG, 1);
	for (uint32_t most = 0; most <= 15; most++)
		compare(&s, &h.sum, k, most, NULL, share);
	compare(&s, &h.sum, k, 15, only_long, share);
	compare(&s, &h.sum, k, 15, mid_and_long, share);
	compare(&s, &h.sum, k, 15, two_lives, share);
	compare(&s, &h.sum, k, 2, mid_and_long, share);
	compare(&s, &h.sum, k, 1, only_long, share);
	drop(&h, &s);
}

/* Every object is seen: what is left is that the windows differ by what is young at their ends. */
TEST(every_lever_copies_what_was_foretold_without_sampling)
{
	compare_all(&(struct kind){.most = 15}, 0.01);
	compare_all(&(struct kind){.most = 6}, 0.01);
}

/* The threshold moves by itself: a share of the objects had each. */
TEST(a_threshold_that_moves_is_followed)
{
	struct kind k = {.adaptive = true, .survivor = 1.2e6, .most = 15};
	struct young_heap h;
	set_kind(&h, &k);
	struct snapshot s = learnt(&h, LONG, 1);
	EXPECT(held_mean(&s.held) < 15);
	compare(&s, &h.sum, &k, 15, NULL, 0.01);
	compare(&s, &h.sum, &k, 0, NULL, 0.01);
	compare(&s, &h.sum, &k, 1, NULL, 0.01);
	compare(&s, &h.sum, &k, 2, NULL, 0.01);
	drop(&h, &s);
}
