#include "base/json_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"

/* What may come next. */
enum state {
	WANT_VALUE,
	WANT_FIRST_KEY,   /* or } */
	WANT_FIRST_VALUE, /* or ] */
	AFTER_VALUE,      /* , or an end */
	AFTER_ALL
};

static const char *const token_texts[JSON_TOKENS] = {
	[JSON_ERROR] = "an error",
	[JSON_END] = "the end",
	[JSON_OBJECT] = "an object",
	[JSON_OBJECT_END] = "the end of an object",
	[JSON_ARRAY] = "an array",
	[JSON_ARRAY_END] = "the end of an array",
	[JSON_KEY] = "a key",
	[JSON_STRING] = "a string",
	[JSON_NUMBER] = "a number",
	[JSON_TRUE] = "true",
	[JSON_FALSE] = "false",
	[JSON_NULL] = "null",
};

const char *json_token_text(enum json_token t)
{
	return token_texts[t < JSON_TOKENS ? t : JSON_ERROR];
}

struct json_reader json_reader_init(struct slice bytes)
{
	return (struct json_reader){.bytes = bytes, .state = WANT_VALUE};
}

static enum json_token fail(struct json_reader *r, const char *error)
{
	r->error = error;
	return JSON_ERROR;
}

/* The byte at the reader, or -1 at the end. */
static int peek(const struct json_reader *r)
{
	return r->at < r->bytes.len ? r->bytes.at[r->at] : -1;
}

static void skip_space(struct json_reader *r)
{
	for (int c = peek(r); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = peek(r))
		r->at++;
}

static bool is_digit(int c)
{
	return c >= '0' && c <= '9';
}

static int hex_value(int c)
{
	if (is_digit(c))
		return c - '0';
	int lower = c | 0x20;
	return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/* The four digits of \u; -1: they are none. */
static int32_t hex4(const uint8_t *at, size_t left)
{
	int32_t value = 0;
	if (left < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		int digit = hex_value(at[i]);
		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	return value;
}

static bool is_high(int32_t c)
{
	return c >= 0xd800 && c < 0xdc00;
}

static bool is_low(int32_t c)
{
	return c >= 0xdc00 && c < 0xe000;
}

/* Bytes of the \u escape (or pair of them) at `at`, which begins at the backslash; 0: no such
 * thing. */
static size_t read_unicode(const uint8_t *at, size_t left, uint32_t *to)
{
	int32_t first = left > 2 ? hex4(at + 2, left - 2) : -1;
	if (first < 0 || is_low(first))
		return 0;
	*to = (uint32_t)first;
	if (!is_high(first))
		return 6;
	int32_t second = left > 8 && at[6] == '\\' && at[7] == 'u' ? hex4(at + 8, left - 8) : -1;
	if (!is_low(second))
		return 0;
	*to = 0x10000 + ((uint32_t)(first - 0xd800) << 10) + (uint32_t)(second - 0xdc00);
	return 12;
}

/* Bytes of the escape; *to: what it stands for. 0: no such thing. */
static size_t read_escape(const uint8_t *at, size_t left, uint32_t *to)
{
	static const char from[] = "\"\\/bfnrt", into[] = "\"\\/\b\f\n\r\t";
	if (left < 2)
		return 0;
	if (at[1] == 'u')
		return read_unicode(at, left, to);
	const char *found = at[1] ? strchr(from, at[1]) : NULL;
	if (!found)
		return 0;
	*to = (uint8_t)into[found - from];
	return 2;
}

/* Bytes of the UTF-8 sequence at `at`; 0: it is none (RFC 3629). */
static size_t utf8_length(const uint8_t *at, size_t left)
{
	uint8_t c = at[0], low = 0x80, high = 0xbf;
	size_t len = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	if (len > left || (c >= 0x80 && c < 0xc2) || c > 0xf4)
		return 0;
	if (c == 0xe0 || c == 0xf0)
		low = c == 0xe0 ? 0xa0 : 0x90;
	if (c == 0xed || c == 0xf4)
		high = c == 0xed ? 0x9f : 0x8f;
	for (size_t i = 1; i < len; i++, low = 0x80, high = 0xbf)
		if (at[i] < low || at[i] > high)
			return 0;
	return len;
}

static const char not_utf8[] = "not UTF-8";

/* Bytes of the next character of a string's inside; 0: *error says what is wrong. */
static size_t string_step(const struct json_reader *r, const char **error)
{
	const uint8_t *at = r->bytes.at + r->at;
	size_t left = r->bytes.len - r->at;
	uint32_t ignored;
	if (*at == '\\') {
		*error = "no such escape";
		return read_escape(at, left, &ignored);
	}
	*error = *at < 0x20 ? "a control character in a string: write it as \\u00xx" : not_utf8;
	return *at < 0x20 ? 0 : utf8_length(at, left);
}

static bool read_string(struct json_reader *r)
{
	size_t begin = ++r->at;
	while (peek(r) != '"') {
		if (peek(r) < 0)
			return fail(r, "the string does not end"), false;
		const char *error;
		size_t len = string_step(r, &error);
		if (!len)
			return fail(r, error), false;
		r->at += len;
	}
	r->text = slice(r->bytes.at + begin, r->at - begin);
	r->at++;
	return true;
}

static bool read_digits(struct json_reader *r)
{
	if (!is_digit(peek(r)))
		return fail(r, "a digit is missing"), false;
	while (is_digit(peek(r)))
		r->at++;
	return true;
}

static bool read_integer(struct json_reader *r)
{
	if (peek(r) == '-')
		r->at++;
	if (peek(r) != '0')
		return read_digits(r);
	r->at++;
	return !is_digit(peek(r)) || (fail(r, "a number can't begin with 0"), false);
}

static bool read_fraction(struct json_reader *r)
{
	if (peek(r) == '.') {
		r->at++;
		if (!read_digits(r))
			return false;
	}
	if (peek(r) != 'e' && peek(r) != 'E')
		return true;
	r->at++;
	if (peek(r) == '+' || peek(r) == '-')
		r->at++;
	return read_digits(r);
}

static enum json_token read_number(struct json_reader *r)
{
	size_t begin = r->at;
	if (!read_integer(r) || !read_fraction(r))
		return JSON_ERROR;
	r->text = slice(r->bytes.at + begin, r->at - begin);
	return JSON_NUMBER;
}

static enum json_token read_word(struct json_reader *r)
{
	static const enum json_token words[] = {JSON_TRUE, JSON_FALSE, JSON_NULL};
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		struct slice word = slice_str(token_texts[words[i]]);
		if (r->bytes.len - r->at < word.len ||
			memcmp(r->bytes.at + r->at, word.at, word.len) != 0)
			continue;
		r->at += word.len;
		return words[i];
	}
	return fail(r, r->at < r->bytes.len ? "a value should come here" : "it ends too early");
}

static enum json_token open_scope(struct json_reader *r, bool object)
{
	if (r->depth == JSON_DEPTH)
		return fail(r, "nested too deep");
	r->at++;
	r->in_object[r->depth++] = object;
	r->state = object ? WANT_FIRST_KEY : WANT_FIRST_VALUE;
	return object ? JSON_OBJECT : JSON_ARRAY;
}

static enum json_token close_scope(struct json_reader *r)
{
	bool object = r->in_object[--r->depth];
	r->at++;
	r->state = r->depth ? AFTER_VALUE : AFTER_ALL;
	return object ? JSON_OBJECT_END : JSON_ARRAY_END;
}

static enum json_token read_scalar(struct json_reader *r)
{
	int c = peek(r);
	enum json_token t = c == '"'                  ? (read_string(r) ? JSON_STRING : JSON_ERROR)
			    : c == '-' || is_digit(c) ? read_number(r)
						      : read_word(r);
	r->state = r->depth ? AFTER_VALUE : AFTER_ALL;
	return t;
}

static enum json_token read_value(struct json_reader *r)
{
	int c = peek(r);
	return c == '{' || c == '[' ? open_scope(r, c == '{') : read_scalar(r);
}

static enum json_token read_key(struct json_reader *r)
{
	if (peek(r) != '"')
		return fail(r, "a key in quotes should come here");
	if (!read_string(r))
		return JSON_ERROR;
	struct slice key = r->text;
	skip_space(r);
	if (peek(r) != ':')
		return fail(r, "a colon is missing");
	r->at++;
	r->text = key;
	r->state = WANT_VALUE;
	return JSON_KEY;
}

static bool is_close(const struct json_reader *r)
{
	return r->depth && peek(r) == (r->in_object[r->depth - 1] ? '}' : ']');
}

static enum json_token after_value(struct json_reader *r)
{
	if (is_close(r))
		return close_scope(r);
	if (peek(r) != ',')
		return fail(r, peek(r) < 0 ? "it ends too early" : "a comma is missing");
	r->at++;
	skip_space(r);
	r->start = r->at;
	return r->in_object[r->depth - 1] ? read_key(r) : read_value(r);
}

static enum json_token after_all(struct json_reader *r)
{
	return peek(r) < 0 ? JSON_END : fail(r, "something comes after the end");
}

static enum json_token first_key(struct json_reader *r)
{
	return is_close(r) ? close_scope(r) : read_key(r);
}

static enum json_token first_value(struct json_reader *r)
{
	return is_close(r) ? close_scope(r) : read_value(r);
}

enum json_token json_reader_next(struct json_reader *r)
{
	static enum json_token (*const next[])(struct json_reader *) = {
		[WANT_VALUE] = read_value,
		[WANT_FIRST_KEY] = first_key,
		[WANT_FIRST_VALUE] = first_value,
		[AFTER_VALUE] = after_value,
		[AFTER_ALL] = after_all,
	};
	if (r->error)
		return JSON_ERROR;
	skip_space(r);
	r->start = r->at;
	return next[r->state](r);
}

bool json_reader_skip(struct json_reader *r)
{
	uint32_t depth = r->depth;
	enum json_token t;
	do
		t = json_reader_next(r);
	while (t != JSON_ERROR && t != JSON_END && (r->depth > depth || t == JSON_KEY));
	return t != JSON_ERROR;
}

static size_t put_utf8(uint32_t c, uint8_t *to)
{
	if (c < 0x80)
		return to[0] = (uint8_t)c, 1;
	if (c < 0x800)
		return to[0] = (uint8_t)(0xc0 | c >> 6), to[1] = (uint8_t)(0x80 | (c & 0x3f)), 2;
	size_t len = c < 0x10000 ? 3 : 4;
	for (size_t i = len; i-- > 1; c >>= 6)
		to[i] = (uint8_t)(0x80 | (c & 0x3f));
	to[0] = (uint8_t)((len == 3 ? 0xe0 : 0xf0) | c);
	return len;
}

/* One character of a checked string into up to 4 bytes; what it took of it. */
static size_t unescape(const uint8_t *at, size_t left, uint8_t *to, size_t *len)
{
	uint32_t c = *at;
	if (c != '\\')
		return to[0] = *at, *len = 1, 1;
	size_t took = read_escape(at, left, &c);
	*len = put_utf8(c, to);
	return took;
}

ptrdiff_t json_reader_text(const struct json_reader *r, char *to, size_t room)
{
	size_t used = 0, len;
	uint8_t c[4];
	for (size_t at = 0; at < r->text.len; used += len) {
		at += unescape(r->text.at + at, r->text.len - at, c, &len);
		if (used + len >= room || !c[0])
			return -1;
		memcpy(to + used, c, len);
	}
	if (used >= room)
		return -1;
	to[used] = 0;
	return (ptrdiff_t)used;
}

bool json_reader_is(const struct json_reader *r, const char *text)
{
	char mine[64];
	return json_reader_text(r, mine, sizeof(mine)) >= 0 && strcmp(mine, text) == 0;
}

bool json_reader_int(const struct json_reader *r, int64_t least, int64_t most, int64_t *to)
{
	char text[32], *end;
	if (r->text.len >= sizeof(text))
		return false;
	memcpy(text, r->text.at, r->text.len);
	text[r->text.len] = 0;
	errno = 0;
	long long value = strtoll(text, &end, 10);
	if (errno || *end || value < least || value > most)
		return false;
	*to = value;
	return true;
}

void json_reader_place(const struct json_reader *r, size_t at, uint32_t *line, uint32_t *column)
{
	*line = *column = 1;
	for (size_t i = 0; i < at && i < r->bytes.len; i++) {
		bool ends = r->bytes.at[i] == '\n';
		*line += ends;
		*column = ends ? 1 : *column + 1;
	}
}

bool json_reader_is_foreign(const struct json_reader *r)
{
	return r->error == not_utf8;
}

int json_reader_say(const struct json_reader *r, const char *name, struct diag *d)
{
	uint32_t line, column;
	json_reader_place(r, r->at, &line, &column);
	return diag_set(d, ERR_FORMAT, "%s, line %u, column %u: not JSON: %s", name, line, column,
		r->error ? r->error : "nothing is wrong");
}
