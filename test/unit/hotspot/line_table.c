#include "hotspot/line_table.h"

#include <string.h>

#include "base/rng.h"
#include "support/tap.h"

/* The encoder, by trying: the shortest bytes that mean the number by the definition of UNSIGNED5.
 */
struct bytes {
	uint8_t at[4096];
	size_t len;
};

static void put(struct bytes *b, uint32_t value, enum unsigned5 kind)
{
	uint32_t excluded = kind == UNSIGNED5_NO_ZERO, low = 192 - excluded, rest = value;
	for (int i = 0; i < 5; i++) {
		if (rest < low || i == 4) {
			b->at[b->len++] = (uint8_t)(rest + excluded);
			return;
		}
		rest -= low;
		b->at[b->len++] = (uint8_t)(low + rest % 64 + excluded);
		rest /= 64;
	}
}

static void put_signed(struct bytes *b, int32_t value, enum unsigned5 kind)
{
	put(b, ((uint32_t)value << 1) ^ (value < 0 ? UINT32_MAX : 0), kind);
}

static void put_pair(struct bytes *b, int32_t bci, int32_t line, enum unsigned5 kind)
{
	bool fits = bci >= 0 && bci < 32 && line >= 0 && line < 8 && (bci << 3 | line) != 255 &&
		    (bci | line) != 0;
	if (fits) {
		b->at[b->len++] = (uint8_t)(bci << 3 | line);
		return;
	}
	b->at[b->len++] = 255;
	put_signed(b, bci, kind);
	put_signed(b, line, kind);
}

static const enum unsigned5 kinds[] = {UNSIGNED5_PLAIN, UNSIGNED5_NO_ZERO};

static void expect_number(uint32_t value, enum unsigned5 kind)
{
	struct bytes b = {.len = 0};
	put(&b, value, kind);
	size_t at = 0;
	uint32_t got = ~value;
	EXPECT(unsigned5_read(slice(b.at, b.len), kind, &at, &got));
	EXPECT_INT(value, got);
	EXPECT_INT(b.len, at);
	/* Cut short it is none. */
	at = 0;
	EXPECT(!unsigned5_read(slice(b.at, b.len - 1), kind, &at, &got));
}

TEST(numbers_of_both_kinds)
{
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		for (uint32_t v = 0; v < 30000; v++)
			expect_number(v, kinds[k]);
		for (uint32_t bit = 0; bit < 32; bit++)
			for (uint32_t v = (1u << bit) - 40; v != (1u << bit) + 40; v++)
				expect_number(v, kinds[k]);
		expect_number(UINT32_MAX, kinds[k]);
	}
}

TEST(known_bytes)
{
	/* By the definition: 191 is the first of two bytes without zeroes, 192 with. */
	static const uint8_t plain[] = {192, 0}, no_zero[] = {192, 1};
	size_t at = 0;
	uint32_t v = 0;
	EXPECT(unsigned5_read(slice(plain, 2), UNSIGNED5_PLAIN, &at, &v));
	EXPECT_INT(192, v);
	at = 0;
	EXPECT(unsigned5_read(slice(no_zero, 2), UNSIGNED5_NO_ZERO, &at, &v));
	EXPECT_INT(191, v);
	at = 0;
	EXPECT(!unsigned5_read(slice(plain, 2), UNSIGNED5_NO_ZERO, &at, &v));
}

TEST(a_table_by_hand)
{
	/* 0: line 3, 4: line 5, 9: line 300, then back to line 2 at 40 */
	struct bytes b = {.len = 0};
	put_pair(&b, 0, 3, UNSIGNED5_NO_ZERO);
	put_pair(&b, 4, 2, UNSIGNED5_NO_ZERO);
	put_pair(&b, 5, 295, UNSIGNED5_NO_ZERO);
	put_pair(&b, 31, -298, UNSIGNED5_NO_ZERO);
	b.at[b.len++] = 0;
	static const struct {
		uint32_t bci, line;
	} want[] = {{0, 3}, {3, 3}, {4, 5}, {8, 5}, {9, 300}, {39, 300}, {40, 2}, {9999, 2}};
	for (size_t i = 0; i < ARRAY_SIZE(want); i++)
		EXPECT_INT(want[i].line,
			line_table_line(slice(b.at, sizeof(b.at)), UNSIGNED5_NO_ZERO, want[i].bci));
	EXPECT_INT(0, line_table_line(slice(NULL, 0), UNSIGNED5_NO_ZERO, 7));
}

TEST(tables_by_chance)
{
	enum { PAIRS = 50 };
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < 400; round++) {
		enum unsigned5 kind = kinds[round & 1];
		struct bytes b = {.len = 0};
		uint32_t from[PAIRS], line[PAIRS], bci = 0, at = 100000;
		for (int i = 0; i < PAIRS; i++) {
			uint32_t step = (uint32_t)rng_u64(&rng) % (round % 3 ? 40 : 4000);
			int32_t lines = (int32_t)(rng_u64(&rng) % 400) - (i % 5 ? 0 : 300);
			put_pair(&b, (int32_t)step + (i > 0), lines + (i == 0 ? 100000 : 0), kind);
			bci += step + (i > 0);
			at += (uint32_t)lines;
			from[i] = bci;
			line[i] = at;
		}
		b.at[b.len++] = 0;
		for (int i = 0; i < PAIRS; i++) {
			EXPECT_INT(line[i], line_table_line(slice(b.at, b.len), kind, from[i]));
			uint32_t last = i + 1 < PAIRS ? from[i + 1] - 1 : from[i] + 100;
			EXPECT_INT(line[i], line_table_line(slice(b.at, b.len), kind, last));
		}
	}
}

/* By the definition: each goes behind all that begin no later. */
static size_t read_slowly(const struct line_entry *pairs, size_t count, struct line_entry *out)
{
	for (size_t i = 0; i < count; i++) {
		size_t at = i;
		for (; at > 0 && out[at - 1].bci > pairs[i].bci; at--)
			out[at] = out[at - 1];
		out[at] = pairs[i];
	}
	return count;
}

TEST(whole_tables_in_any_order)
{
	enum { PAIRS = 300 };
	struct rng rng = rng_init(tap_seed());
	for (int round = 0; round < 200; round++) {
		enum unsigned5 kind = kinds[round & 1];
		struct bytes b = {.len = 0};
		struct line_entry pairs[PAIRS], want[PAIRS], got[PAIRS], e = {0, 0};
		for (size_t i = 0; i < PAIRS; i++) {
			uint32_t bci = round % 4 ? (uint32_t)rng_u64(&rng) % 200 : (uint32_t)i;
			uint32_t line = (uint32_t)rng_u64(&rng) % 60000;
			put_pair(&b, (int32_t)(bci - e.bci), (int32_t)(line - e.line), kind);
			pairs[i] = e = (struct line_entry){bci, line};
		}
		b.at[b.len++] = 0;
		size_t room = round % 3 ? PAIRS : 100;
		EXPECT_INT(PAIRS, line_table_count(slice(b.at, b.len), kind));
		EXPECT_INT(room, line_table_read(slice(b.at, b.len), kind, got, room));
		read_slowly(pairs, room, want);
		EXPECT(memcmp(got, want, room * sizeof(*got)) == 0);
	}
}

/* What no bytecode can have ends it. */
TEST(a_table_that_cannot_be)
{
	struct bytes b = {.len = 0};
	struct line_entry got[4];
	put_pair(&b, 65535, 3, UNSIGNED5_PLAIN);
	put_pair(&b, 1, 1, UNSIGNED5_PLAIN);
	b.at[b.len++] = 0;
	EXPECT_INT(1, line_table_count(slice(b.at, b.len), UNSIGNED5_PLAIN));
	EXPECT_INT(1, line_table_read(slice(b.at, b.len), UNSIGNED5_PLAIN, got, 4));
	EXPECT_INT(65535, got[0].bci);
}

TEST(any_bytes_end)
{
	struct rng rng = rng_init(tap_seed());
	uint8_t bytes[40];
	for (int round = 0; round < 20000; round++) {
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (uint8_t)(rng_u64(&rng) % 5 ? rng_u64(&rng) : 255);
		size_t len = rng_u64(&rng) % (sizeof(bytes) + 1), at = 0;
		uint32_t value;
		/* Nothing to compare with: it ends, inside the bytes (under ASan). */
		(void)line_table_line(slice(bytes, len), kinds[round & 1], 5);
		struct line_entry all[sizeof(bytes)];
		size_t count = line_table_count(slice(bytes, len), kinds[round & 1]);
		EXPECT_INT(count,
			line_table_read(slice(bytes, len), kinds[round & 1], all, sizeof(bytes)));
		if (unsigned5_read(slice(bytes, len), kinds[round & 1], &at, &value))
			EXPECT(at <= len && at <= 5);
	}
}
