#include "tui/grid.h"

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

static void expect_text(const struct grid *g, const char *want)
{
	struct buf text = {0};
	grid_text(g, &text);
	EXPECT_STR(want, buf_text(&text));
	buf_release(&text);
}

static int put(struct grid *g, int row, int column, const char *text)
{
	return grid_put(g, row, column, g->columns, INK_PLAIN, slice_str(text));
}

TEST(text_is_cut_at_the_edges)
{
	struct grid g;
	EXPECT_INT(0, grid_init(&g, 2, 5));
	EXPECT_INT(5, put(&g, 0, 2, "abcdef"));
	EXPECT_INT(3, put(&g, 1, -2, "vwxyz"));
	EXPECT_INT(0, put(&g, 2, 0, "below"));
	EXPECT_INT(0, put(&g, -1, 0, "above"));
	EXPECT_INT(9, put(&g, 0, 9, "beyond"));
	EXPECT_INT(4, grid_put(&g, 1, 3, 4, INK_PLAIN, slice_str("..")));
	expect_text(&g, "  abc\nxyz.\n");
	grid_release(&g);
}

TEST(wide_characters_take_two_cells)
{
	struct grid g;
	EXPECT_INT(0, grid_init(&g, 1, 5));
	EXPECT_INT(4, put(&g, 0, 0, "注文書"));
	expect_text(&g, "注文\n");
	EXPECT_INT(0x6ce8, grid_at(&g, 0, 0)->code);
	EXPECT_INT(0, grid_at(&g, 0, 1)->code);
	grid_release(&g);
}

/* Of any script: a mark that had a cell of its own would tear the name apart. */
TEST(marks_of_all_scripts_join_what_they_follow)
{
	struct grid g;
	EXPECT_INT(0, grid_init(&g, 1, 5));
	EXPECT_INT(4, put(&g, 0, 0, "क\u094dषב\u05b0x"));
	EXPECT_INT(0x94d, grid_at(&g, 0, 0)->mark);
	EXPECT_INT(0x5b0, grid_at(&g, 0, 2)->mark);
	EXPECT_INT('x', grid_at(&g, 0, 3)->code);
	grid_release(&g);
}

TEST(half_a_wide_character_does_not_stay)
{
	struct grid g;
	EXPECT_INT(0, grid_init(&g, 1, 6));
	put(&g, 0, 0, "注文書");
	put(&g, 0, 1, "x");
	expect_text(&g, " x文書\n");
	put(&g, 0, 2, "y");
	expect_text(&g, " xy 書\n");
	put(&g, 0, 3, "文");
	expect_text(&g, " xy文\n");
	grid_release(&g);
}

TEST(marks_join_what_is_before_them)
{
	struct grid g;
	EXPECT_INT(0, grid_init(&g, 1, 4));
	EXPECT_INT(2, put(&g, 0, 0, "e\u0301x"));
	EXPECT_INT(0x301, grid_at(&g, 0, 0)->mark);
	expect_text(&g, "e\u0301x\n");
	put(&g, 0, 2, "\u0301y"); /* of nothing that was drawn with it */
	expect_text(&g, "e\u0301xy\n");
	put(&g, 0, 2, "文\u0301");
	EXPECT_INT(0x301, grid_at(&g, 0, 2)->mark);
	grid_release(&g);
}

TEST(what_steers_a_terminal_is_not_kept)
{
	struct grid g;
	EXPECT_INT(0, grid_init(&g, 1, 9));
	grid_put(&g, 0, 0, 9, INK_PLAIN,
		slice("a\x07\x7f\xc2\x9b\xff"
		      "b",
			7));
	expect_text(&g, "a????b\n");
	grid_release(&g);
}

TEST(tones_become_inks)
{
	struct grid g;
	EXPECT_INT(0, grid_init(&g, 1, 9));
	EXPECT_INT(5, put(&g, 0, 0, "a\x1b[1mb\x1b[0mc\x1b[2md\x1b[0m\x1b[33me\x1b[0m\x1b[2Jf"));
	expect_text(&g, "abcde\n"); /* another sequence takes all up to an m, or the end */
	EXPECT_INT(INK_PLAIN, grid_at(&g, 0, 0)->ink);
	EXPECT_INT(INK_BOLD, grid_at(&g, 0, 1)->ink);
	EXPECT_INT(INK_PLAIN, grid_at(&g, 0, 2)->ink);
	EXPECT_INT(INK_DIM, grid_at(&g, 0, 3)->ink);
	EXPECT_INT(INK_WARN, grid_at(&g, 0, 4)->ink);
	grid_ink_row(&g, 0, INK_PICKED);
	grid_ink_row(&g, 1, INK_PICKED);
	for (int c = 0; c < g.columns; c++)
		EXPECT_INT(INK_PICKED, grid_at(&g, 0, c)->ink);
	grid_release(&g);
}

TEST(blanks_at_the_ends_are_no_text)
{
	struct grid g;
	EXPECT_INT(0, grid_init(&g, 3, 4));
	put(&g, 1, 1, "x ");
	expect_text(&g, "\n x\n\n");
	grid_clear(&g);
	expect_text(&g, "\n\n\n");
	grid_release(&g);
}

TEST(every_character_comes_out_as_it_went_in)
{
	static const char text[] = "a~éßЖ文\U0001f600\U0010fffd";
	struct grid g;
	EXPECT_INT(0, grid_init(&g, 1, 20));
	put(&g, 0, 0, text);
	struct buf out = {0};
	grid_text(&g, &out);
	EXPECT(strncmp(buf_text(&out), text, sizeof(text) - 1) == 0);
	buf_release(&out);
	grid_release(&g);
}

TEST(sizes_are_bounded_and_memory_may_be_short)
{
	struct grid g;
	EXPECT_INT(0, grid_init(&g, -3, 5000));
	EXPECT_INT(0, g.rows);
	EXPECT_INT(GRID_MAX, g.columns);
	grid_release(&g);
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, grid_init(&g, 2, 2));
	mem_fail_at(0);
	EXPECT(g.at == NULL);
}
