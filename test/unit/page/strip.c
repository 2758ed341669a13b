#include "page/strip.h"

#include <math.h>

#include "base/buf.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/rng.h"
#include "support/tap.h"

enum { ROWS = 3000 };

static double at(const void *of, size_t i)
{
	return ((const double *)of)[i];
}

static const struct strip count = {"t.count", STRIP_COUNT, at};
static const struct strip rising = {"t.rising", STRIP_RISING, at};
static const struct strip real = {"t.real", STRIP_REAL, at};

TEST(the_narrowest_type_that_holds_the_largest)
{
	static const struct {
		double value;
		enum strip_type type;
	} cases[] = {{0, STRIP_u8}, {255, STRIP_u8}, {256, STRIP_u16}, {65535, STRIP_u16},
		{65536, STRIP_u32}, {4294967295.0, STRIP_u32}, {4294967296.0, STRIP_f64},
		{1e18, STRIP_f64}};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		double values[3] = {0, cases[i].value, 1};
		EXPECT_INT(cases[i].type, strip_type_for(&count, values, 3));
		EXPECT_INT(cases[i].type, strip_type_for(&rising, values, 3));
		EXPECT_INT(STRIP_f32, strip_type_for(&real, values, 3));
	}
	EXPECT_INT(STRIP_u8, strip_type_for(&count, NULL, 0));
	/* Only steps count where it rises. */
	double far[2] = {200, 455};
	EXPECT_INT(STRIP_u8, strip_type_for(&rising, far, 2));
	EXPECT_INT(STRIP_u16, strip_type_for(&count, far, 2));
}

static double read_one(struct cursor *c, enum strip_type type)
{
	uint32_t bits32;
	uint64_t bits64;
	float narrow;
	double wide;
	switch (type) {
	case STRIP_u8:
		return cursor_u8(c);
	case STRIP_u16:
		return cursor_le16(c);
	case STRIP_u32:
		return cursor_le32(c);
	case STRIP_f32:
		bits32 = cursor_le32(c);
		memcpy(&narrow, &bits32, sizeof(narrow));
		return (double)narrow;
	case STRIP_f64:
	case STRIP_TYPES:
	default:
		bits64 = cursor_le64(c);
		memcpy(&wide, &bits64, sizeof(wide));
		return wide;
	}
}

/* Reads back what was written, and compares with what was to be stored. */
static void round_trip(const struct strip *s, const double *values, size_t rows)
{
	struct buf out = {0};
	struct sink sink = sink_buf(&out);
	enum strip_type type = strip_type_for(s, values, rows);
	EXPECT_INT(0, strip_put(s, values, rows, type, &sink));
	EXPECT_INT(rows * strip_type_bytes(type), out.len);
	struct cursor c = cursor_init(buf_slice(&out));
	double sum = 0, top = 0;
	size_t wrong = 0;
	for (size_t i = 0; i < rows; i++) {
		double got = read_one(&c, type);
		top = values[i] > top ? values[i] : top;
		sum += got;
		if (s->form == STRIP_RISING)
			wrong += sum != top;
		else if (s->form == STRIP_REAL)
			wrong += fabs(got - values[i]) > values[i] * 0x1p-24;
		else
			wrong += got != values[i];
	}
	EXPECT_INT(0, wrong);
	buf_release(&out);
}

TEST(rows_come_back)
{
	struct rng rng = rng_init(tap_seed());
	static double values[ROWS];
	for (int round = 0; round < 60; round++) {
		size_t rows = (size_t)rng_below(&rng, ROWS + 1);
		uint64_t bits = 1 + rng_below(&rng, 50);
		for (size_t i = 0; i < rows; i++)
			values[i] = (double)rng_below(&rng, (uint64_t)1 << bits);
		round_trip(&count, values, rows);
		round_trip(&real, values, rows);
		round_trip(&rising, values, rows);
		/* Rising for the most part. */
		for (size_t i = 1; i < rows; i++)
			values[i] = values[i - 1] + (double)rng_below(&rng, 1000) - 10;
		round_trip(&rising, values, rows);
	}
}

static int refuse(void *arg, const void *bytes, size_t len)
{
	(void)arg;
	(void)bytes;
	(void)len;
	return ERR_IO;
}

TEST(what_the_sink_refuses_is_told)
{
	double values[2] = {1, 2};
	struct sink full = {.write = refuse};
	EXPECT_INT(ERR_IO, strip_put(&count, values, 2, STRIP_u8, &full));
	EXPECT_INT(0, strip_put(&count, values, 0, STRIP_u8, &full));
}

TEST(words)
{
	EXPECT_STR("u8", strip_type_word(STRIP_u8));
	EXPECT_STR("f64", strip_type_word(STRIP_f64));
}
