#include "export/digits.h"

#include <stdio.h>

#include "base/map.h"

enum { ROOM = 32, SMALL = 6 };

/* Whole numbers below are all exact in a double. */
#define EXACT 9007199254740992.0

/* Writes the digits that end at `end`; returns where they begin. */
static char *write_back(char *end, uint64_t value)
{
	do {
		*--end = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	return end;
}

void digits_count(struct buf *out, uint64_t value)
{
	char text[ROOM], *end = text + ROOM, *at = write_back(end, value);
	buf_put(out, at, (size_t)(end - at));
}

void digits_millionth(struct buf *out, uint64_t value)
{
	char text[ROOM], *end = text + ROOM, *at = end;
	uint64_t whole = value / 1000000, part = value % 1000000;
	int places = SMALL;
	for (; part && part % 10 == 0; places--)
		part /= 10;
	if (part) {
		for (; places; places--) {
			*--at = (char)('0' + part % 10);
			part /= 10;
		}
		*--at = '.';
	}
	at = write_back(at, whole);
	buf_put(out, at, (size_t)(end - at));
}

/* "%.15g" is at most a sign, 15 digits, a point and e-308 long. */
static void put_real(struct buf *out, double value, struct digits_memo *memo)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	size_t place = hash64(bits) % ARRAY_SIZE(memo->of);
	if (!memo->of[place].len || memo->of[place].value != value) {
		int len = snprintf(memo->of[place].text, sizeof(memo->of[0].text), "%.15g", value);
		memo->of[place].value = value;
		memo->of[place].len = (uint8_t)len;
	}
	buf_put(out, memo->of[place].text, memo->of[place].len);
}

void digits_number(struct buf *out, double value, struct digits_memo *memo)
{
	if (value >= 0 && value < EXACT && value == (double)(uint64_t)value)
		digits_count(out, (uint64_t)value);
	else if (memo)
		put_real(out, value, memo);
	else
		buf_printf(out, "%.15g", value);
}
