#include "analyze/align.h"

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

static void expect(const struct align_line *a, size_t na, const struct align_line *b, size_t nb,
	const size_t *want)
{
	size_t got[8];
	EXPECT_INT(0, align_lines(a, na, b, nb, got));
	for (size_t i = 0; i < na; i++)
		EXPECT_INT(want[i], got[i]);
}

TEST(equal_lines_are_the_same)
{
	const struct align_line a[] = {{10, 100}, {20, 5}, {30, 7}};
	expect(a, 3, a, 3, (size_t[]){0, 1, 2});
}

TEST(lines_that_moved_together_are_the_same)
{
	const struct align_line a[] = {{10, 100}, {20, 5}, {30, 7}};
	const struct align_line b[] = {{14, 90}, {24, 6}, {34, 7}};
	expect(a, 3, b, 3, (size_t[]){0, 1, 2});
}

TEST(a_line_put_in_between_is_new)
{
	const struct align_line a[] = {{10, 100}, {20, 5}};
	const struct align_line b[] = {{10, 100}, {15, 1000}, {26, 5}};
	expect(a, 2, b, 3, (size_t[]){0, 2});
}

TEST(a_line_that_fell_away_is_gone)
{
	const struct align_line a[] = {{10, 100}, {15, 1000}, {20, 5}};
	const struct align_line b[] = {{10, 100}, {19, 5}};
	expect(a, 3, b, 2, (size_t[]){0, ALIGN_NONE, 1});
}

TEST(the_same_line_may_change_a_hundredfold)
{
	const struct align_line a[] = {{10, 100}};
	const struct align_line b[] = {{10, 10000}};
	expect(a, 1, b, 1, (size_t[]){0});
}

TEST(nothing_matches_nothing)
{
	const struct align_line a[] = {{10, 100}};
	expect(a, 1, NULL, 0, (size_t[]){ALIGN_NONE});
	expect(NULL, 0, a, 1, NULL);
}

TEST(too_many_lines_match_where_equal)
{
	static struct align_line a[ALIGN_MAX + 1], b[ALIGN_MAX + 1];
	static size_t match[ALIGN_MAX + 1];
	for (uint32_t i = 0; i <= ALIGN_MAX; i++) {
		a[i] = (struct align_line){2 * i, 1};
		b[i] = (struct align_line){3 * i, 1};
	}
	EXPECT_INT(0, align_lines(a, ALIGN_MAX + 1, b, ALIGN_MAX + 1, match));
	EXPECT_INT(0, match[0]);
	EXPECT_INT(ALIGN_NONE, match[1]);
	EXPECT_INT(2, match[3]);
}

TEST(out_of_memory_is_told)
{
	const struct align_line a[] = {{10, 100}};
	size_t match[1];
	for (uint64_t n = 1; n <= 3; n++) {
		mem_fail_at(n);
		EXPECT_INT(ERR_NOMEM, align_lines(a, 1, a, 1, match));
		mem_fail_at(0);
	}
}
