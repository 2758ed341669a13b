#include "trace/codec.h"

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"
#include "support/trace_file.h"

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
