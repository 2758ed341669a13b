#include "report/quote.h"

#include <jansson.h>

#include "base/compiler.h"
#include "base/mem.h"
#include "base/rng.h"
#include "report/text.h"
#include "support/tap.h"

static struct slice made(struct rng *rng, uint8_t *bytes, size_t room)
{
	static const char likely[] = "\"\\,;\n\r\t<>'/ ab";
	size_t len = rng_below(rng, room);
	for (size_t i = 0; i < len; i++)
		bytes[i] = rng_below(rng, 3) ? (uint8_t)likely[rng_below(rng, sizeof(likely) - 1)]
					     : (uint8_t)rng_below(rng, 256);
	return slice(bytes, len);
}

/* What jansson reads is the text, cleaned. */
static void expect_json(struct slice text)
{
	struct buf quoted = {0}, clean = {0};
	json_error_t error;
	text_clean(&clean, text);
	quote_json(&quoted, text);
	json_t *value = json_loadb((const char *)quoted.at, quoted.len, JSON_DECODE_ANY, &error);
	EXPECT(value);
	if (value)
		EXPECT(slice_equal(buf_slice(&clean),
			slice(json_string_value(value), json_string_length(value))));
	json_decref(value);
	buf_release(&quoted);
	buf_release(&clean);
}

/* A reader of one field of RFC 4180: false where it is none. */
static bool read_csv(struct slice field, struct buf *out)
{
	bool quoted = field.len && field.at[0] == '"';
	size_t i = quoted;
	for (; i < field.len; i++) {
		uint8_t c = field.at[i];
		if (c == '"') {
			if (!quoted)
				return false;
			if (i + 1 == field.len)
				return true;
			if (field.at[++i] != '"')
				return false;
		} else if (!quoted && (c == ',' || c == '\n' || c == '\r')) {
			return false;
		}
		buf_put_u8(out, c);
	}
	return !quoted;
}

static void expect_csv(struct slice text)
{
	struct buf quoted = {0}, clean = {0}, got = {0};
	text_clean(&clean, text);
	quote_csv(&quoted, text);
	EXPECT(read_csv(buf_slice(&quoted), &got));
	EXPECT(slice_equal(buf_slice(&clean), buf_slice(&got)));
	buf_release(&quoted);
	buf_release(&clean);
	buf_release(&got);
}

TEST(any_bytes_come_back_cleaned)
{
	struct rng rng = rng_init(tap_seed());
	uint8_t bytes[64];
	for (int i = 0; i < 5000; i++) {
		struct slice text = made(&rng, bytes, sizeof(bytes));
		expect_json(text);
		expect_csv(text);
	}
}

TEST(long_names)
{
	struct buf name = {0};
	for (int i = 0; i < 70000; i++)
		buf_put_u8(&name, i % 100 ? 'L' : '"');
	expect_json(buf_slice(&name));
	expect_csv(buf_slice(&name));
	buf_release(&name);
}

TEST(plain_stays_as_it_is)
{
	struct buf out = {0};
	EXPECT(quote_is_plain(slice_str("com.acme.Order$1.<init>:3")));
	EXPECT(!quote_is_plain(slice_str("a,b")));
	quote_csv(&out, slice_str("byte[]"));
	quote_json(&out, slice_str("byte[]"));
	quote_csv(&out, slice_str(""));
	EXPECT_STR("byte[]\"byte[]\"", buf_text(&out));
	buf_release(&out);
}

/* A reader takes both, but one text has one form in all that mayfly writes. */
TEST(quotes_where_they_are_needed)
{
	static const struct {
		const char *text, *field;
	} cases[] = {{"a\\b", "a\\b"}, {"Größe", "Größe"}, {"a\nb", "a?b"}, {"a,b", "\"a,b\""},
		{"a \"b\"", "\"a \"\"b\"\"\""}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf out = {0};
		quote_csv(&out, slice_str(cases[i].text));
		EXPECT_STR(cases[i].field, buf_text(&out));
		buf_release(&out);
	}
}

TEST(out_of_memory)
{
	for (uint64_t n = 1; n < 8; n++) {
		struct buf out = {0};
		mem_fail_at(n);
		quote_json(&out, slice_str("a \"hostile\" \x01 name"));
		quote_csv(&out, slice_str("a \"hostile\" \x01 name"));
		mem_fail_at(0);
		EXPECT(n > 4 || out.failed);
		buf_release(&out);
	}
}
