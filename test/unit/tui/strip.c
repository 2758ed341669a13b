#include "tui/strip.h"

#include "base/error.h"
#include "support/tap.h"

static int add(struct model *m, enum gc_kind kind, uint64_t pause)
{
	return vec_push(&m->gcs.list, ((struct gc){.kind = (uint8_t)kind, .pause = pause}));
}

static void expect(const struct model *m, int columns, bool utf8, const char *want)
{
	struct grid g;
	struct buf text = {0};
	const struct look look = {.utf8 = utf8};
	EXPECT_INT(0, grid_init(&g, STRIP_ROWS, columns));
	strip_draw(&g, 0, m, &look);
	grid_text(&g, &text);
	EXPECT_STR(want, buf_text(&text));
	buf_release(&text);
	grid_release(&g);
}

TEST(pauses_are_as_high_as_they_were_long)
{
	static struct model m;
	add(&m, GC_KIND_YOUNG, 1000000);
	add(&m, GC_KIND_YOUNG, 4000000);
	add(&m, GC_KIND_MIXED, 1);
	add(&m, GC_KIND_FULL, 8000000);
	add(&m, GC_KIND_CONCURRENT, 0);
	expect(&m, 40, true, "pauses  ▁▄▁█   max 8.00 ms\nGCs     yymFc\n");
	expect(&m, 40, false, "pauses  .:.#   max 8.00 ms\nGCs     yymFc\n");
	vec_release(&m.gcs.list);
}

TEST(the_newest_are_in_sight)
{
	static struct model m;
	for (uint64_t i = 0; i < 100; i++)
		add(&m, i % 10 ? GC_KIND_YOUNG : GC_KIND_FULL, i < 50 ? 80000000 : 1000000);
	expect(&m, 33, true, "pauses  ██████████  max 1.00 ms\nGCs     Fyyyyyyyyy\n");
	vec_release(&m.gcs.list);
}

TEST(kinds_have_their_inks)
{
	static struct model m;
	struct grid g;
	const struct look look = {.utf8 = true};
	for (int k = 0; k < GC_KINDS; k++)
		add(&m, (enum gc_kind)k, 1000);
	EXPECT_INT(0, grid_init(&g, STRIP_ROWS, 40));
	strip_draw(&g, 0, &m, &look);
	for (int k = 0; k < GC_KINDS; k++)
		for (int row = 0; row < STRIP_ROWS; row++)
			EXPECT_INT(INK_YOUNG + k, grid_at(&g, row, 8 + k)->ink);
	grid_release(&g);
	vec_release(&m.gcs.list);
}

TEST(where_there_is_nothing_it_says_so)
{
	static struct model m;
	expect(&m, 40, true, "pauses  no collection yet\nGCs\n");
}

TEST(no_room_is_no_trouble)
{
	static struct model m;
	add(&m, GC_KIND_YOUNG, 1000000);
	expect(&m, 10, true, "pauses\nGCs\n");
	expect(&m, 1, true, "p\nG\n");
	vec_release(&m.gcs.list);
}
