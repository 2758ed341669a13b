#include "report/text.h"

#include "base/rng.h"
#include "support/tap.h"

static const struct look utf8 = {.utf8 = true}, ascii = {0};

static const char *cleaned(struct buf *b, const char *text)
{
	buf_clear(b);
	text_clean(b, slice_str(text));
	return buf_text(b);
}

TEST(nothing_that_steers_a_terminal_gets_through)
{
	struct buf b = {0};
	EXPECT_STR("Größe 字", cleaned(&b, "Größe 字"));
	EXPECT_STR("?[2Jx?", cleaned(&b, "\x1b[2Jx\n"));
	EXPECT_STR("???", cleaned(&b, "\xc0\x80\xff"));
	EXPECT_STR("?a", cleaned(&b, "\u202e"
				     "a"));
	EXPECT_STR("?", cleaned(&b, "\xc2\x85"));
	EXPECT_STR("a?b?c?d?e", cleaned(&b, "a\u2028"
					    "b\u200d"
					    "c\u2066"
					    "d\ufeff"
					    "e"));
	EXPECT_STR("a?b?c?d?e", cleaned(&b, "a\u00ad"
					    "b\u3164"
					    "c\U000e0041"
					    "d\u034f"
					    "e"));
	EXPECT_STR("????x\ufe0f", cleaned(&b, "\u115f\u1160\uffa0\ufff9x\ufe0f"));
	EXPECT_STR("???", cleaned(&b, "\xed\xa0\x80"));
	EXPECT_STR("??", cleaned(&b, "\xe2\x82"));
	buf_release(&b);
}

/* A name of Java's: pairs are one character, halves none. */
TEST(modified_utf_8)
{
	struct buf b = {0};
	EXPECT_STR("\U0001f600 \U00010000\U0010ffff",
		cleaned(&b, "\xed\xa0\xbd\xed\xb8\x80 \xed\xa0\x80\xed\xb0\x80"
			    "\xed\xaf\xbf\xed\xbf\xbf"));
	EXPECT_STR("???a", cleaned(&b, "\xed\xb8\x80"
				       "a"));
	EXPECT_STR("??????", cleaned(&b, "\xed\xb8\x80\xed\xa0\xbd"));
	EXPECT_STR("?????", cleaned(&b, "\xed\xa0\xbd\xed\xb8"));
	EXPECT_STR("???x??", cleaned(&b, "\xed\xa0\xbdx\xb8\x80"));
	buf_release(&b);
}

TEST(columns)
{
	EXPECT_INT(5, text_width(slice_str("Größe")));
	EXPECT_INT(4, text_width(slice_str("字字")));
	EXPECT_INT(1, text_width(slice_str("e\u0301")));
	EXPECT_INT(2, text_width(slice_str("\x1b[2mab\x1b[0m")));
}

TEST(columns_of_all_scripts)
{
	EXPECT_INT(2, text_width(slice_str("\U0001f680"))); /* a rocket, in names of threads */
	EXPECT_INT(6, text_width(slice_str("☕✅⭐")));
	EXPECT_INT(1, text_width(slice_str("ב\u05b0\u0591")));      /* Hebrew */
	EXPECT_INT(1, text_width(slice_str("م\u064e\u0651")));      /* Arabic */
	EXPECT_INT(2, text_width(slice_str("क\u094dष")));           /* Devanagari */
	EXPECT_INT(1, text_width(slice_str("ก\u0e34\u0e48")));      /* Thai */
	EXPECT_INT(2, text_width(slice_str("\u1112\u1161\u11ab"))); /* Hangul, by its sounds */
	EXPECT_INT(3, text_width(slice_str("\u00a0\u00ff\u2581")));
	EXPECT_INT(2, text_width(slice_str("\U0001d54f\U0010ffff")));
}

/* Whatever the bytes, the result fits and is no longer than it must be. */
TEST(clipping_fits)
{
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < 5000; i++) {
		uint8_t raw[24];
		struct buf clean = {0}, clipped = {0};
		size_t width = rng_below(&r, 12);
		for (size_t k = 0; k < sizeof(raw); k++)
			raw[k] = (uint8_t)rng_u64(&r);
		text_clean(&clean, slice(raw, rng_below(&r, sizeof(raw))));
		text_clip(&clipped, buf_slice(&clean), width, i % 2 ? &utf8 : &ascii);
		EXPECT(text_width(buf_slice(&clipped)) <= width);
		EXPECT(text_width(buf_slice(&clean)) > width ||
			slice_equal(buf_slice(&clean), buf_slice(&clipped)));
		buf_release(&clean);
		buf_release(&clipped);
	}
}

TEST(wrapping)
{
	struct buf b = {0};
	struct look narrow = {.width = 10};
	text_wrap(&b, &narrow, "one two three four", 0, 2);
	EXPECT_STR("one two\n  three\n  four\n", buf_text(&b));
	buf_clear(&b);
	text_wrap(&b, &ascii, "one two three four", 0, 2);
	EXPECT_STR("one two three four\n", buf_text(&b));
	buf_release(&b);
}

TEST(parts_go_where_there_is_room)
{
	const struct look narrow = {.utf8 = true, .color = true, .width = 20};
	struct buf b = {0};
	size_t line;
	buf_put_str(&b, "before\n");
	line = b.len;
	text_tone(&b, &narrow, TONE_BOLD, "Größe 字字");
	line = text_join(&b, &narrow, line, " · ", "seven", 2);
	line = text_join(&b, &narrow, line, " · ", "a second line", 2);
	text_join(&b, &narrow, line, " · ", "!!", 2);
	EXPECT_STR("before\n\x1b[1mGröße 字字\x1b[0m · seven\n  a second line · !!", buf_text(&b));
	buf_clear(&b);
	text_join(&b, &utf8, text_join(&b, &utf8, 0, "", "as wide as", 2), " ",
		"it gets, without a width", 2);
	EXPECT_STR("as wide as it gets, without a width", buf_text(&b));
	buf_release(&b);
}

TEST(tones_only_where_there_is_colour)
{
	struct buf b = {0};
	struct look colour = {.color = true};
	text_tone(&b, &ascii, TONE_DIM, "x");
	EXPECT_STR("x", buf_text(&b));
	text_tone(&b, &colour, TONE_DIM, "y");
	EXPECT_STR("x\x1b[2my\x1b[0m", buf_text(&b));
	buf_release(&b);
}

TEST(text_is_taken_character_by_character)
{
	static const char text[] = "a\x1b[2m文\xff\x1b[0m";
	static const struct {
		size_t bytes, columns;
		uint32_t code;
	} want[] = {{1, 1, 'a'}, {4, 0, 0}, {3, 2, 0x6587}, {1, 1, '?'}, {4, 0, 0}};
	size_t at = 0, columns;
	uint32_t code;
	for (size_t i = 0; i < ARRAY_SIZE(want); i++) {
		size_t n = text_next(slice_str(text), at, &code, &columns);
		EXPECT_INT(want[i].bytes, n);
		EXPECT_INT(want[i].columns, columns);
		EXPECT_INT(want[i].code, code);
		at += n;
	}
	EXPECT_INT(sizeof(text) - 1, at);
}
