#include "tui/scene.h"

#include "base/error.h"
#include "support/tap.h"
#include "unit/tui/golden_grid.h"
#include "unit/tui/sight_of.h"

struct stage {
	struct sight_of shop;
	struct state state;
	struct scene scene;
	struct grid grid;
};

static void begin(struct stage *s, uint64_t samples, int rows, int columns)
{
	*s = (struct stage){0};
	state_init(&s->state);
	EXPECT_INT(0, sight_of_shop(&s->shop, samples));
	EXPECT_INT(0, grid_init(&s->grid, rows, columns));
}

static void end(struct stage *s)
{
	scene_release(&s->scene);
	grid_release(&s->grid);
	sight_of_release(&s->shop);
}

static void draw(struct stage *s)
{
	if (s->state.changed)
		EXPECT_INT(0, scene_refresh(&s->scene, &s->shop.sight, &s->state));
	EXPECT_INT(0, scene_draw(&s->scene, &s->shop.sight, &s->state, &s->grid));
}

/* Presses keys one by one, each with a drawing, and compares what stands there then. */
static void play(struct stage *s, const char *keys, const char *name)
{
	draw(s);
	for (; *keys; keys++) {
		state_key(&s->state, (uint32_t)(unsigned char)*keys);
		draw(s);
	}
	golden_grid(name, &s->grid);
}

static void show(const char *keys, int rows, int columns, const char *name)
{
	struct stage s;
	begin(&s, 8000, rows, columns);
	play(&s, keys, name);
	end(&s);
}

TEST(the_table)
{
	show("", 24, 80, "table");
}

TEST(a_wide_screen)
{
	show("j", 20, 140, "table-wide");
}

TEST(bytes_sorted_by_what_is_alive)
{
	show("Lv", 24, 80, "table-bytes");
}

TEST(classes_in_megabytes)
{
	show("bcc", 24, 100, "table-class-mb");
}

TEST(a_filter_while_it_is_typed)
{
	show("/copyOf", 24, 80, "filter-typed");
}

TEST(a_filter_and_its_rows)
{
	show("/copyOf\rj", 24, 80, "filter");
}

TEST(a_filter_that_is_wrong)
{
	show("/colour=red\r", 24, 80, "filter-wrong");
}

TEST(a_filter_that_nothing_passes)
{
	show("/nobody\r", 16, 80, "filter-nothing");
}

TEST(into_a_row)
{
	show("jj\r", 40, 80, "row");
}

/* How to get away is told on the narrowest screen, on every page. */
TEST(a_way_out)
{
	static const char *const pages[] = {"", "\r", "a", "n", "h"};
	for (size_t i = 0; i < ARRAY_SIZE(pages); i++) {
		struct stage s;
		struct buf text = {0};
		begin(&s, 8000, SCENE_ROWS_MIN, SCENE_COLUMNS_MIN);
		draw(&s);
		if (*pages[i])
			state_key(&s.state, (uint32_t)(unsigned char)*pages[i]);
		draw(&s);
		grid_text(&s.grid, &text);
		tap_check(strstr(buf_text(&text), "q quit\n") != NULL, __FILE__, __LINE__, "%s",
			buf_text(&text));
		buf_release(&text);
		end(&s);
	}
}

TEST(the_advice)
{
	show("a", 24, 80, "advice");
}

TEST(the_notes)
{
	show("n", 24, 80, "notes");
}

TEST(the_help_to_its_end)
{
	show("hG", 24, 80, "help");
}

TEST(scrolled_on_a_low_screen)
{
	show("jjjjjj", 12, 80, "table-low");
}

TEST(held)
{
	show("p", 12, 60, "held");
}

TEST(too_small)
{
	show("", 9, 80, "too-small");
}

TEST(nothing_was_sampled)
{
	struct stage s;
	begin(&s, 0, 12, 80);
	s.shop.sight.status = "the program has ended";
	play(&s, "", "nothing");
	end(&s);
}

TEST(before_the_first_reading)
{
	struct stage s;
	begin(&s, 0, 12, 80);
	s.state.changed = false;
	s.shop.sight = (struct sight){.name = "PID 4711", .status = "reading"};
	play(&s, "", "reading");
	end(&s);
}

TEST(in_ascii)
{
	struct stage s;
	begin(&s, 8000, 24, 80);
	s.shop.sight.look.utf8 = false;
	play(&s, "", "table-ascii");
	end(&s);
}

TEST(the_picked_row_is_inked_and_marked)
{
	struct stage s;
	begin(&s, 8000, 24, 80);
	draw(&s);
	EXPECT_INT(INK_HEAD, grid_at(&s.grid, 5, 0)->ink);
	EXPECT_INT('>', grid_at(&s.grid, 7, 0)->code);
	for (int c = 0; c < s.grid.columns; c++)
		EXPECT_INT(INK_PICKED, grid_at(&s.grid, 7, c)->ink);
	EXPECT(grid_at(&s.grid, 8, 0)->ink != INK_PICKED);
	end(&s);
}

TEST(a_row_is_followed_through_another_order)
{
	struct stage s;
	begin(&s, 8000, 24, 80);
	draw(&s);
	for (int i = 0; i < 3; i++)
		state_key(&s.state, 'j');
	draw(&s);
	char *key = mem_strndup(s.scene.key, strlen(s.scene.key));
	EXPECT_INT(3, s.state.picked);
	s.state.sort = SORT_ALIVE; /* as if the next reading had another order */
	EXPECT_INT(0, scene_refresh(&s.scene, &s.shop.sight, &s.state));
	draw(&s);
	EXPECT(s.state.picked != 3);
	EXPECT_STR(key, s.scene.key);
	mem_free(key);
	end(&s);
}

TEST(a_row_that_is_gone_is_told)
{
	struct stage s;
	begin(&s, 8000, 24, 80);
	draw(&s);
	state_key(&s.state, '\r');
	draw(&s);
	EXPECT_INT(0, where_add(&s.state.always, "class=java.*", NULL));
	EXPECT_INT(0, scene_refresh(&s.scene, &s.shop.sight, &s.state));
	play(&s, "", "row-gone");
	end(&s);
}

TEST(all_sizes_can_be_drawn)
{
	static const char pages[] = "v\rahn";
	struct stage s;
	begin(&s, 3000, 1, 1);
	for (int rows = 0; rows < 60; rows += 7)
		for (int columns = 0; columns < 200; columns += 13) {
			grid_release(&s.grid);
			EXPECT_INT(0, grid_init(&s.grid, rows, columns));
			for (size_t i = 0; i < sizeof(pages) - 1; i++) {
				draw(&s);
				state_key(&s.state, (uint32_t)pages[i]);
			}
			draw(&s);
			state_key(&s.state, 0x1b);
		}
	end(&s);
}

TEST(memory_may_be_short)
{
	struct stage s;
	int err = ERR_NOMEM;
	begin(&s, 500, 24, 80);
	for (uint64_t n = 1; err && n < 100000; n++) {
		mem_fail_at(n);
		err = scene_refresh(&s.scene, &s.shop.sight, &s.state);
		err = err ? err : scene_draw(&s.scene, &s.shop.sight, &s.state, &s.grid);
		mem_fail_at(0);
		EXPECT(err == ERR_NONE || err == ERR_NOMEM);
	}
	EXPECT_INT(0, err);
	end(&s);
}
