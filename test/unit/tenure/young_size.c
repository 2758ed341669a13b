#include "tenure/young_size.h"

#include <math.h>

#include "base/compiler.h"
#include "support/tap.h"
#include "young_heap.h"

/* Garbage; a buffer that survives one or two collections; a cache of middle age; what lasts. */
static const struct heap_law shop[] = {
	{.share = 0.6, .size = 160, .part = {{1, 0, 0.3}}},
	{.share = 0.2, .size = 200, .part = {{0.6, 0.5, 2.5}, {0.4, 0, 1}}},
	{.share = 0.1, .size = 120, .part = {{1, 3, 12}}},
	{.share = 0.1, .size = 400, .part = {{0.9, 20, 40}, {0.1, 0, 1}}},
};
enum { SHOP = ARRAY_SIZE(shop), WARM = 40, LONG = 240, MB = 1 << 20, NOW = 100 * MB };

static struct heap_sums run(double larger, uint32_t most, struct snapshot *s)
{
	struct young_heap h;
	struct learner_rule rule = {.slots = HEAP_SLOTS, .places = 64, .decay = 1};
	young_heap_init(&h, shop, SHOP, tap_seed());
	h.unit = h.eden;
	h.eden *= larger;
	h.most = h.threshold = h.reference = most;
	if (s) {
		EXPECT_INT(0, learner_init(&h.learner, &rule));
		EXPECT_INT(0, snapshot_init(s, learner_rows(h.learner)));
	}
	for (uint32_t i = 0; i < LONG; i++) {
		young_heap_cycle(&h);
		if (i + 1 == WARM)
			h.sum = (struct heap_sums){0};
	}
	struct heap_sums sum = h.sum;
	if (s) {
		learner_snapshot(h.learner, s);
		learner_free(h.learner);
	}
	young_heap_release(&h);
	return sum;
}

/* The same program, simulated again with the larger eden: what it copies for each byte. */
TEST(what_a_larger_one_leaves_is_foretold)
{
	static const struct {
		double larger;
		uint64_t heap, most;
		double above; /* of those that are promoted nothing is seen: they are taken to last
			       */
	} cases[] = {{1.25, 180, 3, 0.05}, {1.5, 210, 3, 0.05}, {2, 280, 3, 0.1}, {2, 280, 1, 0.15},
		{2, 280, 15, 0.12}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct snapshot s;
		uint32_t most = (uint32_t)cases[i].most;
		struct heap_sums now = run(1, most, &s), then = run(cases[i].larger, most, NULL);
		const struct young_room room = {.heap = cases[i].heap * MB, .young = NOW};
		struct cost cost = COST_DEFAULT;
		struct young_offer o = young_size_offer(&s, &s.held, THRESHOLD_MOST, &room, &cost);
		double want = then.copied / then.allocated / (now.copied / now.allocated);
		EXPECT_INT((uint64_t)(cases[i].larger * NOW), o.bytes);
		double got = o.then.bytes / o.now.bytes;
		EXPECT(got > 0.95 * want && got < (1 + cases[i].above) * want);
		EXPECT_NEAR(now.copied / (double)now.collections, o.now.bytes / s.collections,
			0.02 * now.copied / (double)now.collections);
		snapshot_release(&s);
	}
}

static struct snapshot one_place(struct snapshot_row *row)
{
	/* Half survives one collection, half of that three. */
	*row = (struct snapshot_row){
		.passage = {.bytes = {.died = {50, 25}, .stood = {50, 25, 25, 0}},
			.objects = {.died = {5, 2.5f}, .stood = {5, 2.5f, 2.5f, 0}}}};
	row->passage.bytes.died[3] = 25;
	row->passage.objects.died[3] = 2.5f;
	return (struct snapshot){.rows = row, .count = 1, .places = 1, .collections = 1};
}

TEST(no_more_than_leaves_the_old_one_its_room)
{
	struct snapshot_row row;
	struct snapshot s = one_place(&row);
	struct held held = {.share[15] = 1};
	struct cost cost = COST_DEFAULT;
	static const struct {
		uint64_t heap, young, held, want; /* MB */
	} cases[] = {
		{0, 100, 0, 0},
		{400, 0, 0, 0}, /* not known */
		{400, 100, 0, 200},
		{400, 100, 130, 200}, /* 1.5 times 130 beside it */
		{400, 100, 140, 175},
		{400, 100, 160, 150},
		{400, 100, 180, 125},
		{400, 100, 190, 0},
		{200, 100, 0, 150},
		{130, 100, 0, 0},
		{400, 300, 0, 0},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct young_room room = {.heap = cases[i].heap * MB,
			.young = cases[i].young * MB,
			.held = cases[i].held * MB};
		struct young_offer o = young_size_offer(&s, &held, THRESHOLD_MOST, &room, &cost);
		EXPECT_INT(cases[i].want * MB, o.bytes);
		EXPECT(o.bytes ? o.left < 1 && o.saved > 0 && young_size_fits(o.bytes, &room)
			       : o.left == 1);
	}
	EXPECT(!young_size_fits(301ull * MB, &(struct young_room){.heap = 400ull * MB}));
	EXPECT(young_size_fits(300ull * MB, &(struct young_room){.heap = 400ull * MB}));
}

/* What is promoted as before, into half the room, is collected twice as often. */
TEST(full_collections_are_paid_for)
{
	struct snapshot_row row;
	struct snapshot s = one_place(&row);
	struct held held = {.share[0] = 1};
	struct cost cost = COST_DEFAULT;
	struct young_room room = {.heap = 400 * MB, .young = NOW, .held = 0};
	double without = young_size_offer(&s, &held, THRESHOLD_MOST, &room, &cost).left;
	room.held = 120 * MB;
	double with = young_size_offer(&s, &held, THRESHOLD_MOST, &room, &cost).left;
	EXPECT(without < with && with < 1);
	/* Copied at once, whatever: nothing dies for the waiting. */
	row.passage.bytes = row.passage.objects = (struct passage_side){.stood = {100, 100, 100}};
	EXPECT_INT(0, young_size_offer(&s, &held, THRESHOLD_MOST, &room, &cost).bytes);
}

/* A threshold that is held down copies nothing twice now; and what jumps is promoted at once. */
TEST(it_stands_beside_the_other_levers)
{
	struct snapshot_row row;
	struct snapshot s = one_place(&row);
	struct held held = {.share[15] = 1};
	struct cost cost = COST_DEFAULT;
	const struct young_room room = {.heap = 400 * MB, .young = NOW};
	struct young_offer all = young_size_offer(&s, &held, THRESHOLD_MOST, &room, &cost);
	struct young_offer low = young_size_offer(&s, &held, 0, &room, &cost);
	EXPECT_NEAR(100, all.now.bytes, 1e-3);
	EXPECT_NEAR(50, low.now.bytes, 1e-3);
	row.flags |= SNAPSHOT_JUMPS;
	struct young_offer jumps = young_size_offer(&s, &held, THRESHOLD_MOST, &room, &cost);
	EXPECT_NEAR(low.now.bytes, jumps.now.bytes, 1e-9);
	EXPECT_NEAR(low.then.bytes, jumps.then.bytes, 1e-9);
}
