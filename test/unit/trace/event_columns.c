/* Chunks of events as columns and back, against a decoder that was written from the format's text.
 */
#include "trace/event_columns.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "support/tap.h"
#include "trace/events.h"
#include "trace/format.h"

enum { EVENTS = 500, ROUNDS = 400, ROOM = EVENTS * 20 + 100, GUARD = 0x5a, TABLE = 4096 };

/* -- The format's text (1.2.1), one thing after the other -- */

static uint32_t text_mix(uint64_t x, uint64_t y)
{
	uint64_t mixed = (x * 0x9e3779b1u % (1ull << 32)) ^ (y * 0x85ebca6bu % (1ull << 32));
	return (uint32_t)(mixed / (1 << 20));
}

static uint64_t text_number(struct cursor *c, size_t bytes)
{
	uint64_t u = 0;
	for (size_t i = 0; i < bytes; i++)
		u += (uint64_t)cursor_u8(c) << 8 * i;
	return u;
}

static uint64_t text_difference(struct cursor *c, size_t bytes)
{
	uint64_t u = text_number(c, bytes);
	return (u >> 1) ^ -(u & 1);
}

static void text_put(struct buf *out, uint64_t site, uint64_t address, uint64_t last, uint64_t to)
{
	uint64_t distance = address - last;
	bool escape = distance == 0 || distance > 4095;
	buf_put_le32(out, (uint32_t)(site * 4096 + (escape ? 0 : distance)));
	if (escape)
		buf_put_le64(out, address);
	buf_put_le64(out, to);
}

/* Returns whether all bytes were used up. */
static bool text_decode(struct buf *out, struct slice columns)
{
	static const size_t distance_bytes[] = {0, 1, 2, 8}, to_bytes[] = {0, 2, 4, 8};
	static uint64_t firsts[TABLE], seconds[TABLE], distances[TABLE], values[TABLE];
	struct event_reader r;
	if (event_reader_begin(&r, columns, NULL))
		return false;
	bool relative = r.chunk.kind == EVENT_SWEPT || r.chunk.kind == EVENT_MOVES ||
			r.chunk.kind == EVENT_FORGOTTEN;
	buf_put(out, columns.at, columns.len - cursor_left(&r.c));
	uint32_t count = cursor_le32(&r.c);
	struct cursor codes = cursor_init(cursor_bytes(&r.c, count)), site_column = r.c,
		      distance_column, to_column;
	struct cursor again = codes;
	size_t of_sites = 0, of_distances = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint8_t code = cursor_u8(&again);
		of_sites += code % 4 < 2 ? 0 : code % 4;
		of_distances += distance_bytes[code / 4 % 4];
	}
	distance_column = site_column;
	cursor_bytes(&distance_column, of_sites);
	to_column = distance_column;
	cursor_bytes(&to_column, of_distances);
	memset(firsts, 0, sizeof(firsts));
	memset(seconds, 0, sizeof(seconds));
	memset(distances, 0, sizeof(distances));
	memset(values, 0, sizeof(values));
	uint64_t p = 0, q = 0, last = r.chunk.base / 8, away = 0;
	for (uint32_t i = 0; i < count; i++) {
		uint8_t code = cursor_u8(&codes);
		uint32_t row = text_mix(p, q);
		uint64_t site = code % 4 == 0   ? firsts[row]
				: code % 4 == 1 ? seconds[row]
						: text_number(&site_column, code % 4);
		if (site != firsts[row]) {
			seconds[row] = firsts[row];
			firsts[row] = site;
		}
		row = text_mix(p, site);
		distances[row] += text_difference(&distance_column, distance_bytes[code / 4 % 4]);
		values[row] += text_difference(&to_column, to_bytes[code / 16]);
		uint64_t address = last + distances[row];
		uint64_t to = relative ? address + away + values[row] : values[row];
		text_put(out, site, address, last, to);
		away = to - address;
		last = address;
		q = p;
		p = site;
	}
	return !codes.err && !to_column.err && cursor_left(&to_column) == 0;
}

/* -- Chunks -- */

static const enum event_kind kinds[] = {
	EVENT_SWEPT, EVENT_MOVES, EVENT_FORGOTTEN, EVENT_STANDS, EVENT_SIZES, EVENT_SIZED};

/* Objects of a few shapes in a row, as programs allocate them, and at times any. */
static void put_event(struct buf *out, struct rng *rng, uint64_t *last, uint64_t *to, unsigned i)
{
	uint64_t site = 1 + i % 5 * 9000, address = *last + 2 + i % 3;
	*to += 2 + i % 3;
	switch (rng_below(rng, 16)) {
	case 0:
		site = rng_below(rng, 0xfffff);
		break;
	case 1:
		address = rng_u64(rng) >> rng_below(rng, 64);
		break;
	case 2:
		address += rng_below(rng, 6000);
		break;
	case 3:
		*to = rng_u64(rng) >> rng_below(rng, 64);
		break;
	case 4:
		*to += rng_below(rng, 1u << 31);
		break;
	}
	text_put(out, site, address, *last, *to);
	*last = address;
}

static void make(struct buf *out, struct rng *rng, enum event_kind kind, unsigned events)
{
	const struct event_chunk head = {.thread = rng_u64(rng) >> rng_below(rng, 64),
		.interval = 7,
		.young = rng_below(rng, 1000),
		.flags = EVENTS_OF_GC | EVENTS_CLOSED,
		.base = rng_u64(rng) & ~7ull,
		.kind = kind};
	uint64_t last = head.base >> 3, to = rng_u64(rng) >> rng_below(rng, 64);
	buf_clear(out);
	event_writer_begin(out, &head);
	for (unsigned i = 0; i < events; i++)
		put_event(out, rng, &last, &to, i);
}

TEST(there_and_back)
{
	struct rng rng = rng_init(tap_seed());
	struct event_columns *c = event_columns_new();
	struct buf raw = {0}, text = {0};
	unsigned wrong = 0, split = 0;
	for (unsigned round = 0; round < ROUNDS; round++) {
		static uint8_t columns[ROOM], back[ROOM];
		make(&raw, &rng, kinds[round % ARRAY_SIZE(kinds)], round % EVENTS);
		memset(columns, GUARD, sizeof(columns));
		memset(back, GUARD, sizeof(back));
		size_t len = event_columns_split(c, columns, buf_slice(&raw));
		wrong += len > raw.len || columns[raw.len] != GUARD;
		if (!len)
			continue;
		split++;
		buf_clear(&text);
		wrong += !text_decode(&text, slice(columns, len)) ||
			 !slice_equal(buf_slice(&text), buf_slice(&raw));
		wrong += !event_columns_join(c, back, raw.len, slice(columns, len)) ||
			 memcmp(back, raw.at, raw.len) != 0 || back[raw.len] != GUARD;
	}
	EXPECT_INT(0, wrong);
	EXPECT(split > ROUNDS * 9 / 10);
	event_columns_free(c);
	buf_release(&raw);
	buf_release(&text);
}

/* Two shapes by turns: what comes again costs a byte. */
TEST(what_is_expected_takes_a_byte)
{
	struct event_columns *c = event_columns_new();
	struct buf raw = {0};
	static uint8_t columns[ROOM];
	const struct event_chunk head = {.flags = EVENTS_OF_GC, .base = 800, .kind = EVENT_MOVES};
	event_writer_begin(&raw, &head);
	size_t begin = raw.len;
	uint64_t at = 100;
	for (unsigned i = 0; i < EVENTS; i++) {
		uint64_t next = at + (i % 2 ? 3 : 2);
		text_put(&raw, i % 2 ? 70000 : 300, next, at, next + 1000);
		at = next;
	}
	size_t len = event_columns_split(c, columns, buf_slice(&raw));
	EXPECT(len > begin + 4 + EVENTS && len < begin + 4 + EVENTS + 50);
	EXPECT_INT(0, columns[begin + 4 + EVENTS / 2]);
	event_columns_free(c);
	buf_release(&raw);
}

static size_t split_of(struct event_columns *c, const struct buf *raw)
{
	static uint8_t columns[ROOM];
	return event_columns_split(c, columns, buf_slice(raw));
}

static void begin(struct buf *raw, enum event_kind kind)
{
	const struct event_chunk head = {
		.flags = kind ? EVENTS_OF_GC : 0, .base = 800, .kind = kind};
	buf_clear(raw);
	event_writer_begin(raw, &head);
	for (uint64_t i = 0; i < 100; i++)
		text_put(raw, 5, 101 + i, 100 + i, 7);
}

TEST(what_is_not_told_so)
{
	struct event_columns *c = event_columns_new();
	struct buf raw = {0};
	begin(&raw, EVENT_BIRTHS);
	EXPECT_INT(0, split_of(c, &raw));
	begin(&raw, EVENT_STAYS);
	EXPECT_INT(0, split_of(c, &raw));
	begin(&raw, EVENT_MOVES);
	EXPECT(split_of(c, &raw) > 0);
	text_put(&raw, 0xffffe, 205, 200, 7);
	EXPECT(split_of(c, &raw) > 0);
	text_put(&raw, 0xfffff, 210, 205, 7); /* its site is an escape */
	EXPECT_INT(0, split_of(c, &raw));
	begin(&raw, EVENT_MOVES);
	buf_put_le32(&raw, 5 << 12); /* an address that needs no escape */
	buf_put_le64(&raw, 205);
	buf_put_le64(&raw, 7);
	EXPECT_INT(0, split_of(c, &raw));
	for (size_t cut = 1; cut < 12; cut++) {
		begin(&raw, EVENT_MOVES);
		raw.len -= cut;
		EXPECT_INT(0, split_of(c, &raw));
	}
	begin(&raw, EVENT_MOVES);
	buf_put_le32(&raw, 5 << 12); /* cut behind its address */
	buf_put_le64(&raw, 99999);
	EXPECT_INT(0, split_of(c, &raw));
	buf_clear(&raw);
	EXPECT_INT(0, split_of(c, &raw));
	event_columns_free(c);
	buf_release(&raw);
}

/* Whatever the bytes are: no more is written than was asked for. */
TEST(damaged)
{
	struct rng rng = rng_init(tap_seed());
	struct event_columns *c = event_columns_new();
	struct buf raw = {0};
	unsigned wrong = 0, refused = 0;
	for (unsigned round = 0; round < ROUNDS; round++) {
		static uint8_t columns[ROOM];
		make(&raw, &rng, kinds[round % ARRAY_SIZE(kinds)], 1 + round % 50);
		size_t len = event_columns_split(c, columns, buf_slice(&raw));
		uint8_t *copy = len ? malloc(len) : NULL, *back = malloc(raw.len + 1);
		if (copy) {
			memcpy(copy, columns, len); /* of just its length, for ASan */
			back[raw.len] = GUARD;
			wrong += event_columns_join(
				c, back, raw.len, slice(copy, rng_below(&rng, len)));
			wrong += event_columns_join(c, back, raw.len - 1, slice(copy, len));
			wrong += event_columns_join(c, back, raw.len + 1, slice(copy, len));
			copy[rng_below(&rng, len)] ^= (uint8_t)(1 + rng_below(&rng, 255));
			refused += !event_columns_join(c, back, raw.len, slice(copy, len));
			wrong += back[raw.len] != GUARD;
		}
		free(copy);
		free(back);
	}
	EXPECT_INT(0, wrong);
	EXPECT(refused > 0);
	event_columns_free(c);
	buf_release(&raw);
}

/* Codes and counts that no writer writes, at a chunk of one event. */
TEST(no_such_columns)
{
	static const uint8_t far_site[] = {3, 0xff, 0xff, 0x0f};
	struct event_columns *c = event_columns_new();
	struct buf in = {0};
	uint8_t out[100];
	const struct event_chunk head = {.flags = EVENTS_OF_GC, .kind = EVENT_MOVES};
	event_writer_begin(&in, &head);
	size_t begin = in.len;
	buf_put_le32(&in, 1);
	buf_put(&in, far_site, sizeof(far_site));
	EXPECT(!event_columns_join(c, out, begin + 20, buf_slice(&in)));
	in.at[begin + 5] = 0xfe;
	EXPECT(event_columns_join(c, out, begin + 20, buf_slice(&in)));
	out[begin - 1] = GUARD; /* no room for the head */
	EXPECT(!event_columns_join(c, out, begin - 1, buf_slice(&in)));
	EXPECT_INT(GUARD, out[begin - 1]);
	buf_put_u8(&in, 0); /* a byte too much */
	EXPECT(!event_columns_join(c, out, begin + 20, buf_slice(&in)));
	in.len--;
	in.at[begin] = 2; /* more than there are */
	EXPECT(!event_columns_join(c, out, begin + 20, buf_slice(&in)));
	in.at[begin] = 1;
	in.at[begin + 4] = 64 + 3;
	EXPECT(!event_columns_join(c, out, begin + 20, buf_slice(&in)));
	in.at[begin + 3] = 0xff; /* more than any block has */
	EXPECT(!event_columns_join(c, out, begin + 20, buf_slice(&in)));
	event_columns_free(c);
	buf_release(&in);
}

TEST(out_of_memory)
{
	mem_fail_at(1);
	EXPECT(!event_columns_new());
	mem_fail_at(0);
	event_columns_free(NULL);
}
