/*
 * A good trace made from the bytes, then cut at any place, or with one byte changed: a cut reads
 * exactly the whole blocks before it, a change is an error, and neither ever gives a record that
 * was not written.
 */
#include "fuzz/fuzz.h"
#include "support/trace_file.h"

static void cut(const struct trace_file *f, const struct codec *codec, size_t len)
{
	struct trace_walk w = trace_walk(slice(f->bytes.at, len), codec, &f->records);
	size_t border = 0;
	FUZZ_CHECK(w.prefix);
	FUZZ_CHECK((w.err != 0) == (len < FILE_HEADER));
	if (w.err)
		return;
	while (border + 1 < f->borders.count && f->borders.at[border + 1].offset <= len)
		border++;
	FUZZ_CHECK(w.records == f->borders.at[border].records);
	FUZZ_CHECK(w.cut == (border == 0 || f->borders.at[border].offset != len));
}

static void change(struct trace_file *f, const struct codec *codec, size_t at, uint8_t by)
{
	f->bytes.at[at] ^= by;
	struct trace_walk w = trace_walk(buf_slice(&f->bytes), codec, &f->records);
	FUZZ_CHECK(w.prefix);
	FUZZ_CHECK(w.err < 0 && w.diag.text[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct codec codec;
	if (!codec.ctx)
		FUZZ_CHECK(codec_zstd_init(&codec, 1) == 0);
	struct draw d = draw_bytes(slice(bytes, len));
	uint64_t at = draw_u64(&d);
	uint8_t by = (uint8_t)(1 + draw_below(&d, 255));
	unsigned per_block = 1 + (unsigned)draw_below(&d, 400);
	unsigned events = (unsigned)draw_below(&d, 300);
	const struct codec *packed = draw_below(&d, 2) ? &codec : NULL;
	struct trace_file f;
	FUZZ_CHECK(trace_file_make(&f, &d, events, per_block, packed) == 0);
	cut(&f, &codec, (size_t)(at % (f.bytes.len + 1)));
	change(&f, &codec, (size_t)(at % f.bytes.len), by);
	trace_file_release(&f);
	return 0;
}
