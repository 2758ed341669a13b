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
