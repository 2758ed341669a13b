#include "base/surrogates.h"

#include <string.h>

enum { LEAD = 0xed, HALF = 3, PAIR = 2 * HALF };

static void put_four(struct buf *out, uint32_t code)
{
	buf_put_u8(out, (uint8_t)(0xf0 | code >> 18));
	for (int shift = 12; shift >= 0; shift -= 6)
		buf_put_u8(out, (uint8_t)(0x80 | (code >> shift & 0x3f)));
}

size_t surrogates_put(struct buf *out, const uint8_t *at, size_t left)
{
	enum { BITS = 10, FIRST = 0x10000 };
	uint32_t halves[2];
	if (left < PAIR)
		return 0;
	for (size_t i = 0; i < 2; i++, at += HALF) {
		uint8_t lead = i ? 0xb0 : 0xa0;
		if (at[0] != LEAD || (at[1] & 0xf0) != lead || (at[2] & 0xc0) != 0x80)
			return 0;
		halves[i] = (uint32_t)(at[1] & 0x0f) << 6 | (at[2] & 0x3f);
	}
	put_four(out, FIRST + (halves[0] << BITS | halves[1]));
	return PAIR;
}

bool surrogates_may(struct slice text)
{
	return text.len >= PAIR && memchr(text.at, LEAD, text.len);
}

void surrogates_plain(struct buf *out, struct slice text)
{
	for (size_t i = 0, n; i < text.len; i += n) {
		n = surrogates_put(out, text.at + i, text.len - i);
		if (!n)
			buf_put_u8(out, text.at[i]), n = 1;
	}
}
