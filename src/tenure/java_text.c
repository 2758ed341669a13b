#include "tenure/java_text.h"

#include <string.h>

#include "base/mem.h"

enum { HALF = 3, FOUR = 4, BEYOND = 0x10000, HALF_BITS = 10 };

static bool follows(char c)
{
	return ((uint8_t)c & 0xc0) == 0x80;
}

/* Bytes of the sequence there, halves among them; 0: it is none, or longer than there need be. */
static size_t length(const char *at)
{
	uint8_t c = (uint8_t)at[0];
	if (c < 0x80)
		return 1;
	if (c >= 0xc2 && c < 0xe0)
		return follows(at[1]) ? 2 : 0;
	if ((c & 0xf0) != 0xe0 || !follows(at[1]) || !follows(at[2]))
		return 0;
	return c == 0xe0 && (uint8_t)at[1] < 0xa0 ? 0 : HALF;
}

uint32_t java_text_half(const char *at)
{
	if ((uint8_t)at[0] != 0xed || ((uint8_t)at[1] & 0xe0) != 0xa0 || !follows(at[2]))
		return 0;
	return 0xd000u | ((uint32_t)(uint8_t)at[1] & 0x3f) << 6 | ((uint32_t)(uint8_t)at[2] & 0x3f);
}

static bool is_first(uint32_t half)
{
	return half >= 0xd800 && half < 0xdc00;
}

bool java_text_is_whole(const char *text)
{
	bool open = false; /* a first half was just there */
	while (*text) {
		size_t bytes = length(text);
		uint32_t half = java_text_half(text);
		bool second = half && !is_first(half);
		if (!bytes || open != second)
			return false;
		open = half && is_first(half);
		text += bytes;
	}
	return !open;
}

static char *put_half(char *to, uint32_t half)
{
	to[0] = (char)0xed;
	to[1] = (char)(0x80 | (half >> 6 & 0x3f));
	to[2] = (char)(0x80 | (half & 0x3f));
	return to + HALF;
}

/* Four bytes of UTF-8, which the reader has looked at. */
static char *put_pair(char *to, const char *at)
{
	uint32_t code = ((uint32_t)(uint8_t)at[0] & 7) << 18;
	for (int i = 1; i < FOUR; i++)
		code |= ((uint32_t)(uint8_t)at[i] & 0x3f) << (6 * (FOUR - 1 - i));
	code -= BEYOND;
	to = put_half(to, 0xd800 + (code >> HALF_BITS));
	return put_half(to, 0xdc00 + (code & ((1u << HALF_BITS) - 1)));
}

char *java_text_of(const char *utf8)
{
	size_t len = strlen(utf8);
	char *text = mem_alloc(len + len / 2 + 1), *to = text;
	if (!text)
		return NULL;
	for (size_t i = 0; i < len;) {
		bool four = (uint8_t)utf8[i] >= 0xf0 && len - i >= FOUR;
		if (four)
			to = put_pair(to, utf8 + i);
		else
			*to++ = utf8[i];
		i += four ? FOUR : 1;
	}
	*to = '\0';
	return text;
}
