#include "base/units.h"

#include "base/error.h"
#include "support/tap.h"

TEST(bytes)
{
	uint64_t v = 0;
	EXPECT_INT(0, units_parse_bytes("512k", &v));
	EXPECT_INT(512 * 1024, v);
	EXPECT_INT(0, units_parse_bytes("2GiB", &v));
	EXPECT_INT(2ll << 30, v);
	EXPECT_INT(0, units_parse_bytes("3MIB", &v));
	EXPECT_INT(3 << 20, v);
	EXPECT_INT(0, units_parse_bytes("0", &v));
	EXPECT_INT(0, v);
	static const char *const wrong[] = {
		"", "512x", "k", "-1", " 1", "1 k", "1kk", "1.5k", "1i", "1ib", "1ki", "1kbb"};
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		EXPECT_INT(ERR_FORMAT, units_parse_bytes(wrong[i], &v));
	EXPECT_INT(ERR_LIMIT, units_parse_bytes("99999999t", &v));
	EXPECT_INT(ERR_LIMIT, units_parse_bytes("99999999999999999999999", &v));
}

TEST(times)
{
	uint64_t v = 0;
	EXPECT_INT(0, units_parse_time("30s", &v));
	EXPECT_INT(30000000000ll, v);
	EXPECT_INT(0, units_parse_time("1.5", &v));
	EXPECT_INT(1500000000ll, v);
	EXPECT_INT(0, units_parse_time("250ms", &v));
	EXPECT_INT(250000000ll, v);
	EXPECT_INT(ERR_FORMAT, units_parse_time("5 parsecs", &v));
	EXPECT_INT(ERR_FORMAT, units_parse_time("1.2.3", &v));
	EXPECT_INT(ERR_FORMAT, units_parse_time("", &v));
	EXPECT_INT(ERR_LIMIT, units_parse_time("9999999999999d", &v));
}

TEST(counts)
{
	uint64_t v = 0;
	EXPECT_INT(0, units_parse_count("32", 2048, &v));
	EXPECT_INT(32, v);
	EXPECT_INT(ERR_LIMIT, units_parse_count("2049", 2048, &v));
	EXPECT_INT(ERR_FORMAT, units_parse_count("3x", 2048, &v));
}

TEST(digits_alone)
{
	static const struct {
		const char *text;
		bool is;
	} rows[] = {{"0", true}, {"1234", true}, {"99999999999999999999999", true}, {"", false},
		{"-1", false}, {"+1", false}, {" 1", false}, {"1 ", false}, {"1.5", false},
		{"x", false}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT_INT(rows[i].is, units_is_digits(rows[i].text));
}

TEST(written_as_people_read_them)
{
	char out[UNITS_MAX];
	EXPECT_STR("999 B", units_bytes(999, out));
	EXPECT_STR("1.00 kB", units_bytes(1000, out));
	EXPECT_STR("214 GB", units_bytes(214e9, out));
	EXPECT_STR("1.00 MB", units_bytes(999999, out));
	EXPECT_STR("92.4 s", units_time(92.4e9, out));
	EXPECT_STR("3.10 ms", units_time(3.1e6, out));
	EXPECT_STR("10 min 05 s", units_time(605e9, out));
	EXPECT_STR("2 h 05 min", units_time(7500e9, out));
	EXPECT_STR("47 h 59 min", units_time(172799e9, out));
	EXPECT_STR("44 d 7 h", units_time(3829040e9, out));
	EXPECT_STR("41 932", units_count(41932, out));
	EXPECT_STR("999", units_count(999, out));
}
