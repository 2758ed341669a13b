/*
 * Any bytes as a trace: the reader walks them record by record and block by block, and check
 * agrees with it. Once as they are, and once with all checksums set right, so that the fuzzer
 * gets behind them.
 */
#include "base/buf.h"
#include "base/crc32c.h"
#include "base/cursor.h"
#include "fuzz/fuzz.h"
#include "trace/check.h"
#include "trace/reader.h"

struct walk {
	int err;
	uint64_t records, blocks, next;
	bool cut, ended;
};

static void walk_records(struct walk *w, struct reader *r)
{
	static struct record record;
	while ((w->err = reader_next(r, &record, NULL)) > 0)
		w->records++;
	if (w->err) /* the same answer again */
		FUZZ_CHECK(reader_next(r, &record, NULL) == w->err);
}

static void walk_blocks(struct walk *w, struct reader *r)
{
	static struct record record;
	while ((w->err = reader_next_block(r, NULL)) > 0)
		while ((w->err = reader_next_in_block(r, &record, NULL)) != 0) {
			if (w->err < 0)
				return;
			w->records++;
		}
}

static struct walk walk(struct source *source, const struct codec *codec,
	void (*how)(struct walk *, struct reader *))
{
	struct walk w = {0};
	struct reader r;
	struct diag d = {""};
	w.err = reader_init(&r, source, codec, &d);
	FUZZ_CHECK(!w.err || d.text[0]);
	if (!w.err)
		how(&w, &r);
	w.blocks = r.blocks;
	w.next = r.next;
	w.cut = r.cut;
	w.ended = r.ended;
	FUZZ_CHECK(w.records == r.records_read);
	reader_release(&r);
	return w;
}

static void run(struct slice bytes, const struct codec *codec)
{
	struct source source;
	struct check_result result;
	struct diag d = {""};
	FUZZ_CHECK(source_open_memory(&source, bytes) == 0);
	struct walk a = walk(&source, codec, walk_records);
	struct walk b = walk(&source, codec, walk_blocks);
	int err = check_run(&source, codec, NULL, &result, &d);
	source_close(&source);
	/* A block of another kind may be damaged inside, which only the walk by blocks sees. */
	FUZZ_CHECK(!a.err || b.err);
	FUZZ_CHECK(!b.err || err);
	FUZZ_CHECK(!err || d.text[0]);
	FUZZ_CHECK(!b.err || err == b.err);
	FUZZ_CHECK(b.records <= a.records);
	FUZZ_CHECK(result.records == b.records && result.blocks == b.blocks);
	FUZZ_CHECK(err || (a.cut == result.cut && a.ended == result.complete));
	FUZZ_CHECK(err || (result.problems == 0 && result.bytes == a.next));
}

static uint32_t get32(const uint8_t *at)
{
	struct cursor c = cursor_init(slice(at, 4));
	return cursor_le32(&c);
}

static void put32(uint8_t *at, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		at[i] = (uint8_t)(v >> (8 * i));
}

/* A gap's header, whose length is the bytes' own, however large. How far it leads. */
static size_t repair_gap(uint8_t *h, size_t left)
{
	struct cursor c = cursor_init(slice(h + 8, 8));
	uint64_t len = cursor_le64(&c);
	put32(h + 44, crc32c(0, h, 44));
	return len < left ? (size_t)len : left;
}

/* Sets magics and checksums right as far as the lengths lead. */
static void repair(uint8_t *at, size_t len)
{
	if (len < FILE_HEADER)
		return;
	put32(at + 28, crc32c(0, at, 28));
	size_t next = get32(at + 24);
	while (next < len && len - next >= BLOCK_HEADER) {
		uint8_t *h = at + next;
		size_t stored = get32(h + 8), left = len - next - BLOCK_HEADER;
		put32(h, FORMAT_BLOCK_MAGIC);
		if (next == get32(at + 24) && h[4] == BLOCK_GAP && h[5] == 0) {
			next += BLOCK_HEADER + repair_gap(h, left);
			continue;
		}
		if (stored <= left)
			put32(h + 40, crc32c(0, h + BLOCK_HEADER, stored));
		put32(h + 44, crc32c(0, h, 44));
		next += BLOCK_HEADER + stored;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t len)
{
	static struct codec codec;
	if (!codec.ctx)
		FUZZ_CHECK(codec_zstd_init(&codec, 1) == 0);
	struct buf copy = {0};
	run(slice(bytes, len), &codec);
	buf_put(&copy, bytes, len);
	FUZZ_CHECK(!copy.failed);
	repair(copy.at, copy.len);
	run(slice(copy.len ? copy.at : bytes, copy.len), &codec);
	buf_release(&copy);
	return 0;
}
