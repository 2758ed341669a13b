#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/compiler.h"
#include "base/decimal.h"
#include "base/error.h"

int units_parse_count(const char *text, uint64_t max, uint64_t *count)
{
	if (!isdigit((unsigned char)text[0]))
		return ERR_FORMAT;
	char *end;
	errno = 0;
	unsigned long long v = strtoull(text, &end, 10);
	if (*end)
		return ERR_FORMAT;
	if (errno || v > max)
		return ERR_LIMIT;
	*count = v;
	return ERR_NONE;
}

bool units_is_digits(const char *text)
{
	return *text && strspn(text, "0123456789") == strlen(text);
}

/* "", "b" or "ib", in any case: strcasecmp's is the locale's, and in Turkish an I is no i. */
static bool is_end(const char *suffix)
{
	if (!*suffix)
		return true;
	suffix += *suffix == 'i' || *suffix == 'I';
	return (*suffix == 'b' || *suffix == 'B') && !suffix[1];
}

static int shift_of_suffix(const char *suffix)
{
	static const char letters[] = "kKmMgGtT";
	const char *hit = *suffix ? strchr(letters, *suffix) : NULL;
	if (!hit)
		return *suffix != 'i' && *suffix != 'I' && is_end(suffix) ? 0 : -1;
	return is_end(suffix + 1) ? 10 * (int)((hit - letters) / 2 + 1) : -1;
}

int units_parse_bytes(const char *text, uint64_t *bytes)
{
	if (!isdigit((unsigned char)text[0]))
		return ERR_FORMAT;
	char *end;
	errno = 0;
	unsigned long long v = strtoull(text, &end, 10);
	int shift = shift_of_suffix(end);
	if (shift < 0)
		return ERR_FORMAT;
	if (errno || v > (uint64_t)INT64_MAX >> shift)
		return ERR_LIMIT;
	*bytes = (uint64_t)v << shift;
	return ERR_NONE;
}

static const struct {
	const char *name;
	double ns;
} time_units[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"", 1e9}, {"m", 60e9},
	{"min", 60e9}, {"h", 3600e9}, {"d", 86400e9}};

int units_parse_time(const char *text, uint64_t *ns)
{
	if (!isdigit((unsigned char)text[0]))
		return ERR_FORMAT;
	size_t digits = strspn(text, "0123456789.");
	const char *end;
	double v = decimal_parse(text, &end);
	if (end != text + digits)
		return ERR_FORMAT;
	for (size_t i = 0; i < ARRAY_SIZE(time_units); i++) {
		if (strcmp(end, time_units[i].name) != 0)
			continue;
		if (v * time_units[i].ns > 9e18)
			return ERR_LIMIT;
		*ns = (uint64_t)llround(v * time_units[i].ns);
		return ERR_NONE;
	}
	return ERR_FORMAT;
}

/* Three significant digits, and the largest unit that leaves at least one before the point. */
static char *scaled(double v, double step, const char *const *names, size_t count, char *out)
{
	size_t i = 0;
	while (i + 1 < count && fabs(v) >= step * 0.9995) {
		v /= step;
		i++;
	}
	int decimals = i == 0 ? 0 : fabs(v) < 9.995 ? 2 : fabs(v) < 99.95 ? 1 : 0;
	char number[UNITS_MAX];
	snprintf(number, sizeof(number), "%.*f", decimals, v);
	snprintf(out, UNITS_MAX, "%s %s", decimal_point(number), names[i]);
	return out;
}

char *units_bytes(double bytes, char *out)
{
	static const char *const names[] = {"B", "kB", "MB", "GB", "TB", "PB", "EB"};
	return scaled(bytes, 1000, names, ARRAY_SIZE(names), out);
}

enum { DAY = 24 * 60, HOURS_MOST = 2 * DAY }; /* minutes: from then on days are told */

char *units_time(double ns, char *out)
{
	static const char *const names[] = {"ns", "us", "ms", "s"};
	if (ns < 600e9)
		return scaled(ns, 1000, names, ARRAY_SIZE(names), out);
	uint64_t minutes = (uint64_t)(ns / 60e9);
	if (minutes < 60)
		snprintf(out, UNITS_MAX, "%d min %02d s", (int)minutes, (int)(ns / 1e9) % 60);
	else if (minutes < HOURS_MOST)
		snprintf(out, UNITS_MAX, "%llu h %02llu min", (unsigned long long)minutes / 60,
			(unsigned long long)minutes % 60);
	else
		snprintf(out, UNITS_MAX, "%llu d %llu h", (unsigned long long)minutes / DAY,
			(unsigned long long)minutes % DAY / 60);
	return out;
}

char *units_count(uint64_t count, char *out)
{
	char digits[24];
	int n = snprintf(digits, sizeof(digits), "%llu", (unsigned long long)count);
	char *to = out;
	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			*to++ = ' ';
		*to++ = digits[i];
	}
	*to = '\0';
	return out;
}
