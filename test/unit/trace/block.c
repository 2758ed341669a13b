#include "trace/block.h"

#include "base/crc32c.h"
#include "base/cursor.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"
#include "support/trace_file.h"
#include "support/trace_gen.h"

TEST(full_leaves_it_unchanged)
{
	struct draw draw = draw_seed(tap_seed());
	struct block b;
	struct record r;
	EXPECT_INT(0, block_init(&b, BLOCK_RECORDS));
	block_reset(&b, (struct ns){1000});
	uint64_t held = mem_held();
	int err = 0;
	for (;;) {
		draw_record(&draw, &r);
		struct block before = b;
		err = block_append(&b, &r);
		if (err) {
			EXPECT(b.raw.len == before.raw.len && b.records == before.records);
			EXPECT(memcmp(&b.deltas, &before.deltas, sizeof(b.deltas)) == 0);
			EXPECT(b.last_time == before.last_time);
			break;
		}
		EXPECT(b.records == before.records + 1);
	}
	EXPECT_INT(ERR_FULL, err);
	EXPECT(b.raw.len <= BLOCK_RAW_MAX && b.raw.len > BLOCK_RAW_MAX - RECORD_ROOM);
	EXPECT_INT(held, mem_held()); /* appends don't allocate */
	block_reset(&b, (struct ns){1000});
	EXPECT_INT(0, block_append(&b, &r));
	block_release(&b);
}

TEST(fills_to_the_last_byte)
{
	struct block b;
	struct record r = {.kind = RECORD_site}; /* six bytes: kind, length, four zeros */
	EXPECT_INT(0, block_init(&b, BLOCK_RECORDS));
	while (block_append(&b, &r) == 0) {
	}
	EXPECT_INT(BLOCK_RAW_MAX / 6, b.records);
	EXPECT_INT(BLOCK_RAW_MAX - 4, b.raw.len);
	r.kind = RECORD_fact; /* four bytes: kind, length, two empty texts */
	EXPECT_INT(0, block_append(&b, &r));
	EXPECT_INT(BLOCK_RAW_MAX, b.raw.len);
	EXPECT_INT(ERR_FULL, block_append(&b, &r));
	block_release(&b);
}

TEST(appends_without_memory)
{
	struct block b;
	struct record r = {.kind = RECORD_site};
	EXPECT_INT(0, block_init(&b, BLOCK_RECORDS));
	mem_fail_at(1);
	while (block_append(&b, &r) == 0) {
	}
	mem_fail_at(0);
	EXPECT(b.raw.len > BLOCK_RAW_MAX - 6);
	block_release(&b);
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, block_init(&b, BLOCK_RECORDS));
	mem_fail_at(0);
	block_release(&b);
}

TEST(refuses_a_record_that_is_too_large)
{
	static uint8_t text[TEXT_MAX + 1];
	struct block b;
	struct record r = {.kind = RECORD_string, .string = {1, slice(text, sizeof(text))}};
	EXPECT_INT(0, block_init(&b, BLOCK_RECORDS));
	EXPECT_INT(ERR_LIMIT, block_append(&b, &r));
	EXPECT_INT(0, b.raw.len);
	EXPECT_INT(0, b.records);
	block_release(&b);
}

TEST(times)
{
	struct block b;
	struct record r = {.kind = RECORD_pause, .pause = {.start = 50, .end = 70}};
	EXPECT_INT(0, block_init(&b, BLOCK_RECORDS));
	block_reset(&b, (struct ns){100});
	EXPECT_INT(0, block_append(&b, &r));
	EXPECT_INT(100, b.first_time);
	EXPECT_INT(100, b.last_time);
	r.pause.start = 500;
	EXPECT_INT(0, block_append(&b, &r));
	EXPECT_INT(500, b.last_time);
	EXPECT_INT(70, b.deltas.t);
	block_reset(&b, (struct ns){7});
	EXPECT_INT(7, b.last_time);
	EXPECT_INT(0, b.records + b.raw.len);
	block_release(&b);
}

/* The header against the table of the document, byte by byte. */
TEST(sealed_bytes)
{
	struct block b;
	struct buf out = {0};
	struct record r = {.kind = RECORD_pause, .pause = {.start = 120, .end = 110}};
	EXPECT_INT(0, block_init(&b, BLOCK_RECORDS));
	block_reset(&b, (struct ns){100});
	EXPECT_INT(0, block_append(&b, &r));
	EXPECT_INT(0, block_seal(&b, 77, NULL, &out));
	EXPECT_INT(BLOCK_HEADER + 5, out.len);
	struct cursor c = cursor_init(buf_slice(&out));
	EXPECT(memcmp(cursor_bytes(&c, 4).at, "MFB1", 4) == 0);
	EXPECT_INT(1, cursor_le16(&c));
	EXPECT_INT(0, cursor_u8(&c));
	EXPECT_INT(0, cursor_u8(&c));
	EXPECT_INT(5, cursor_le32(&c));
	EXPECT_INT(5, cursor_le32(&c));
	EXPECT_INT(1, cursor_le32(&c));
	EXPECT_INT(77, cursor_le32(&c));
	EXPECT_INT(100, cursor_le64(&c));
	EXPECT_INT(120, cursor_le64(&c));
	EXPECT_INT(crc32c(0, "\x25\x03\x28\x13\x00", 5), cursor_le32(&c));
	EXPECT_INT(crc32c(0, out.at, 44), cursor_le32(&c));
	EXPECT(memcmp(c.at, "\x25\x03\x28\x13\x00", 5) == 0);
	buf_release(&out);
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, block_seal(&b, 77, NULL, &out));
	mem_fail_at(0);
	buf_release(&out);
	block_release(&b);
}

TEST(file_header_bytes)
{
	struct buf out = {0};
	file_header_put(&out, (struct ns){0x1122334455667788});
	EXPECT_INT(FILE_HEADER, out.len);
	EXPECT(memcmp(out.at,
		       "\x89MFLY\r\n\x1a\1\0\0\0\0\0\0\0\x88\x77\x66\x55\x44\x33\x22\x11\x20\0\0\0",
		       28) == 0);
	struct cursor c = cursor_init(slice(out.at + 28, 4));
	EXPECT_INT(crc32c(0, out.at, 28), cursor_le32(&c));
	buf_release(&out);
}

/* Codecs of the test's own: one that can't shrink, one that leaves out every second byte. */
static size_t never(void *ctx, void *out, size_t room, const void *in, size_t len)
{
	(void)ctx, (void)out, (void)in;
	return room >= len ? len : 0;
}

static size_t halve(void *ctx, void *out, size_t room, const void *in, size_t len)
{
	(void)ctx;
	memcpy(out, in, len / 2);
	return len / 2 <= room ? len / 2 : 0;
}

TEST(events_are_compressed_as_columns)
{
	const struct codec codec = {CODEC_ZSTD, halve, halve, NULL};
	struct block b;
	struct buf out = {0};
	uint8_t columns[2000];
	EXPECT_INT(0, block_init(&b, BLOCK_EVENTS));
	trace_file_events(&b.raw, EVENT_MOVES);
	EXPECT_INT(0, block_seal(&b, 0, &codec, &out)); /* nothing to make columns in */
	EXPECT_INT(CODEC_ZSTD, out.at[6]);
	b.columns = event_columns_new();
	EXPECT_INT(0, block_seal(&b, 0, &codec, &out));
	EXPECT_INT(CODEC_ZSTD_COLUMNS, out.at[6]);
	size_t len = event_columns_split(b.columns, columns, buf_slice(&b.raw));
	EXPECT_INT(BLOCK_HEADER + len / 2, out.len);
	EXPECT(memcmp(columns, out.at + BLOCK_HEADER, len / 2) == 0);
	EXPECT_INT(0, block_seal(&b, 0, NULL, &out)); /* stored as it is */
	EXPECT(out.at[6] == CODEC_STORED && out.len == BLOCK_HEADER + b.raw.len);
	EXPECT(memcmp(b.raw.at, out.at + BLOCK_HEADER, b.raw.len) == 0);
	block_reset(&b, (struct ns){0});
	trace_file_events(&b.raw, EVENT_BIRTHS);
	EXPECT_INT(0, block_seal(&b, 0, &codec, &out));
	EXPECT(out.at[6] == CODEC_ZSTD && out.len == BLOCK_HEADER + b.raw.len / 2);
	event_columns_free(b.columns);
	buf_release(&out);
	block_release(&b);
}

TEST(stored_where_compression_does_not_shrink)
{
	const struct codec bad = {CODEC_ZSTD, never, never, NULL};
	const struct codec good = {CODEC_ZSTD, halve, halve, NULL};
	struct block b;
	struct buf out = {0};
	struct record r = {.kind = RECORD_alloc};
	EXPECT_INT(0, block_init(&b, BLOCK_RECORDS));
	EXPECT_INT(0, block_seal(&b, 0, &bad, &out));
	EXPECT_INT(BLOCK_HEADER, out.len);
	EXPECT_INT(0, block_append(&b, &r));
	EXPECT_INT(0, block_seal(&b, 0, &bad, &out));
	EXPECT_INT(BLOCK_HEADER + b.raw.len, out.len);
	EXPECT_INT(CODEC_STORED, out.at[6]);
	EXPECT_INT(0, block_seal(&b, 0, &good, &out));
	EXPECT_INT(BLOCK_HEADER + b.raw.len / 2, out.len);
	EXPECT_INT(CODEC_ZSTD, out.at[6]);
	buf_release(&out);
	block_release(&b);
}
