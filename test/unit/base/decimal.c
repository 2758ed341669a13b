#include "base/decimal.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/units.h"
#include "support/tap.h"

/* LC_NUMERIC of de_DE.UTF-8 as localedef writes it: a comma before decimals. Few machines have the
 * locale itself. */
static const unsigned char comma[] = {0x14, 0x11, 0x03, 0x20, 0x06, 0x00, 0x00, 0x00, 0x20, 0x00,
	0x00, 0x00, 0x22, 0x00, 0x00, 0x00, 0x24, 0x00, 0x00, 0x00, 0x28, 0x00, 0x00, 0x00, 0x2c,
	0x00, 0x00, 0x00, 0x30, 0x00, 0x00, 0x00, 0x2c, 0x00, 0x2e, 0x00, 0x03, 0x03, 0x00, 0x00,
	0x2c, 0x00, 0x00, 0x00, 0x2e, 0x00, 0x00, 0x00, 0x55, 0x54, 0x46, 0x2d, 0x38, 0x00};

static void write_comma(const char *folder)
{
	char path[128];
	snprintf(path, sizeof(path), "%s/comma/LC_NUMERIC", folder);
	FILE *f = fopen(path, "w");
	EXPECT(f && fwrite(comma, sizeof(comma), 1, f) == 1 && fclose(f) == 0);
}

/* As in a VM whose user writes numbers with a comma. */
static void take_comma(void)
{
	char folder[] = "/tmp/decimal_XXXXXX", inner[64], text[16];
	EXPECT(mkdtemp(folder) != NULL);
	snprintf(inner, sizeof(inner), "%s/comma", folder);
	EXPECT_INT(0, mkdir(inner, 0700));
	write_comma(folder);
	setenv("LOCPATH", folder, 1);
	EXPECT(setlocale(LC_NUMERIC, "comma") != NULL);
	snprintf(text, sizeof(text), "%.1f", 0.5);
	EXPECT_STR("0,5", text);
	strcat(inner, "/LC_NUMERIC");
	EXPECT_INT(0, unlink(inner));
	*strrchr(inner, '/') = '\0';
	EXPECT(rmdir(inner) == 0 && rmdir(folder) == 0);
}

static void expect_parsed(double value, size_t len, const char *text)
{
	const char *end;
	EXPECT(fabs(decimal_parse(text, &end) - value) < 1e-12);
	EXPECT_INT(len, end - text);
}

TEST(parses)
{
	expect_parsed(0.5, 3, "0.5s");
	expect_parsed(12, 3, "12.");
	expect_parsed(12, 2, "12m");
	expect_parsed(1.25, 4, "1.25.5");
	expect_parsed(1, 1, "1,5");
	expect_parsed(0, 0, ".5");
	expect_parsed(0, 0, "-1");
	expect_parsed(0, 0, "");
	EXPECT(decimal_parse("0.1", &(const char *){NULL}) == strtod("0.1", NULL));
}

static const char *point_of(const char *number)
{
	static char text[32];
	snprintf(text, sizeof(text), "%s", number);
	return decimal_point(text);
}

TEST(points)
{
	EXPECT_STR("0.10", point_of("0,10"));
	EXPECT_STR("-1.5", point_of("-1,5"));
	EXPECT_STR("1.5", point_of("1\xd9\xab"
				   "5"));
	static const char *const same[] = {"0.10", "17", "-3", "1e+10", "nan", "-inf", ""};
	for (size_t i = 0; i < ARRAY_SIZE(same); i++)
		EXPECT_STR(same[i], point_of(same[i]));
}

/* What goes by them, in a process whose locale has a comma. */
TEST(whatever_the_locale_says)
{
	char text[UNITS_MAX];
	uint64_t ns = 0;
	take_comma();
	EXPECT_INT(0, units_parse_time("0.5s", &ns));
	EXPECT_INT(500000000, ns);
	EXPECT_STR("1.50 GB", units_bytes(1.5e9, text));
	EXPECT_STR("92.4 s", units_time(92.4e9, text));
	setlocale(LC_NUMERIC, "C");
}
