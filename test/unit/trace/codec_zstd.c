#include "trace/codec.h"

#include "base/crc32c.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"
#include "support/trace_file.h"
#include "trace/block.h"
#include "trace/event_columns.h"
#include "trace/reader.h"

TEST(round_trip)
{
	static uint8_t in[100000], packed[100000], out[100000];
	struct codec c;
	for (size_t i = 0; i < sizeof(in); i++)
		in[i] = (uint8_t)(i / 1000);
	EXPECT_INT(0, codec_zstd_init(&c, 1));
	EXPECT_INT(CODEC_ZSTD, c.id);
	size_t len = c.compress(c.ctx, packed, sizeof(packed), in, sizeof(in));
	EXPECT(len > 0 && len < 10000);
	EXPECT_INT(sizeof(in), c.decompress(c.ctx, out, sizeof(out), packed, len));
	EXPECT(memcmp(in, out, sizeof(in)) == 0);
	/* No room, cut, and two frames in a row are refused. */
	EXPECT_INT(0, c.compress(c.ctx, packed, 10, in, sizeof(in)));
	len = c.compress(c.ctx, packed, sizeof(packed), in, 5000);
	EXPECT_INT(0, c.decompress(c.ctx, out, 4999, packed, len));
	EXPECT_INT(0, c.decompress(c.ctx, out, sizeof(out), packed, len - 1));
	EXPECT_INT(0, c.decompress(c.ctx, out, sizeof(out), packed, 0));
	memcpy(packed + len, packed, len);
	EXPECT_INT(0, c.decompress(c.ctx, out, sizeof(out), packed, 2 * len));
	EXPECT_INT(5000, c.decompress(c.ctx, out, sizeof(out), packed, len));
	codec_zstd_release(&c);
	codec_zstd_release(&c);
}

/* A file of one block of events, as columns, of which the last `cut` bytes are left out. */
static void put_columns(struct buf *file, const struct codec *c, const struct block *b, size_t cut)
{
	uint8_t columns[4096], packed[4096];
	buf_clear(file);
	file_header_put(file, (struct ns){0});
	size_t len = event_columns_split(b->columns, columns, buf_slice(&b->raw)) - cut;
	len = c->compress(c->ctx, packed, sizeof(packed), columns, len);
	const struct block_header h = {.kind = BLOCK_EVENTS,
		.codec = CODEC_ZSTD_COLUMNS,
		.stored_len = (uint32_t)len,
		.raw_len = (uint32_t)b->raw.len,
		.payload_crc = crc32c(0, packed, len)};
	block_header_put(file, &h);
	buf_put(file, packed, len);
}

/* What reading its block gives, where an allocation fails (mem_fail_at). */
static int read_columns(
	const struct buf *file, const struct codec *c, const struct block *b, uint64_t fail)
{
	struct source source;
	struct reader r;
	struct diag d = {""};
	EXPECT_INT(0, source_open_memory(&source, buf_slice(file)));
	EXPECT_INT(0, reader_init(&r, &source, c, &d));
	mem_fail_at(fail);
	int got = reader_next_block(&r, &d);
	mem_fail_at(0);
	if (got == 1)
		EXPECT(slice_equal(buf_slice(&b->raw), buf_slice(&r.raw)));
	reader_release(&r);
	source_close(&source);
	return got;
}

TEST(columns_in_a_file)
{
	struct buf file = {0}, sealed = {0};
	struct block b;
	struct codec c;
	EXPECT_INT(0, codec_zstd_init(&c, 1));
	EXPECT_INT(0, block_init(&b, BLOCK_EVENTS));
	trace_file_events(&b.raw, EVENT_MOVES);
	b.columns = event_columns_new();
	EXPECT_INT(0, block_seal(&b, 0, &c, &sealed));
	file_header_put(&file, (struct ns){0});
	buf_put(&file, sealed.at, sealed.len);
	EXPECT_INT(CODEC_ZSTD_COLUMNS, sealed.at[6]);
	EXPECT_INT(1, read_columns(&file, &c, &b, 0));
	EXPECT_INT(ERR_UNSUPPORTED, read_columns(&file, NULL, &b, 0));
	put_columns(&file, &c, &b, 0);
	EXPECT_INT(1, read_columns(&file, &c, &b, 0));
	put_columns(&file, &c, &b, 1);
	EXPECT_INT(ERR_CORRUPT, read_columns(&file, &c, &b, 0));
	for (uint64_t n = 1; n <= 4; n++) /* the payload, the columns' own, theirs, the rows */
		EXPECT_INT(ERR_NOMEM, read_columns(&file, &c, &b, n));
	EXPECT_INT(ERR_CORRUPT, read_columns(&file, &c, &b, 5));
	event_columns_free(b.columns);
	block_release(&b);
	buf_release(&file);
	buf_release(&sealed);
	codec_zstd_release(&c);
}

TEST(out_of_memory)
{
	struct codec c;
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, codec_zstd_init(&c, 1));
	mem_fail_at(0);
	codec_zstd_release(&c);
}

TEST(a_whole_trace)
{
	struct draw draw = draw_seed(tap_seed());
	struct trace_file packed, stored;
	struct codec c;
	EXPECT_INT(0, codec_zstd_init(&c, 3));
	EXPECT_INT(0, trace_file_make(&packed, &draw, 20000, 5000, &c));
	draw = draw_seed(tap_seed());
	EXPECT_INT(0, trace_file_make(&stored, &draw, 20000, 5000, NULL));
	EXPECT(packed.bytes.len < stored.bytes.len * 3 / 4);
	struct trace_walk w = trace_walk(buf_slice(&packed.bytes), &c, &packed.records);
	EXPECT_INT(0, w.err);
	EXPECT(w.prefix && w.ended);
	EXPECT_INT(packed.records.list.count, w.records);
	w = trace_walk(buf_slice(&packed.bytes), NULL, &packed.records);
	EXPECT_INT(ERR_UNSUPPORTED, w.err);
	EXPECT_STR(
		"block at offset 32: compressed by a method (1, zstd) that is not available here",
		w.diag.text);
	trace_file_release(&packed);
	trace_file_release(&stored);
	codec_zstd_release(&c);
}
