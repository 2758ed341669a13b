#include "report/table.h"

#include "base/error.h"
#include "support/tap.h"

static void fill(struct table *t, const char *const *cells, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		buf_put_str(table_cell(t), cells[i]);
		EXPECT_INT(0, table_next(t));
	}
}

TEST(columns_are_as_wide_as_their_widest)
{
	static const char *const cells[] = {"1", "", "Größe", "10", "", "x"};
	struct table t = {0};
	struct buf out = {0};
	struct look look = {.utf8 = true};
	table_column(&t, "N", "", true, false);
	table_column(&t, "EMPTY", "", true, false);
	table_column(&t, "NAME", "unit", false, true);
	fill(&t, cells, ARRAY_SIZE(cells));
	EXPECT_INT(0, table_put(&t, &out, &look));
	EXPECT_STR("   N  NAME\n      unit\n   1  Größe\n  10  x\n", buf_text(&out));
	table_release(&t);
	buf_release(&out);
}

TEST(one_column_gives_way)
{
	static const char *const cells[] = {"abcdefghijklmnopqrstuvwxyz", "end"};
	struct table t = {0};
	struct buf out = {0};
	struct look look = {.width = 30};
	table_column(&t, "", "", false, true);
	table_column(&t, "", "", false, false);
	fill(&t, cells, ARRAY_SIZE(cells));
	EXPECT_INT(0, table_put(&t, &out, &look));
	EXPECT_STR("\n  abcdefghijklmnopqrstuv~  end\n", buf_text(&out));
	table_release(&t);
	buf_release(&out);
}

static void put_three(struct buf *out, int width)
{
	static const char *const cells[] = {"1", "22222222", "abcdefghijklmnop", "2", "", "b"};
	struct table t = {0};
	struct look look = {.width = width};
	table_column(&t, "N", "", true, false);
	table_column(&t, "SPARE", "of it", true, false);
	table_spares(&t, 1);
	table_column(&t, "NAME", "", false, false);
	table_gives(&t, 10);
	fill(&t, cells, ARRAY_SIZE(cells));
	buf_clear(out);
	EXPECT_INT(0, table_put(&t, out, &look));
	EXPECT_INT(width && width < 25, t.columns[1].left_out);
	table_release(&t);
}

/* A column that gives way does so before one that can be spared goes, which no head is left of. */
TEST(what_is_spared)
{
	struct buf out = {0};
	put_three(&out, 0);
	EXPECT_STR("  N     SPARE  NAME\n        of it\n  1  22222222  abcdefghijklmnop\n"
		   "  2            b\n",
		buf_text(&out));
	put_three(&out, 25);
	EXPECT_STR("  N     SPARE  NAME\n        of it\n  1  22222222  abcdefghi~\n"
		   "  2            b\n",
		buf_text(&out));
	put_three(&out, 24);
	EXPECT_STR("  N  NAME\n  1  abcdefghijklmnop\n  2  b\n", buf_text(&out));
	put_three(&out, 18);
	EXPECT_STR("  N  NAME\n  1  abcdefghijkl~\n  2  b\n", buf_text(&out));
	buf_release(&out);
}

/* In proportion to the least that they need. */
TEST(two_columns_give_way)
{
	static const char *const cells[] = {"abcdefghijklmnopqrst", "0123456789012345"};
	struct table t = {0};
	struct buf out = {0};
	struct look look = {.width = 31};
	table_column(&t, "", "", false, true);
	table_column(&t, "", "", false, false);
	table_gives(&t, 8);
	fill(&t, cells, ARRAY_SIZE(cells));
	EXPECT_INT(0, table_put(&t, &out, &look));
	EXPECT_STR("\n  abcdefghijklmnopq~  01234567~\n", buf_text(&out));
	table_release(&t);
	buf_release(&out);
}
