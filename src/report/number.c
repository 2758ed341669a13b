#include "report/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_ROOM = 32 };

/* What %g says, with a point, and the exponent without plus and zeros. */
static void put_slowly(struct buf *out, double value)
{
	char text[TEXT_ROOM];
	snprintf(text, sizeof(text), "%.*g", NUMBER_DIGITS, value);
	char *e = strchr(text, 'e');
	if (!e) {
		buf_put_str(out, text);
		if (!strchr(text, '.'))
			buf_put_str(out, ".0");
		return;
	}
	buf_put(out, text, (size_t)(e - text));
	buf_put_str(out, e[1] == '-' ? "e-" : "e");
	buf_put_str(out, e + 2 + strspn(e + 2, "0"));
}

/* Six digits with the point behind the first `before` of them (before the first where that is 0 or
 * less), without zeros at the end. */
static void put_digits(struct buf *out, uint32_t digits, int before)
{
	char text[TEXT_ROOM] = "0.000000000";
	int point = before > 0 ? before : 1, first = before > 0 ? 0 : 2 - before;
	int end = first + NUMBER_DIGITS + (before > 0);
	for (int i = end - 1; i >= first; i--) {
		if (i == point)
			continue;
		text[i] = (char)('0' + digits % 10);
		digits /= 10;
	}
	text[point] = '.';
	while (text[end - 1] == '0' && end > point + 2)
		end--;
	buf_put(out, text, (size_t)end);
}

/* How far the next whole number must be from a tie for the product's rounding not to matter. */
#define SURE 1e-6

void number_put(struct buf *out, double value)
{
	static const double powers[] = {
		1e-4, 1e-3, 1e-2, 1e-1, 1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
	int before = -3;
	if (!isfinite(value)) {
		buf_put_str(out, "null");
		return;
	}
	if (!(value >= 1e-4 && value < 1e5)) {
		put_slowly(out, value);
		return;
	}
	while (value >= powers[before + 4])
		before++;
	double scaled = value * powers[NUMBER_DIGITS - before + 4], whole = floor(scaled);
	if (fabs(scaled - whole - 0.5) < SURE || scaled > 999999) {
		put_slowly(out, value);
		return;
	}
	put_digits(out, (uint32_t)(whole + (scaled - whole > 0.5)), before);
}

void number_put_count(struct buf *out, uint64_t value)
{
	char text[TEXT_ROOM], *at = text + TEXT_ROOM;
	do
		*--at = (char)('0' + value % 10);
	while (value /= 10);
	buf_put(out, at, (size_t)(text + TEXT_ROOM - at));
}
