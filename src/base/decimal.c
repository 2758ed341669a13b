#include "base/decimal.h"

#include <string.h>

static const char digits[] = "0123456789";

/* Both are exact as long as 2^53 and 10^22 hold them, and so is the quotient, as far as it can be.
 */
double decimal_parse(const char *text, const char **end)
{
	double value = 0, scale = 1;
	const char *at = text;
	for (; *at && strchr(digits, *at); at++)
		value = value * 10 + (*at - '0');
	if (at > text && *at == '.')
		for (at++; *at && strchr(digits, *at); at++) {
			value = value * 10 + (*at - '0');
			scale *= 10;
		}
	*end = at;
	return value / scale;
}

/* What is neither an exponent nor a word stands between two digits. */
char *decimal_point(char *number)
{
	char *mark = number + strspn(number, "-0123456789");
	size_t len = strcspn(mark, digits);
	if (mark == number || !len || !mark[len] || *mark == 'e')
		return number;
	*mark = '.';
	memmove(mark + 1, mark + len, strlen(mark + len) + 1);
	return number;
}
