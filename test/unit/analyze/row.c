/* What a row says of its evidence. */
#include "analyze/row.h"

#include "support/tap.h"

/* So many of a line are born before the last collection, and so many behind it. All was counted. */
static struct evidence evidence_of(uint64_t before, uint64_t behind)
{
	struct counts c = {0};
	struct odds odds = {{0}};
	struct model m = {.now = {.young = 1}};
	struct row r = {0};
	const struct record_exact_gc gc = {.young = 1};
	const struct record_site_births births = {.objects = before, .bytes = 16 * before},
					later = {.objects = behind, .bytes = 16 * behind};
	EXPECT_INT(0, counts_births(&c, 0, &births));
	counts_gc(&c, &gc, &odds);
	EXPECT_INT(0, counts_births(&c, 0, &later));
	EXPECT_INT(0, counted_add(&r.tally.counted, &c.sites.at[0]));
	total_count(&r.tally.alloc, (double)(before + behind), (double)(16 * (before + behind)));
	EXPECT_INT(0, row_solve(&r, &m, 1u << CLOCK_YOUNG));
	struct evidence e = r.evidence[MEASURE_BYTES];
	row_release(&r);
	counts_release(&c);
	return e;
}

TEST(all_that_was_counted_is_followed)
{
	struct evidence e = evidence_of(30, 0);
	EXPECT(e.counted && !e.too_few);
	EXPECT_INT(30, e.followed);
	EXPECT_INT(30, e.seen);
	e = evidence_of(30, 12);
	EXPECT(e.counted && !e.too_few);
	EXPECT_INT(42, e.followed);
	EXPECT_INT(30, e.seen);
}

/* "61 objects, none of them seen by a GC", and not "0 objects". */
TEST(so_are_those_that_no_collection_came_after)
{
	struct evidence e = evidence_of(0, 61);
	EXPECT(e.counted && e.too_few);
	EXPECT_INT(61, e.followed);
	EXPECT_INT(0, e.seen);
	e = evidence_of(4, 61);
	EXPECT(e.counted && e.too_few);
	EXPECT_INT(65, e.followed);
	EXPECT_INT(4, e.seen);
}

/* 8 objects of 3 MB among 100 that samples did not follow; of counts what they leave open. */
static struct amount large_of(const struct counted *counted)
{
	struct model m = {.now = {.young = 1}};
	struct odds odds = {{0}};
	const struct record fact = {.kind = RECORD_fact,
		.fact = {.key = slice_str("follow.max"), .value = slice_str("524288")}};
	struct row r = {.tally = {.counted = *counted}};
	EXPECT_INT(0, facts_init(&m.facts));
	EXPECT_INT(1, facts_read(&m.facts, &m.defs.texts, &fact, &odds));
	total_count(&r.tally.stray, 8, 24e6);
	struct amount large = row_too_large(&r, &m);
	facts_release(&m.facts);
	texts_release(&m.defs.texts);
	return large;
}

TEST(what_events_tell_of_is_not_too_large)
{
	const struct counted sampled = {0}, events = {.any = true},
			     headers = {.any = true, .partial = true, .unfollowed = {8, 24e6}},
			     part = {.any = true, .open = 1};
	EXPECT_NEAR(24e6, large_of(&sampled).bytes, 0);
	EXPECT_NEAR(8, large_of(&headers).objects, 0);
	EXPECT_NEAR(24e6, large_of(&headers).bytes, 0);
	EXPECT_NEAR(24e6, large_of(&part).bytes, 0);
	EXPECT_NEAR(0, large_of(&events).bytes, 0);
	EXPECT_NEAR(0, large_of(&events).objects, 0);
}
