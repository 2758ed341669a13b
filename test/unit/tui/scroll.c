#include "tui/scroll.h"

#include "base/error.h"
#include "support/tap.h"

static void expect_screen(const struct scroll *s, size_t first, const char *want)
{
	struct grid g;
	struct buf text = {0};
	EXPECT_INT(0, grid_init(&g, 4, 8));
	const struct look look = {.utf8 = true};
	scroll_draw(s, first, &g, 1, 3, &look);
	grid_text(&g, &text);
	EXPECT_STR(want, buf_text(&text));
	buf_release(&text);
	grid_release(&g);
}

TEST(a_screenful_is_in_sight)
{
	struct scroll s = {0};
	buf_put_str(&s.text, "one\n\nthree\nfour and more");
	EXPECT_INT(0, scroll_split(&s));
	EXPECT_INT(4, s.lines.count);
	expect_screen(&s, 0, "\none\n\n\n");
	expect_screen(&s, 2, "\nthree\nfour an…\n\n");
	expect_screen(&s, 3, "\nfour an…\n\n\n");
	expect_screen(&s, 9, "\n\n\n\n");
	scroll_clear(&s);
	EXPECT_INT(0, scroll_split(&s));
	expect_screen(&s, 0, "\n\n\n\n");
	scroll_release(&s);
}

TEST(memory_may_be_short)
{
	struct scroll s = {0};
	buf_put_str(&s.text, "one\ntwo");
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, scroll_split(&s));
	mem_fail_at(0);
	scroll_release(&s);
}
