#include "base/json_reader.h"

#include <stdio.h>

#include "base/error.h"
#include "support/tap.h"

/* A letter for each token: what a document reads as. */
static const char *shape(const char *text)
{
	static const char letters[JSON_TOKENS + 1] = "!.{}[]ksntf0";
	static char out[256];
	struct json_reader r = json_reader_init(slice_str(text));
	size_t len = 0;
	enum json_token t;
	do {
		t = json_reader_next(&r);
		out[len++] = letters[t];
	} while (t != JSON_ERROR && t != JSON_END && len < sizeof(out) - 1);
	out[len] = 0;
	return out;
}

TEST(what_is_json_is_read)
{
	EXPECT_STR("{}.", shape(" {} "));
	EXPECT_STR("[].", shape("[\n]"));
	EXPECT_STR("n.", shape("-0.5e+10"));
	EXPECT_STR(
		"{ksk[ntf0]k{}}.", shape("{\"a\":\"b\", \"c\" : [1, true,false,null],\"d\":{}}"));
	EXPECT_STR("s.", shape("\"\\u00e9\\ud83d\\ude00 \xc3\xa9 \xf0\x9f\x98\x80\""));
}

TEST(what_is_not_is_refused)
{
	static const char *const bad[] = {"", "{", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":1,}",
		"{a:1}", "01", "1.", ".5", "-", "1e", "+1", "\"", "\"\\x\"", "\"\\u12\"",
		"\"\\ud800\"", "\"\\udc00\"", "\"\\ud800\\u0041\"", "\"\t\"", "nul", "{} {}", "[}",
		"]", "\"\xff\"", "\"\xc0\xaf\"", "\"\xed\xa0\x80\"", "\"\xf4\x90\x80\x80\"",
		"\"\xe2\x82\"", "// x\n1"};
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		const char *got = shape(bad[i]);
		tap_check(got[strlen(got) - 1] == '!', __FILE__, __LINE__, "%s reads as %s", bad[i],
			got);
	}
}

TEST(depth_is_bounded)
{
	char text[2 * JSON_DEPTH + 4] = "";
	memset(text, '[', JSON_DEPTH);
	memset(text + JSON_DEPTH, ']', JSON_DEPTH);
	const char *got = shape(text);
	EXPECT_INT('.', got[strlen(got) - 1]);
	memset(text, '[', JSON_DEPTH + 1);
	memset(text + JSON_DEPTH + 1, ']', JSON_DEPTH + 1);
	got = shape(text);
	EXPECT_INT('!', got[strlen(got) - 1]);
}

TEST(texts_are_resolved)
{
	char text[32];
	struct json_reader r = json_reader_init(slice_str("\"a\\n\\u00e9\\ud83d\\ude00\\/\""));
	EXPECT_INT(JSON_STRING, json_reader_next(&r));
	EXPECT_INT(9, json_reader_text(&r, text, sizeof(text)));
	EXPECT_STR("a\n\xc3\xa9\xf0\x9f\x98\x80/", text);
	EXPECT_INT(-1, json_reader_text(&r, text, 9));
	EXPECT_INT(9, json_reader_text(&r, text, 10));
	r = json_reader_init(slice_str("\"a\\u0000b\""));
	json_reader_next(&r);
	EXPECT_INT(-1, json_reader_text(&r, text, sizeof(text)));
	r = json_reader_init(slice_str("\"\\u006bey\""));
	json_reader_next(&r);
	EXPECT(json_reader_is(&r, "key") && !json_reader_is(&r, "keys"));
}

static bool whole(const char *text, int64_t *to)
{
	struct json_reader r = json_reader_init(slice_str(text));
	return json_reader_next(&r) == JSON_NUMBER && json_reader_int(&r, -5, 1000, to);
}

TEST(whole_numbers_are_bounded)
{
	int64_t n = 0;
	EXPECT(whole("1000", &n));
	EXPECT_INT(1000, n);
	EXPECT(whole("-5", &n));
	EXPECT_INT(-5, n);
	EXPECT(!whole("1001", &n));
	EXPECT(!whole("-6", &n));
	EXPECT(!whole("1.0", &n));
	EXPECT(!whole("1e2", &n));
	EXPECT(!whole("99999999999999999999", &n));
	EXPECT(!whole("0000000000000000000000000000000000001", &n));
}

TEST(a_value_is_passed_over_whole)
{
	struct json_reader r =
		json_reader_init(slice_str("{\"a\":{\"b\":[1,{\"c\":2}]},\"d\":\"x\",\"e\":7}"));
	json_reader_next(&r);
	EXPECT_INT(JSON_KEY, json_reader_next(&r));
	EXPECT(json_reader_skip(&r));
	EXPECT_INT(JSON_KEY, json_reader_next(&r));
	EXPECT(json_reader_is(&r, "d"));
	EXPECT(json_reader_skip(&r));
	EXPECT_INT(JSON_KEY, json_reader_next(&r));
	EXPECT_INT(JSON_NUMBER, json_reader_next(&r));
	EXPECT_INT(JSON_OBJECT_END, json_reader_next(&r));
	EXPECT_INT(JSON_END, json_reader_next(&r));
}

TEST(a_fault_has_its_line)
{
	struct diag d;
	struct json_reader r = json_reader_init(slice_str("{\n  \"a\": 1\n  \"b\": 2\n}"));
	while (json_reader_next(&r) != JSON_ERROR)
		;
	EXPECT_INT(ERR_FORMAT, json_reader_say(&r, "x.json", &d));
	EXPECT_STR("x.json, line 3, column 3: not JSON: a comma is missing", d.text);
	EXPECT_INT(JSON_ERROR, json_reader_next(&r));
}
