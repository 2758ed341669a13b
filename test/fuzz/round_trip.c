/* Records made up from the bytes are written and read back: the same ones, in the same order. */
#include "fuzz/fuzz.h"
#include "support/trace_file.h"

enum { RECORDS_MAX = 2000 };

static void write_all(
	struct draw *d, struct gen_records *want, struct buf *out, const struct codec *codec)
{
	static struct record r;
	struct writer w;
	FUZZ_CHECK(writer_init(&w, sink_buf(out), codec, (struct ns){draw_u64(d)}) == 0);
	while (cursor_left(&d->bytes) && !d->bytes.err && want->list.count < RECORDS_MAX) {
		draw_record(d, &r);
		FUZZ_CHECK(gen_keep(want, &r) == 0);
		FUZZ_CHECK(writer_put(&w, &r) == 0);
		if (draw_below(d, 16) == 15)
			FUZZ_CHECK(writer_flush(&w) == 0);
	}
	FUZZ_CHECK(writer_release(&w) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct codec codec;
	if (!codec.ctx)
		FUZZ_CHECK(codec_zstd_init(&codec, 1) == 0);
	struct draw d = draw_bytes(slice(bytes, len));
	struct gen_records want = {0};
	struct buf out = {0};
	write_all(&d, &want, &out, draw_below(&d, 2) ? &codec : NULL);
	struct trace_walk w = trace_walk(buf_slice(&out), &codec, &want);
	FUZZ_CHECK(w.err == 0);
	FUZZ_CHECK(w.prefix && w.records == want.list.count);
	FUZZ_CHECK(w.cut == (want.list.count == 0));
	FUZZ_CHECK(!w.unknown && !w.skipped && !w.missing);
	buf_release(&out);
	vec_release(&want.list);
	return 0;
}
