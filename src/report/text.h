/* Text for a screen: cleaned of what a hostile name may hold, measured in columns, cut and padded.
 * All text is UTF-8. */
#ifndef REPORT_TEXT_H
#define REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

/* What the output can show. */
struct look {
	bool utf8;  /* else ASCII stands in for blocks, arrows and dots */
	bool color; /* else no escape sequences */
	int width;  /* columns; 0: no bound */
};

enum tone { TONE_PLAIN, TONE_DIM, TONE_BOLD, TONE_WARN };

/* Appends it with '?' for control characters, separators of lines, marks of direction, what shows
 * nothing, and bytes that are no UTF-8. */
void text_clean(struct buf *out, struct slice text);
/* The bytes of the character or escape sequence at that place, its code point (0: an escape
 * sequence,
 * '?': no UTF-8) and its columns. */
size_t text_next(struct slice text, size_t at, uint32_t *code, size_t *columns);
/* Columns that it takes, escape sequences not counted: 0 for combining marks, 2 for wide
 * characters. */
size_t text_width(struct slice text);
/* Appends as much as fits in `width` columns, the last one an ellipsis where it did not all fit. */
void text_clip(struct buf *out, struct slice text, size_t width, const struct look *look);
/* Appends "1 class" or "1 204 classes". */
void text_count(struct buf *out, uint64_t count, const char *one, const char *many);
/* Appends blanks. */
void text_blanks(struct buf *out, size_t count);
/* Appends it padded to `width` columns. */
void text_pad(struct buf *out, struct slice text, size_t width, bool right);
/* Appends it in a tone, where the look has colour. */
void text_tone(struct buf *out, const struct look *look, enum tone tone, const char *text);
/* Appends `text` wrapped to the look's width, later lines indented. Ends with a newline. */
void text_wrap(
	struct buf *out, const struct look *look, const char *text, size_t first, size_t indent);
/* Appends `gap` and `part` to the line that begins at `line` in out; where the look's width has no
 * room for both, the part in a new line, indented. Returns where the last line begins. */
size_t text_join(struct buf *out, const struct look *look, size_t line, const char *gap,
	const char *part, size_t indent);
/* The same mark in UTF-8 or in ASCII. */
static inline const char *text_mark(const struct look *look, const char *utf8, const char *ascii)
{
	return look->utf8 ? utf8 : ascii;
}

#endif
