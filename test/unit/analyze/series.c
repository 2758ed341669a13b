#include "analyze/series.h"

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

#define S UINT64_C(1000000000)

static void add_gc(struct model *m, uint64_t end, uint64_t alloc, uint64_t after, bool young)
{
	struct gc gc = {.start = end - 1,
		.end = end,
		.alloc = alloc,
		.heap_after = after,
		.raised_young = young};
	EXPECT_INT(0, vec_push(&m->gcs.list, gc));
	m->now.time = end;
}

static struct series series_with(const struct model *m, const struct marks *marks)
{
	struct series s;
	EXPECT_INT(0, series_of(&s, m, marks, NULL));
	return s;
}

TEST(garbage_is_what_was_allocated_less_what_stayed)
{
	struct model m = {0};
	struct marks none = {0};
	for (uint64_t i = 1; i <= 12; i++)
		add_gc(&m, i * S, i * 1000, 100 + i * 10, true);
	struct series s = series_with(&m, &none);
	EXPECT_INT(SERIES_COLLECTIONS, s.basis);
	EXPECT_INT(11, s.steps.count);
	EXPECT(!s.heap_unknown);
	for (size_t i = 0; i < s.steps.count; i++) {
		EXPECT_NEAR(990, s.steps.at[i].bytes, 1e-9);
		EXPECT_INT((i + 1) * S, s.steps.at[i].from);
	}
	EXPECT_NEAR(990 * 2.5, series_bytes(&s, 2 * S, 4 * S + S / 2), 1e-6);
	series_release(&s);
	gcs_release(&m.gcs);
}

TEST(cycles_beside_the_program_end_no_step)
{
	struct model m = {0};
	struct marks none = {0};
	for (uint64_t i = 1; i <= 30; i++)
		add_gc(&m, i * S, i * 1000, 0, i % 2);
	struct series s = series_with(&m, &none);
	EXPECT_INT(14, s.steps.count);
	EXPECT(s.heap_unknown);
	EXPECT_NEAR(2000, s.steps.at[3].bytes, 1e-9);
	series_release(&s);
	gcs_release(&m.gcs);
}

TEST(rare_collections_leave_seconds)
{
	struct model m = {0};
	struct marks marks = {0};
	for (uint64_t i = 1; i <= 11; i++)
		add_gc(&m, i * 20 * S, i * 1000, 100, true);
	for (uint64_t i = 0; i <= 220; i++)
		EXPECT_INT(0, marks_add(&marks, i * S, i * 50));
	struct series s = series_with(&m, &marks);
	EXPECT_INT(SERIES_SECONDS, s.basis);
	EXPECT_INT(220, s.steps.count);
	EXPECT_NEAR(50, s.steps.at[100].bytes, 1e-9);
	series_release(&s);
	marks_release(&marks);
	gcs_release(&m.gcs);
}

/* A trace may tell of any time: steps are bounded, and none steps over the end of all times. */
TEST(a_run_of_any_length_has_as_many_steps)
{
	const uint64_t ends[] = {SERIES_MOST * S - 1, SERIES_MOST * S, INT64_MAX, UINT64_MAX};
	const uint64_t lengths[] = {1, 2, 8797, 17593};
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		struct model m = {.now = {.time = ends[i]}};
		struct marks none = {0};
		struct series s = series_with(&m, &none);
		size_t n = s.steps.count;
		EXPECT_INT(SERIES_SECONDS, s.basis);
		EXPECT(n <= SERIES_MOST && n >= SERIES_MOST / 2);
		EXPECT_INT(lengths[i] * S, s.steps.at[0].to);
		EXPECT_INT(n * lengths[i] * S, s.steps.at[n - 1].to);
		EXPECT(ends[i] - s.steps.at[n - 1].to < lengths[i] * S);
		series_release(&s);
	}
}

TEST(a_short_run_has_no_series)
{
	struct model m = {.now = {.time = 9 * S + 1}};
	struct marks marks = {0};
	struct series s = series_with(&m, &marks);
	EXPECT_INT(SERIES_NONE, s.basis);
	EXPECT_NEAR(0, series_bytes(&s, 0, 20 * S), 0);
	series_release(&s);
}

TEST(marks_are_joined_by_straight_lines)
{
	struct marks m = {0};
	EXPECT_NEAR(0, marks_at(&m, 5), 0);
	EXPECT_INT(0, marks_add(&m, 10, 100));
	EXPECT_INT(0, marks_add(&m, 20, 300));
	EXPECT_INT(0, marks_add(&m, 15, 200)); /* steps back: held */
	EXPECT_NEAR(50, marks_at(&m, 5), 1e-9);
	EXPECT_NEAR(100, marks_at(&m, 10), 1e-9);
	EXPECT_NEAR(200, marks_at(&m, 15), 1e-9);
	EXPECT_NEAR(300, marks_at(&m, 20), 1e-9);
	EXPECT_NEAR(300, marks_at(&m, 99), 1e-9);
	marks_release(&m);
}

TEST(out_of_memory_is_told)
{
	struct model m = {0};
	struct marks none = {0};
	for (uint64_t i = 1; i <= 12; i++)
		add_gc(&m, i * S, i * 1000, 100, true);
	struct series s;
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, series_of(&s, &m, &none, NULL));
	mem_fail_at(0);
	series_release(&s);
	gcs_release(&m.gcs);
}
