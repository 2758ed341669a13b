#include "report/text.h"

#include <string.h>

#include "base/compiler.h"
#include "base/surrogates.h"
#include "base/units.h"
#include "report/glyph.h"

/* The length of the well-formed UTF-8 sequence at the start (RFC 3629), and its code point; 0:
 * there is none. */
static size_t decode(const uint8_t *at, size_t left, uint32_t *code)
{
	static const struct {
		uint8_t mask, lead;
		uint32_t least;
	} forms[] = {
		{0x80, 0x00, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
	for (size_t n = 1; n <= ARRAY_SIZE(forms) && n <= left; n++) {
		if ((at[0] & forms[n - 1].mask) != forms[n - 1].lead)
			continue;
		*code = at[0] & (uint8_t)~forms[n - 1].mask;
		for (size_t i = 1; i < n; i++) {
			if ((at[i] & 0xc0) != 0x80)
				return 0;
			*code = *code << 6 | (at[i] & 0x3f);
		}
		bool surrogate = *code >= 0xd800 && *code < 0xe000;
		return *code < forms[n - 1].least || *code > 0x10ffff || surrogate ? 0 : n;
	}
	return 0;
}

/*
 * C0, DEL and C1 steer terminals; separators end a line for some readers; marks of direction
 * reorder what is read; what shows nothing (Unicode's default ignorable characters, fillers of
 * Hangul among them, which Java takes for letters) hides in it, so that two names look like one.
 * Selectors of variants change what is before them, and stay. The page cleans the same
 * (viewer/src/word).
 */
static bool is_wild(uint32_t code)
{
	static const struct {
		uint32_t from, to;
	} wild[] = {{0, 0x1f}, {0x7f, 0x9f}, {0xad, 0xad}, {0x34f, 0x34f}, {0x61c, 0x61c},
		{0x115f, 0x1160}, {0x17b4, 0x17b5}, {0x180e, 0x180e}, {0x200b, 0x200f},
		{0x2028, 0x202e}, {0x2060, 0x206f}, {0x3164, 0x3164}, {0xfeff, 0xfeff},
		{0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
		{0xe0000, 0xe00ff}, {0xe01f0, 0xe0fff}};
	for (size_t i = 0; i < ARRAY_SIZE(wild) && code >= wild[i].from; i++)
		if (code <= wild[i].to)
			return true;
	return false;
}

/* Puts what is at the start. Returns its bytes. */
static size_t clean(struct buf *out, const uint8_t *at, size_t left)
{
	uint32_t code = 0;
	size_t n = decode(at, left, &code), pair = n ? 0 : surrogates_put(out, at, left);
	if (pair)
		return pair;
	if (n && !is_wild(code))
		buf_put(out, at, n);
	else
		buf_put_u8(out, '?');
	return n ? n : 1;
}

void text_clean(struct buf *out, struct slice text)
{
	for (size_t i = 0; i < text.len;)
		i += clean(out, text.at + i, text.len - i);
}

size_t text_next(struct slice text, size_t at, uint32_t *code, size_t *columns)
{
	*code = 0;
	*columns = 0;
	if (text.at[at] == 0x1b) {
		size_t i = at;
		while (i < text.len && text.at[i] != 'm')
			i++;
		return i < text.len ? i + 1 - at : i - at;
	}
	size_t n = decode(text.at + at, text.len - at, code);
	*code = n ? *code : '?';
	*columns = n ? glyph_columns(*code) : 1;
	return n ? n : 1;
}

size_t text_width(struct slice text)
{
	size_t width = 0, columns;
	uint32_t code;
	for (size_t i = 0; i < text.len; width += columns)
		i += text_next(text, i, &code, &columns);
	return width;
}

void text_clip(struct buf *out, struct slice text, size_t width, const struct look *look)
{
	if (text_width(text) <= width) {
		buf_put(out, text.at, text.len);
		return;
	}
	const char *dots = text_mark(look, "…", "~");
	size_t used = 0, columns;
	uint32_t code;
	for (size_t i = 0; i < text.len;) {
		size_t n = text_next(text, i, &code, &columns);
		if (used + columns + 1 > width)
			break;
		buf_put(out, text.at + i, n);
		used += columns;
		i += n;
	}
	if (width)
		buf_put_str(out, dots);
}

void text_count(struct buf *out, uint64_t count, const char *one, const char *many)
{
	char text[UNITS_MAX];
	buf_printf(out, "%s %s", units_count(count, text), count == 1 ? one : many);
}

void text_blanks(struct buf *out, size_t count)
{
	while (count--)
		buf_put_u8(out, ' ');
}

void text_pad(struct buf *out, struct slice text, size_t width, bool right)
{
	size_t wide = text_width(text);
	if (right && wide < width)
		text_blanks(out, width - wide);
	buf_put(out, text.at, text.len);
	if (!right && wide < width)
		text_blanks(out, width - wide);
}

void text_tone(struct buf *out, const struct look *look, enum tone tone, const char *text)
{
	static const char *const codes[] = {[TONE_PLAIN] = "",
		[TONE_DIM] = "\x1b[2m",
		[TONE_BOLD] = "\x1b[1m",
		[TONE_WARN] = "\x1b[33m"};
	bool plain = !look->color || tone == TONE_PLAIN || !*text;
	buf_put_str(out, plain ? "" : codes[tone]);
	buf_put_str(out, text);
	buf_put_str(out, plain ? "" : "\x1b[0m");
}

void text_wrap(
	struct buf *out, const struct look *look, const char *text, size_t first, size_t indent)
{
	size_t at = first;
	bool fresh = true;
	while (*text) {
		size_t len = strcspn(text, " ");
		size_t wide = text_width(slice(text, len));
		if (!fresh && look->width && at + 1 + wide > (size_t)look->width) {
			buf_put_u8(out, '\n');
			text_blanks(out, indent);
			at = indent;
			fresh = true;
		}
		if (!fresh) {
			buf_put_u8(out, ' ');
			at++;
		}
		buf_put(out, text, len);
		at += wide;
		fresh = false;
		text += len + strspn(text + len, " ");
	}
	buf_put_u8(out, '\n');
}

size_t text_join(struct buf *out, const struct look *look, size_t line, const char *gap,
	const char *part, size_t indent)
{
	size_t wide = text_width(slice(out->at + line, out->len - line)) +
		      text_width(slice_str(gap)) + text_width(slice_str(part));
	if (!look->width || wide <= (size_t)look->width) {
		buf_put_str(out, gap);
	} else {
		buf_put_u8(out, '\n');
		line = out->len;
		text_blanks(out, indent);
	}
	buf_put_str(out, part);
	return line;
}
