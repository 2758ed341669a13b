#include "tui/state.h"

#include "support/tap.h"

static void keys(struct state *s, const char *text)
{
	for (; *text; text++)
		state_key(s, (uint32_t)(unsigned char)*text);
}

static struct state fresh(size_t rows, size_t height)
{
	struct state s;
	state_init(&s);
	s.changed = false;
	s.rows = rows;
	s.height = height;
	return s;
}

TEST(it_begins_as_the_report_does)
{
	struct state s;
	state_init(&s);
	struct query q = state_query(&s);
	EXPECT(s.changed);
	EXPECT_INT(PAGE_TABLE, s.page);
	EXPECT_INT(BY_SITE, q.by);
	EXPECT_INT(SORT_ALLOC, q.sort);
	EXPECT(q.split && q.least > 0);
	EXPECT_INT(1 << CLOCK_YOUNG, q.clocks);
	s.own = CLOCK_FULL; /* the trace's deaths are told by old collections only */
	EXPECT_INT(CLOCK_FULL, state_clock(&s));
}

TEST(choices_go_round)
{
	struct state s = fresh(3, 10);
	keys(&s, "s");
	EXPECT_INT(SORT_SURVIVED, s.sort);
	EXPECT(s.changed);
	keys(&s, "sss");
	EXPECT_INT(SORT_ALLOC, s.sort);
	keys(&s, "L");
	EXPECT_INT(SORT_ALIVE, s.sort);
	keys(&s, "bbbb");
	EXPECT_INT(BY_THREAD, s.by);
	keys(&s, "b");
	EXPECT_INT(BY_SITE, s.by);
	keys(&s, "c");
	EXPECT_INT(CLOCK_FULL, state_clock(&s));
	keys(&s, "ccc");
	EXPECT_INT(CLOCK_YOUNG, state_clock(&s));
	keys(&s, "v");
	EXPECT_INT(COLUMNS_BYTES, s.columns);
	keys(&s, "\t");
	EXPECT_INT(COLUMNS_LIVES, s.columns);
}

TEST(the_clock_goes_on_from_the_traces_own)
{
	struct state s = fresh(3, 10);
	s.own = CLOCK_FULL;
	keys(&s, "c");
	EXPECT_INT(CLOCK_BYTES, state_clock(&s));
}

TEST(moving_stays_within_the_rows)
{
	struct state s = fresh(20, 6);
	keys(&s, "k");
	state_clamp(&s);
	EXPECT_INT(0, s.picked);
	keys(&s, "jjjjjjj");
	state_clamp(&s);
	EXPECT_INT(7, s.picked);
	EXPECT_INT(2, s.top);
	state_key(&s, KEYS_PAGE_DOWN);
	state_clamp(&s);
	EXPECT_INT(12, s.picked);
	keys(&s, "G");
	state_clamp(&s);
	EXPECT_INT(19, s.picked);
	EXPECT_INT(14, s.top);
	keys(&s, "j");
	state_clamp(&s);
	EXPECT_INT(19, s.picked);
	keys(&s, "g");
	state_clamp(&s);
	EXPECT_INT(0, s.top);
	s.picked = 19;
	s.rows = 0;
	state_clamp(&s);
	EXPECT_INT(0, s.picked);
	keys(&s, "G\r");
	EXPECT_INT(PAGE_TABLE, s.page); /* there is no row to go into */
}

TEST(pages_open_and_close)
{
	struct state s = fresh(5, 6);
	keys(&s, "\r");
	EXPECT_INT(PAGE_DETAIL, s.page);
	s.lines = 30;
	keys(&s, "jj");
	state_clamp(&s);
	EXPECT_INT(2, s.scroll);
	keys(&s, "G");
	state_clamp(&s);
	EXPECT_INT(24, s.scroll);
	EXPECT_INT(0, s.picked);
	keys(&s, "b/");
	EXPECT_INT(BY_SITE, s.by); /* the row would be another one */
	EXPECT(!s.typing);
	keys(&s, "\x1b");
	EXPECT_INT(PAGE_TABLE, s.page);
	keys(&s, "h");
	EXPECT_INT(PAGE_HELP, s.page);
	EXPECT_INT(0, s.scroll);
	keys(&s, "a");
	EXPECT_INT(PAGE_ADVICE, s.page);
	keys(&s, "a");
	EXPECT_INT(PAGE_TABLE, s.page);
	keys(&s, "n");
	EXPECT_INT(PAGE_NOTES, s.page);
}

TEST(sorting_moves_to_the_top_but_not_away_from_a_page)
{
	struct state s = fresh(5, 6);
	keys(&s, "jj");
	keys(&s, "s");
	EXPECT_INT(0, s.picked);
	keys(&s, "jj\r");
	keys(&s, "s");
	EXPECT_INT(2, s.picked);
}

TEST(a_text_filters_and_takes_small_rows_too)
{
	struct state s = fresh(5, 6);
	keys(&s, "/bool\x7f"
		 "k q");
	EXPECT(s.typing && !s.quit);
	EXPECT_STR("", state_text(&s));
	keys(&s, "\r");
	EXPECT(!s.typing && s.changed);
	EXPECT_STR("book q", state_text(&s));
	EXPECT_INT(0, state_query(&s).where.count);
	EXPECT_NEAR(0, state_query(&s).least, 0);
	keys(&s, "/\x15"
		 "x\x1b");
	EXPECT_STR("book q", state_text(&s)); /* left as it was */
	s.changed = false;
	keys(&s, "\x1b");
	EXPECT_STR("", state_text(&s));
	EXPECT(s.changed);
}

TEST(a_glob_is_one_of_where)
{
	struct state s = fresh(5, 6);
	EXPECT_INT(0, where_add(&s.always, "method=*Parser*", NULL));
	keys(&s, "/class=byte[]\r");
	struct query q = state_query(&s);
	EXPECT_STR("", state_text(&s));
	EXPECT_INT(2, q.where.count);
	EXPECT_INT(WHERE_CLASS, q.where.terms[1].key);
	keys(&s, "/\x15"
		 "colour=red\r");
	EXPECT(strstr(s.wrong.text, "colour=red") != NULL);
	EXPECT_STR("class=byte[]", s.filter);
	keys(&s, "j");
	EXPECT_STR("", s.wrong.text);
}

TEST(typing_takes_all_of_unicode_and_knows_its_end)
{
	struct state s = fresh(5, 6);
	keys(&s, "/a");
	state_key(&s, 0x6587);
	state_key(&s, 0x1f600);
	state_key(&s, KEYS_UP);
	EXPECT_STR("a\u6587\U0001f600", s.typed);
	state_key(&s, KEYS_BACKSPACE);
	EXPECT_STR("a\u6587", s.typed);
	keys(&s, "\x7f\x7f\x7f\x7f");
	EXPECT_STR("", s.typed);
	for (int i = 0; i < 2 * WHERE_TEXT; i++)
		keys(&s, "x");
	EXPECT_INT(WHERE_TEXT - 1, strlen(s.typed));
}

TEST(the_pace_has_steps_and_ends)
{
	struct state s = fresh(5, 6);
	EXPECT_INT(1000000000, s.every.v);
	keys(&s, "-");
	EXPECT_INT(1000000000, s.every.v);
	keys(&s, "++");
	EXPECT_INT(5000000000, s.every.v);
	keys(&s, "++++++");
	EXPECT_INT(60000000000, s.every.v);
	s.every.v = 7000000000;
	keys(&s, "-");
	EXPECT_INT(5000000000, s.every.v);
}

TEST(it_pauses_redraws_and_quits)
{
	struct state s = fresh(5, 6);
	keys(&s, "p");
	EXPECT(s.paused);
	keys(&s, " ");
	EXPECT(!s.paused);
	keys(&s, "\x0c");
	EXPECT(s.redraw);
	keys(&s, "z");
	EXPECT(!s.quit);
	keys(&s, "q");
	EXPECT(s.quit);
	s = fresh(5, 6);
	keys(&s, "/");
	state_key(&s, KEYS_LOST);
	EXPECT(s.quit);
}
