#include "cli/progress.h"

#include <stdlib.h>

#include "base/error.h"
#include "support/tap.h"

TEST(says_how_far)
{
	static const struct {
		uint64_t done, size;
		const char *want;
	} cases[] = {
		{0, 1000, "reading   0 %"},
		{9, 1000, "reading   0 %"},
		{10, 1000, "reading   1 %"},
		{425, 1000, "reading  42 %"},
		{999, 1000, "reading  99 %"},
		{1000, 1000, "reading 100 %"},
		{5000, 1000, "reading 100 %"}, /* it grew */
		{0, 0, "reading 100 %"},
		{UINT64_MAX / 2, UINT64_MAX, "reading  50 %"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char text[PROGRESS_TEXT];
		progress_text(cases[i].done, cases[i].size, text);
		EXPECT_STR(cases[i].want, text);
	}
}

/* What is drawn, as text, of which some was looked at. */
struct screen {
	FILE *file;
	char *text;
	size_t len, seen;
};

static void expect_drawn(struct screen *s, const char *want)
{
	fflush(s->file);
	EXPECT_STR(want, s->text + s->seen);
	s->seen = s->len;
}

static struct ns ms(uint64_t v)
{
	return (struct ns){v * 1000000};
}

TEST(draws_only_after_a_second_and_seldom)
{
	struct screen s = {0};
	s.file = open_memstream(&s.text, &s.len);
	struct progress p = {.out = s.file, .size = 1000};
	progress_at(&p, ms(999), 100);
	progress_clear(&p);
	expect_drawn(&s, "");
	progress_at(&p, ms(1000), 250);
	expect_drawn(&s, "\rreading  25 %\033[K");
	progress_at(&p, ms(1099), 300);
	expect_drawn(&s, "");
	progress_at(&p, ms(1100), 300);
	expect_drawn(&s, "\rreading  30 %\033[K");
	progress_clear(&p);
	expect_drawn(&s, "\r\033[K");
	progress_clear(&p);
	expect_drawn(&s, "");
	fclose(s.file);
	free(s.text);
}

TEST(without_a_terminal_there_is_nothing)
{
	struct progress p = {.size = 1000};
	progress_at(&p, ms(5000), 250);
	EXPECT(!p.shown);
	progress_clear(&p);
}

TEST(reads_through)
{
	struct source s;
	struct screen screen = {0};
	struct progress p;
	char bytes[8] = "";
	size_t got = 0;
	screen.file = open_memstream(&screen.text, &screen.len);
	EXPECT_INT(0, source_open_memory(&s, slice("0123456789", 10)));
	progress_watch(&p, &s, 10, screen.file);
	p.begin = p.drawn = (struct ns){0}; /* long ago */
	EXPECT_INT(0, s.read(s.arg, 4, bytes, 3, &got));
	EXPECT_INT(3, got);
	EXPECT_STR("456", bytes);
	expect_drawn(&screen, "\rreading  70 %\033[K");
	source_close(&s);
	expect_drawn(&screen, "\r\033[K");
	fclose(screen.file);
	free(screen.text);
}
