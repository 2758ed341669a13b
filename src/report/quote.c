#include "report/quote.h"

#include "report/text.h"

bool quote_is_plain(struct slice text)
{
	for (size_t i = 0; i < text.len; i++) {
		uint8_t c = text.at[i];
		if (c < 0x20 || c > 0x7e || c == '"' || c == '\\' || c == ',')
			return false;
	}
	return true;
}

/* Puts `by` before each of the marked characters behind `from`. */
static void escape(struct buf *out, size_t from, const char *marked, char by)
{
	struct buf plain = {0};
	buf_put(&plain, out->at + from, out->len - from);
	if (plain.failed) {
		out->failed = plain.failed;
		return;
	}
	out->len = from;
	for (size_t i = 0; i < plain.len; i++) {
		/* Cleaned text has no NUL, which strchr would find. */
		if (strchr(marked, plain.at[i]))
			buf_put_u8(out, (uint8_t)by);
		buf_put_u8(out, plain.at[i]);
	}
	buf_release(&plain);
}

void quote_json(struct buf *out, struct slice text)
{
	buf_put_u8(out, '"');
	if (quote_is_plain(text)) {
		buf_put(out, text.at, text.len);
	} else {
		size_t from = out->len;
		text_clean(out, text);
		if (!out->failed)
			escape(out, from, "\"\\", '\\');
	}
	buf_put_u8(out, '"');
}

static void put_field(struct buf *out, const struct buf *cleaned)
{
	if (cleaned->failed) {
		out->failed = cleaned->failed;
		return;
	}
	bool bare =
		!memchr(cleaned->at, ',', cleaned->len) && !memchr(cleaned->at, '"', cleaned->len);
	size_t from = out->len + !bare;
	buf_put_str(out, bare ? "" : "\"");
	buf_put(out, cleaned->at, cleaned->len);
	if (bare || out->failed)
		return;
	escape(out, from, "\"", '"');
	buf_put_u8(out, '"');
}

void quote_csv(struct buf *out, struct slice text)
{
	if (quote_is_plain(text)) {
		buf_put(out, text.at, text.len);
		return;
	}
	struct buf cleaned = {0}; /* no line ends in it */
	text_clean(&cleaned, text);
	put_field(out, &cleaned);
	buf_release(&cleaned);
}
