#include "trace/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"
#include "support/trace_file.h"
#include "trace/check.h"

enum { EVENTS = 40, PER_BLOCK = 20 };

static void make_small(struct trace_file *f)
{
	struct draw draw = draw_seed(tap_seed());
	EXPECT_INT(0, trace_file_make(f, &draw, EVENTS, PER_BLOCK, NULL));
	EXPECT(f->borders.count >= 4);
}

static int check_bytes(struct slice bytes)
{
	struct source source;
	struct check_result result;
	EXPECT_INT(0, source_open_memory(&source, bytes));
	int err = check_run(&source, NULL, NULL, &result, NULL);
	source_close(&source);
	return err;
}

/* The whole blocks before the cut are read, exactly, and nothing else. */
TEST(cut_at_every_byte)
{
	struct trace_file f;
	make_small(&f);
	size_t border = 0;
	for (size_t len = 0; len <= f.bytes.len; len++) {
		struct trace_walk w = trace_walk(slice(f.bytes.at, len), NULL, &f.records);
		if (len < FILE_HEADER) {
			EXPECT_INT(ERR_TRUNCATED, w.err);
			EXPECT_INT(0, w.records);
			continue;
		}
		while (border + 1 < f.borders.count && f.borders.at[border + 1].offset <= len)
			border++;
		EXPECT_INT(0, w.err);
		EXPECT(w.prefix);
		EXPECT_INT(f.borders.at[border].records, w.records);
		EXPECT_INT(f.borders.at[border].offset != len || border == 0, w.cut);
		EXPECT_INT(len == f.bytes.len, w.ended);
		EXPECT_INT(0, check_bytes(slice(f.bytes.at, len)));
	}
	trace_file_release(&f);
}

/* No flip goes unnoticed, whatever it hits: all bytes are under a checksum. */
TEST(every_flipped_bit_is_noticed)
{
	struct trace_file f;
	make_small(&f);
	for (size_t bit = 0; bit < f.bytes.len * 8; bit++) {
		f.bytes.at[bit / 8] ^= (uint8_t)(1 << bit % 8);
		struct trace_walk w = trace_walk(buf_slice(&f.bytes), NULL, &f.records);
		EXPECT(w.err < 0);
		EXPECT(w.diag.text[0] != '\0');
		EXPECT(w.prefix);
		EXPECT(check_bytes(buf_slice(&f.bytes)) < 0);
		f.bytes.at[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	trace_file_release(&f);
}

TEST(a_file_that_grows)
{
	struct trace_file f;
	make_small(&f);
	char path[] = "/tmp/mayfly-reader-XXXXXX";
	int fd = mkstemp(path);
	struct source source;
	struct reader r;
	struct record record;
	size_t at = f.borders.at[1].offset + 7, records = 0;
	EXPECT_INT(at, write(fd, f.bytes.at, at));
	EXPECT_INT(0, source_open_file(&source, path, NULL));
	EXPECT_INT(0, reader_init(&r, &source, NULL, NULL));
	EXPECT_INT(1700000000, r.wall.v);
	for (; at <= f.bytes.len; at++) {
		int got;
		while ((got = reader_next(&r, &record, NULL)) > 0)
			EXPECT(record_equal(&record, &f.records.list.at[records++]));
		EXPECT_INT(0, got);
		if (at < f.bytes.len)
			EXPECT_INT(1, write(fd, f.bytes.at + at, 1));
	}
	EXPECT_INT(f.records.list.count, records);
	EXPECT(r.ended && !r.cut);
	reader_release(&r);
	source_close(&source);
	close(fd);
	unlink(path);
	trace_file_release(&f);
}

/* -- By hand -- */

static struct buf begin(void)
{
	struct buf b = {0};
	file_header_put(&b, (struct ns){0});
	return b;
}

/* Overwrites and sets the header's checksum right. */
static void patch_header(struct buf *b, size_t offset, uint8_t value)
{
	b->at[offset] = value;
	uint32_t crc = crc32c(0, b->at, 28);
	for (int i = 0; i < 4; i++)
		b->at[28 + i] = (uint8_t)(crc >> (8 * i));
}

static void put_block(struct buf *b, struct block_header h, struct slice payload)
{
	h.payload_crc = crc32c(0, payload.at, payload.len);
	block_header_put(b, &h);
	buf_put(b, payload.at, payload.len);
}

static void expect_refused(struct buf *b, int err, const char *text)
{
	struct trace_walk w = trace_walk(buf_slice(b), NULL, NULL);
	EXPECT_INT(err, w.err);
	EXPECT_STR(text, w.diag.text);
	EXPECT_INT(err, check_bytes(buf_slice(b)));
	buf_release(b);
}

static const uint8_t PAUSE[] = {RECORD_pause, 2, 10, 10};

TEST(not_a_trace)
{
	struct buf b = {0};
	expect_refused(&b, ERR_TRUNCATED, "the file is empty");
	buf_put_str(&b, "PK");
	expect_refused(&b, ERR_FORMAT, "not a mayfly trace: it begins with other bytes");
	buf_put_str(&b, "\x89MFLY");
	expect_refused(&b, ERR_TRUNCATED, "the file ends inside its header, after 5 bytes");
	buf_put_str(&b, "#!/bin/sh and then at least thirty-two bytes");
	expect_refused(&b, ERR_FORMAT, "not a mayfly trace: it begins with other bytes");
}

TEST(versions)
{
	struct buf b = begin();
	patch_header(&b, 8, 2);
	expect_refused(&b, ERR_VERSION,
		"written in version 2.0 of the format; this mayfly reads up to version 1.0: "
		"use a newer mayfly");
	b = begin();
	b.at[8] = 3; /* the checksum may be elsewhere then */
	b.len = 12;
	expect_refused(&b, ERR_VERSION,
		"written in version 3.0 of the format; this mayfly reads up to version 1.0: "
		"use a newer mayfly");
	b = begin();
	patch_header(&b, 8, 0);
	expect_refused(&b, ERR_CORRUPT, "the file header is damaged: no version 0.0");
	b = begin();
	patch_header(&b, 10, 9); /* a newer minor version is read */
	EXPECT_INT(0, trace_walk(buf_slice(&b), NULL, NULL).err);
	buf_release(&b);
}

TEST(header_lengths)
{
	struct buf b = begin();
	patch_header(&b, 24, 36);
	buf_put_str(&b, "more");
	put_block(&b, (struct block_header){.kind = 1, .stored_len = 4, .raw_len = 4, .records = 1},
		slice(PAUSE, 4));
	struct trace_walk w = trace_walk(buf_slice(&b), NULL, NULL);
	EXPECT_INT(0, w.err);
	EXPECT_INT(1, w.records);
	buf_release(&b);
	b = begin();
	patch_header(&b, 24, 31);
	expect_refused(&b, ERR_LIMIT, "a file header of 31 bytes: 32 to 65536 are allowed");
	b = begin();
	patch_header(&b, 26, 2);
	expect_refused(&b, ERR_LIMIT, "a file header of 131104 bytes: 32 to 65536 are allowed");
}

TEST(lengths_over_the_maxima)
{
	struct buf b = begin();
	put_block(&b,
		(struct block_header){.kind = 1, .codec = 1, .stored_len = BLOCK_STORED_MAX + 1},
		slice("", 0));
	expect_refused(&b, ERR_LIMIT,
		"block at offset 32: 263169 bytes stored, 0 raw: more than 263168 and 262144");
	b = begin();
	put_block(&b,
		(struct block_header){.kind = 1, .codec = 1, .stored_len = 4, .raw_len = 262145},
		slice(PAUSE, 4));
	expect_refused(&b, ERR_LIMIT,
		"block at offset 32: 4 bytes stored, 262145 raw: more than 263168 and 262144");
	b = begin();
	put_block(&b, (struct block_header){.kind = 1, .stored_len = 4, .raw_len = 5},
		slice(PAUSE, 4));
	expect_refused(&b, ERR_CORRUPT, "block at offset 32: damaged: its lengths do not agree");
}

TEST(record_counts)
{
	struct block_header h = {.kind = 1, .stored_len = 4, .raw_len = 4, .records = 2};
	struct buf b = begin();
	put_block(&b, h, slice(PAUSE, 4));
	expect_refused(&b, ERR_CORRUPT,
		"block at offset 32: damaged: its count of records is wrong (0 bytes, 1 records "
		"left)");
	h.records = 0;
	b = begin();
	put_block(&b, h, slice(PAUSE, 4));
	expect_refused(&b, ERR_CORRUPT,
		"block at offset 32: damaged: its count of records is wrong (4 bytes, 0 records "
		"left)");
}

TEST(an_empty_block)
{
	struct buf b = begin();
	put_block(&b, (struct block_header){.kind = 1}, slice("", 0));
	struct trace_walk w = trace_walk(buf_slice(&b), NULL, NULL);
	EXPECT_INT(0, w.err);
	EXPECT_INT(1, w.blocks);
	EXPECT(!w.cut);
	buf_release(&b);
}

TEST(bad_records_and_the_same_answer_again)
{
	static const struct {
		const char *bytes, *text;
		int err;
	} cases[] = {
		{"\x25\x02\x0a\x0a\x25\x7f\x01\x01", "it ends inside a field", ERR_CORRUPT},
		{"\x25\x02\x0a\x0a\x01\x02\x01\x05", "it ends inside a field", ERR_CORRUPT},
		{"\x25\x02\x0a\x0a\x01\x03\x01\x81\x41", "a length exceeds its maximum", ERR_LIMIT},
		{"\x25\x02\x0a\x0a\x01\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
			"a number is not well formed", ERR_CORRUPT},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct buf b = begin();
		struct source source;
		struct reader r;
		struct record record;
		struct diag d, again;
		char want[DIAG_MAX];
		uint32_t len = (uint32_t)strlen(cases[i].bytes);
		put_block(&b,
			(struct block_header){
				.kind = 1, .stored_len = len, .raw_len = len, .records = 2},
			slice_str(cases[i].bytes));
		snprintf(want, sizeof(want),
			"block at offset 32: record at byte 4 of its payload: %s", cases[i].text);
		EXPECT_INT(0, source_open_memory(&source, buf_slice(&b)));
		EXPECT_INT(0, reader_init(&r, &source, NULL, &d));
		EXPECT_INT(1, reader_next(&r, &record, &d));
		EXPECT_INT(cases[i].err, reader_next(&r, &record, &d));
		EXPECT_STR(want, d.text);
		EXPECT_INT(cases[i].err, reader_next(&r, &record, &again));
		EXPECT_STR(want, again.text);
		EXPECT_INT(1, r.records_read);
		reader_release(&r);
		source_close(&source);
		buf_release(&b);
	}
}

TEST(unknown_kinds_are_skipped_and_counted)
{
	static const uint8_t records[] = {0x7e, 3, 1, 2, 3, RECORD_pause, 2, 10, 10, 0xff, 0};
	struct block_header h = {.kind = 1, .stored_len = 11, .raw_len = 11, .records = 3};
	struct block_header other = {
		.kind = 9, .codec = 7, .stored_len = 3, .raw_len = 9, .records = 5, .sequence = 1};
	struct buf b = begin();
	put_block(&b, h, slice(records, sizeof(records)));
	put_block(&b, other, slice("abc", 3));
	h.sequence = 4;
	put_block(&b, h, slice(records, sizeof(records)));
	struct trace_walk w = trace_walk(buf_slice(&b), NULL, NULL);
	EXPECT_INT(0, w.err);
	EXPECT_INT(2, w.records);
	EXPECT_INT(4, w.unknown);
	EXPECT_INT(1, w.skipped);
	EXPECT_INT(2, w.missing);
	EXPECT_INT(3, w.blocks);
	buf_release(&b);
}

/* A codec that gives as many bytes as the first one says. */
static size_t first_says(void *ctx, void *out, size_t room, const void *in, size_t len)
{
	(void)ctx, (void)len;
	size_t n = *(const uint8_t *)in;
	memset(out, 0x7e, n < room ? n : room);
	return n;
}

TEST(decompressed_to_another_length)
{
	const struct codec codec = {CODEC_ZSTD, first_says, first_says, NULL};
	for (uint8_t n = 0; n < 4; n++) {
		struct block_header h = {.kind = 1, .codec = 1, .stored_len = 1, .raw_len = 2};
		struct buf b = begin();
		put_block(&b, h, slice(&n, 1));
		struct trace_walk w = trace_walk(buf_slice(&b), &codec, NULL);
		EXPECT_INT(ERR_CORRUPT, w.err);
		EXPECT((n == 2) == (strstr(w.diag.text, "count of records") != NULL));
		EXPECT((n != 2) == (strstr(w.diag.text, "does not decompress") != NULL));
		buf_release(&b);
	}
}

TEST(block_by_block)
{
	struct trace_file f;
	make_small(&f);
	struct source source;
	struct reader r;
	struct record record;
	int got, n = 0;
	size_t records = 0;
	EXPECT_INT(0, source_open_memory(&source, buf_slice(&f.bytes)));
	EXPECT_INT(0, reader_init(&r, &source, NULL, NULL));
	EXPECT_INT(0, reader_next_in_block(&r, &record, NULL));
	while ((got = reader_next_block(&r, NULL)) > 0) {
		EXPECT_INT(f.borders.at[n++].offset, r.block.offset);
		EXPECT_INT(r.block.raw_len, r.raw.len);
		if (n == 2) /* leaves it */
			records += r.block.records;
		else
			while (reader_next_in_block(&r, &record, NULL) > 0)
				EXPECT(record_equal(&record, &f.records.list.at[records++]));
	}
	EXPECT_INT(0, got);
	EXPECT_INT(f.borders.count, n + 1);
	EXPECT_INT(f.records.list.count, records);
	reader_release(&r);
	source_close(&source);
	trace_file_release(&f);
}

TEST(fails_at_each_allocation)
{
	struct trace_file f;
	make_small(&f);
	uint64_t held = mem_held();
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n++) {
		mem_fail_at(n);
		struct trace_walk w = trace_walk(buf_slice(&f.bytes), NULL, &f.records);
		mem_fail_at(0);
		err = w.err;
		EXPECT(err == ERR_NOMEM || err == 0);
		EXPECT(w.prefix);
		EXPECT(n < 100);
		EXPECT_INT(held, mem_held());
	}
	trace_file_release(&f);
}

/* A source that fails at the n-th read, and at no other. */
struct failing {
	struct source below;
	int left;
};

static int read_failing(void *arg, uint64_t offset, void *out, size_t len, size_t *got)
{
	struct failing *f = arg;
	return f->left-- == 0 ? ERR_IO : f->below.read(f->below.arg, offset, out, len, got);
}

TEST(fails_at_each_read_and_goes_on)
{
	struct trace_file f;
	make_small(&f);
	for (int n = 1;; n++) {
		struct failing failing = {.left = n};
		struct source source = {.read = read_failing, .arg = &failing};
		struct reader r;
		struct record record;
		struct diag d = {""};
		size_t records = 0, failures = 0;
		int got;
		EXPECT_INT(0, source_open_memory(&failing.below, buf_slice(&f.bytes)));
		EXPECT_INT(0, reader_init(&r, &source, NULL, NULL));
		while ((got = reader_next(&r, &record, &d)) != 0) {
			if (got > 0)
				EXPECT(record_equal(&record, &f.records.list.at[records++]));
			else
				EXPECT(got == ERR_IO && failures++ == 0);
		}
		EXPECT_INT(f.records.list.count, records);
		EXPECT(r.ended && !r.cut);
		reader_release(&r);
		source_close(&failing.below);
		if (!failures)
			break;
		EXPECT(strstr(d.text, "offset ") == d.text);
	}
	trace_file_release(&f);
}

/* -- Gaps -- */

/* A small trace whose first `n` blocks are a gap, of their own length and zeros. Its records from
 * *first on are left. */
static void make_gap(struct trace_file *f, size_t n, size_t *first, struct gap *g)
{
	struct buf head = {0};
	make_small(f);
	const struct trace_border *b = &f->borders.at[n];
	*g = (struct gap){b->offset - FILE_HEADER - BLOCK_HEADER, 17, (uint32_t)n};
	gap_put(&head, g);
	memset(f->bytes.at + FILE_HEADER, 0, b->offset - FILE_HEADER);
	memcpy(f->bytes.at + FILE_HEADER, head.at, head.len);
	buf_release(&head);
	*first = b->records;
}

/* What is behind the gap is read, and what it stands for is told; a cut anywhere leaves the whole
 * blocks before it. */
TEST(a_gap)
{
	for (size_t n = 1; n < 4; n++) {
		struct trace_file f;
		struct gap g;
		size_t first;
		make_gap(&f, n, &first, &g);
		for (size_t len = FILE_HEADER + BLOCK_HEADER; len <= f.bytes.len; len++) {
			struct source source;
			struct reader r;
			struct record record;
			struct diag d = {""};
			size_t at = first, border = n;
			while (border + 1 < f.borders.count &&
				f.borders.at[border + 1].offset <= len)
				border++;
			EXPECT_INT(0, source_open_memory(&source, slice(f.bytes.at, len)));
			EXPECT_INT(0, reader_init(&r, &source, NULL, &d));
			EXPECT_INT(n, r.forgotten.blocks);
			EXPECT_INT(BLOCK_HEADER + g.bytes, r.forgotten.bytes);
			EXPECT_INT(17, r.forgotten.last_time);
			int got;
			while ((got = reader_next(&r, &record, &d)) > 0)
				EXPECT(record_equal(&record, &f.records.list.at[at++]));
			EXPECT_INT(0, got);
			EXPECT_STR("", d.text);
			EXPECT_INT(f.borders.at[border].records, at);
			EXPECT_INT(0, r.missing_blocks);
			EXPECT_INT(len != f.borders.at[border].offset || border == n, r.cut);
			reader_release(&r);
			source_close(&source);
		}
		trace_file_release(&f);
	}
}

TEST(every_flipped_bit_of_a_gap_is_noticed)
{
	struct trace_file f;
	struct gap g;
	size_t first;
	make_gap(&f, 2, &first, &g);
	for (size_t bit = FILE_HEADER * 8; bit < (FILE_HEADER + BLOCK_HEADER) * 8; bit++) {
		f.bytes.at[bit / 8] ^= (uint8_t)(1 << bit % 8);
		struct trace_walk w = trace_walk(buf_slice(&f.bytes), NULL, NULL);
		EXPECT(w.err < 0 && w.diag.text[0]);
		EXPECT_INT(0, w.records);
		f.bytes.at[bit / 8] ^= (uint8_t)(1 << bit % 8);
	}
	trace_file_release(&f);
}

/* What a gap can't say, with its checksum right. */
TEST(gaps_that_can_not_be)
{
	static const struct {
		struct gap gap;
		int err;
		const char *sentence;
	} rows[] = {
		{{UINT64_MAX, 0, 1}, ERR_LIMIT, "more than any file"},
		{{INT64_MAX, 0, 1}, ERR_LIMIT, "more than any file"},
		{{INT64_MAX - FILE_HEADER - BLOCK_HEADER + 1, 0, 1}, ERR_LIMIT, "more than"},
		{{INT64_MAX - FILE_HEADER - BLOCK_HEADER, 0, 1}, 0, ""}, /* cut */
		{{100, 0, 0}, ERR_CORRUPT, "stands for no blocks"},
		{{1, 0, 1}, ERR_CORRUPT, "no block begins here"},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct buf b = begin();
		gap_put(&b, &rows[i].gap);
		for (int n = 0; n < 200; n++)
			buf_put_u8(&b, 0);
		struct trace_walk w = trace_walk(buf_slice(&b), NULL, NULL);
		EXPECT_INT(rows[i].err, w.err);
		EXPECT(strstr(w.diag.text, rows[i].sentence) != NULL);
		EXPECT(rows[i].err || w.cut);
		buf_release(&b);
	}
	/* It stands nowhere else. */
	struct trace_file f;
	make_small(&f);
	gap_put(&f.bytes, &(const struct gap){0, 0, 1});
	struct trace_walk w = trace_walk(buf_slice(&f.bytes), NULL, &f.records);
	EXPECT_INT(ERR_CORRUPT, w.err);
	EXPECT(strstr(w.diag.text, "does not begin the file") && w.prefix);
	trace_file_release(&f);
}

/* The writer forgets what a reader was about to read: that is no damage, and is told so. */
TEST(overtaken)
{
	for (size_t read = 0; read < 3; read++) {
		struct trace_file f, whole;
		struct source source;
		struct reader r;
		struct record record;
		struct diag d = {""};
		struct gap g;
		size_t first, records = 0;
		make_gap(&f, 3, &first, &g);
		make_small(&whole);
		EXPECT_INT(0, source_open_memory(&source, buf_slice(&whole.bytes)));
		EXPECT_INT(0, reader_init(&r, &source, NULL, &d));
		for (; records < whole.borders.at[read].records; records++)
			EXPECT_INT(1, reader_next(&r, &record, &d));
		memcpy(whole.bytes.at, f.bytes.at, whole.borders.at[3].offset);
		EXPECT_INT(ERR_GONE, reader_next(&r, &record, &d));
		EXPECT(strstr(d.text, "has forgotten this while it was read") != NULL);
		reader_release(&r);
		source_close(&source);
		trace_file_release(&whole);
		trace_file_release(&f);
	}
}

/* Times and allocation clocks from another begin; what was before is at it. */
TEST(from_a_later_begin)
{
	struct trace_file f;
	struct source source;
	struct reader r;
	struct record record;
	size_t at = 0;
	make_small(&f);
	EXPECT_INT(0, source_open_memory(&source, buf_slice(&f.bytes)));
	EXPECT_INT(0, reader_init(&r, &source, NULL, NULL));
	uint64_t time = 0, alloc = 0;
	for (; reader_next(&r, &record, NULL) > 0; at++) {
		struct record want = f.records.list.at[at];
		if (want.kind == RECORD_tick) {
			EXPECT_INT(want.tick.time > time ? want.tick.time - time : 0,
				record.tick.time);
			EXPECT_INT(want.tick.alloc > alloc ? want.tick.alloc - alloc : 0,
				record.tick.alloc);
		}
		record_rebase(&want, time, alloc);
		EXPECT(record_equal(&record, &want));
		if (at == 5)
			reader_rebase(&r, time = 1000000, alloc = 5000);
	}
	EXPECT_INT(f.records.list.count, at);
	reader_release(&r);
	source_close(&source);
	trace_file_release(&f);
}
