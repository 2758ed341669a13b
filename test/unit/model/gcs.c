#include "model/gcs.h"

#include "base/error.h"
#include "base/rng.h"
#include "model/model.h"
#include "support/tap.h"

static void add(struct gcs *g, struct odds *o, uint64_t young, uint64_t full, uint32_t role)
{
	uint64_t n = g->list.count + 1;
	struct record_gc r = {.start = 100 * n,
		.end = 100 * n + 5,
		.alloc = 1000 * n,
		.young = young,
		.full = full};
	EXPECT_INT(0, gcs_add(g, &r, 1, role, 0, o));
}

/* Against a walk over the list. */
TEST(lookups_agree_with_a_walk)
{
	struct gcs g = {0};
	struct odds o = {{0}};
	struct rng rng = rng_init(tap_seed());
	uint64_t young = 0, full = 0;
	for (int i = 0; i < 300; i++) {
		uint64_t what = rng_below(&rng, 8);
		young += what != 0;
		full += what <= 1;
		add(&g, &o, young, full, ROLE_UNKNOWN);
	}
	for (int i = 0; i < 5000; i++) {
		uint64_t y = rng_below(&rng, young + 3), f = rng_below(&rng, full + 3);
		ptrdiff_t want = -1, to = (ptrdiff_t)rng_below(&rng, 300), want_full = -1;
		for (ptrdiff_t k = 0; k < 300; k++) {
			want = g.list.at[k].young <= y && g.list.at[k].full <= f ? k : want;
			want_full = k <= to && g.list.at[k].raised_full ? k : want_full;
		}
		EXPECT_INT(want, gcs_last(&g, y, f));
		EXPECT_INT(want_full, gcs_last_full(&g, to));
	}
	gcs_release(&g);
}

/* Of too many the earlier half goes; the numbers of those that stay are what they were. */
TEST(numbers_stay_where_the_earlier_half_is_forgotten)
{
	struct model m = {.begin = {.gcs = 5}};
	uint64_t all = GCS_MAX + 10;
	for (uint64_t i = 1; i <= all; i++) {
		struct record_gc r = {.start = i, .end = i, .alloc = i, .young = i};
		EXPECT_INT(0, gcs_add(&m.gcs, &r, 1, ROLE_YOUNG, 0, &m.odds));
	}
	size_t last = m.gcs.list.count - 1;
	EXPECT(last + 1 < all);
	EXPECT_INT(5 + all, model_gc_number(&m, last));
	EXPECT_INT(5 + m.gcs.list.at[0].young, model_gc_number(&m, 0));
	gcs_release(&m.gcs);
}

TEST(kinds_follow_roles_and_flags)
{
	struct gcs g = {0};
	struct odds o = {{0}};
	struct record_gc r = {.young = 1, .flags = GC_MIXED | GC_FORCED, .pause = 7};
	EXPECT_INT(0, gcs_add(&g, &r, 1, ROLE_YOUNG, 0, &o));
	add(&g, &o, 2, 0, ROLE_YOUNG);
	add(&g, &o, 3, 1, ROLE_FULL);
	add(&g, &o, 3, 2, ROLE_OLD_CONCURRENT);
	add(&g, &o, 4, 3, ROLE_WHOLE_CONCURRENT);
	add(&g, &o, 5, 3, ROLE_YOUNG_CONCURRENT);
	add(&g, &o, 6, 4, ROLE_UNKNOWN);
	EXPECT_INT(2, g.count[GC_KIND_YOUNG]);
	EXPECT_INT(1, g.count[GC_KIND_MIXED]);
	EXPECT_INT(2, g.count[GC_KIND_FULL]);
	EXPECT_INT(2, g.count[GC_KIND_CONCURRENT]);
	EXPECT_INT(1, g.forced);
	EXPECT_INT(0, g.untold);
	add(&g, &o, 7, 4, ROLE_UNKNOWN);
	EXPECT_INT(1, g.untold);
	EXPECT_INT(7, g.pause_max);
	gcs_release(&g);
}

TEST(clocks_that_step_back_stand_still)
{
	struct gcs g = {0};
	struct odds o = {{0}};
	add(&g, &o, 5, 3, ROLE_YOUNG);
	add(&g, &o, 4, 2, ROLE_YOUNG);
	EXPECT_INT(5, g.list.at[1].young);
	EXPECT_INT(3, g.list.at[1].full);
	EXPECT(!g.list.at[1].raised_young && !g.list.at[1].raised_full);
	EXPECT_INT(2, o.count[ODD_CLOCK_BACK]);
	gcs_release(&g);
}

/* Three in one pause, one at the same clocks that is no part of it, and what is left where the
 * earlier half is forgotten. */
TEST(parts_of_a_pause)
{
	struct gcs g = {0};
	struct odds o = {{0}};
	add(&g, &o, 1, 0, ROLE_YOUNG);
	struct record_gc r = {.start = 5, .end = 9, .young = 2, .full = 1};
	for (int i = 0; i < 3; i++)
		EXPECT_INT(0, gcs_add(&g, &r, 1, i ? ROLE_FULL : ROLE_YOUNG, 0, &o));
	r.start = 6;
	EXPECT_INT(0, gcs_add(&g, &r, 1, ROLE_YOUNG, 0, &o));
	EXPECT_INT(0, gcs_pause(&g, 0));
	for (ptrdiff_t i = 1; i <= 3; i++)
		EXPECT_INT(1, gcs_pause(&g, i));
	EXPECT_INT(4, gcs_pause(&g, 4));
	g.list.at[0] = g.list.at[2];
	EXPECT_INT(0, gcs_pause(&g, 0));
	gcs_release(&g);
}

/* Born before collection 0; thresholds of 3 promote it at the fourth that it meets. */
TEST(the_last_look_as_young)
{
	struct gcs g = {0};
	struct odds o = {{0}};
	for (uint64_t i = 1; i <= 10; i++)
		add(&g, &o, i, 0, ROLE_YOUNG);
	EXPECT_INT(3, gcs_last_as_young(&g, 0, 9, 3));
	EXPECT_INT(2, gcs_last_as_young(&g, 0, 2, 3));
	EXPECT_INT(9, gcs_last_as_young(&g, 8, 9, 3));
	EXPECT_INT(9, gcs_last_as_young(&g, 0, 9, 15));
	EXPECT_INT(8, gcs_last_as_young(&g, 9, 8, 15));
	EXPECT(gcs_leaves_young(&g, 0, 3, 3) && !gcs_leaves_young(&g, 0, 2, 3));
	EXPECT(!gcs_leaves_young(&g, 9, 8, 15));
	g.list.at[4].kind = GC_KIND_FULL;
	EXPECT_INT(4, gcs_last_as_young(&g, 0, 9, 15));
	g.list.at[1].tenuring =
		1; /* chosen for the third, which then promotes what survived one or more */
	EXPECT_INT(2, gcs_last_as_young(&g, 0, 9, 15));
	gcs_release(&g);
}

static void add_chosen(
	struct gcs *g, uint64_t young, uint32_t role, uint64_t heap_after, uint64_t threshold)
{
	struct odds o = {{0}};
	struct record_gc r = {.start = 10 * young,
		.end = 10 * young + 1,
		.young = young,
		.heap_after = heap_after,
		.tenuring = threshold};
	EXPECT_INT(0, gcs_add(g, &r, 0, role, 0, &o));
}

/* G1 chooses as a collection begins: what is told of the third is what the third had. */
TEST(a_threshold_that_a_collection_chose_for_itself)
{
	static const uint64_t thresholds[] = {15, 15, 1, 15, 1};
	struct gcs g = {0};
	for (uint64_t i = 0; i < ARRAY_SIZE(thresholds); i++)
		add_chosen(&g, i + 1, ROLE_YOUNG, 100, thresholds[i]);
	EXPECT_INT(3, gcs_last_as_young(&g, 1, 4, 15)); /* the fourth had the third's */
	g.chooses_first = true;
	EXPECT_INT(2, gcs_last_as_young(&g, 0, 4, 15));
	EXPECT_INT(2, gcs_last_as_young(&g, 1, 4, 15));
	EXPECT_INT(4, gcs_last_as_young(&g, 2, 4, 15));
	EXPECT_INT(4, gcs_last_as_young(&g, 3, 4, 15));
	gcs_release(&g);
}

/* A bound of 0, which tenure sets, is no threshold that nobody told. */
TEST(a_threshold_of_none)
{
	struct gcs g = {0};
	add_chosen(&g, 1, ROLE_YOUNG, 100, 0); /* none of the VM's was told so far */
	EXPECT(!gcs_chose(&g, &g.list.at[0]));
	add_chosen(&g, 2, ROLE_YOUNG, 100, 7);
	add_chosen(&g, 3, ROLE_YOUNG, 100, 0);
	add_chosen(&g, 4, ROLE_YOUNG, 0, 0); /* no event told of it */
	add_chosen(&g, 5, ROLE_FULL, 100, 0);
	EXPECT(gcs_chose(&g, &g.list.at[1]) && gcs_chose(&g, &g.list.at[2]));
	EXPECT(!gcs_chose(&g, &g.list.at[3]) && !gcs_chose(&g, &g.list.at[4]));
	/* Born behind the third, it is promoted by the fourth; behind the second, too. */
	EXPECT_INT(3, gcs_last_as_young(&g, 3, 4, 15));
	EXPECT_INT(3, gcs_last_as_young(&g, 2, 4, 15));
	gcs_release(&g);
}
