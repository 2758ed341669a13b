#include "golden/cases.h"

#include "base/crc32c.h"
#include "trace/block.h"
#include "trace/writer.h"

enum { WALL = 1767225600 };

/* -- Parts -- */

static void header(struct buf *out)
{
	file_header_put(out, (struct ns){WALL * 1000000000ull});
}

static void block(struct buf *out, struct block_header h, const void *payload, size_t len)
{
	h.payload_crc = crc32c(0, payload, len);
	block_header_put(out, &h);
	buf_put(out, payload, len);
}

/* A records block with right lengths and one record; `raw` is a string literal. */
#define BLOCK(out, raw)                                                                            \
	block(out,                                                                                 \
		(struct block_header){.kind = 1,                                                   \
			.stored_len = sizeof(raw) - 1,                                             \
			.raw_len = sizeof(raw) - 1,                                                \
			.records = 1},                                                             \
		raw, sizeof(raw) - 1)

/* -- v1: every kind, each field with a value of its own -- */

static uint64_t next_value;

static void fill_u(record_u *v)
{
	next_value += 37;
	*v = next_value % 5 == 0 ? next_value << 33 : next_value;
}

static void fill_z(record_z *v)
{
	next_value += 37;
	*v = next_value % 2 ? (int64_t)next_value : -(int64_t)next_value;
}

static void fill_s(record_s *v)
{
	static const char *const texts[] = {
		"", "byte[]", "com.acme.Order$$Lambda", "\xc3\xa4\x01\"\\"};
	*v = slice_str(texts[(next_value += 37) % 4]);
}

static void fill_l(record_l *v)
{
	next_value += 37;
	v->count = (uint32_t)(next_value % 4);
	for (uint32_t i = 0; i < v->count; i++)
		v->at[i] = next_value * i;
}

#define fill_t            fill_u
#define fill_a            fill_u
#define fill_o            fill_u
#define FILL(type, field) fill_##type(&r->field);
#define RECORD(kind, name)                                                                         \
	static void fill_##name(struct record_##name *r)                                           \
	{                                                                                          \
		FIELDS_##name(FILL)                                                                \
	}
#include "trace/record.def"
#undef RECORD
#undef FILL

static void build_kinds(struct buf *out)
{
	struct writer w;
	next_value = 0;
	writer_init(&w, sink_buf(out), NULL, (struct ns){WALL * 1000000000ull});
#define RECORD(number, name)                                                                       \
	{                                                                                          \
		struct record r = {.kind = number};                                                \
		fill_##name(&r.name);                                                              \
		writer_put(&w, &r);                                                                \
	}
#include "trace/record.def"
#undef RECORD
	writer_release(&w);
}

/* -- v1: a short recording, whole and right -- */

#define TEXT(literal)                                                                              \
	{                                                                                          \
		(const uint8_t *)(literal), sizeof(literal) - 1                                    \
	}
#define R(name_, ...)                                                                              \
	{                                                                                          \
		.kind = RECORD_##name_, .name_ = { __VA_ARGS__ }                                   \
	}

static const struct record session[] = {
	R(fact, TEXT("engine"), TEXT("sampled")),
	R(fact, TEXT("gc"), TEXT("G1")),
	R(config, .id = 1, .interval = 524288, .walk = 1, .track = 2, .capacity = 20000),
	R(string, 1, TEXT("byte[]")),
	R(string, 2, TEXT("com.acme.Order")),
	R(string, 3, TEXT("main")),
	R(string, 4, TEXT("()V")),
	R(class, .id = 1, .name = 1, .flags = CLASS_ARRAY),
	R(method, .id = 1, .class_name = 2, .name = 3, .descriptor = 4),
	R(frame, .id = 1, .method = 1, .line = 12, .bci = -1),
	R(frame, .id = 2, .parent = 1, .method = 1, .line = 40, .bci = 7),
	R(site, .id = 1, .class = 1, .frame = 2),
	R(thread, .id = 1, .time = 1000, .name = 3),
	R(collector, .id = 1, .name = 3, .role = ROLE_YOUNG),
	R(alloc, 2000, 524288, 1, 1, 1024, 1),
	R(birth, 3000, 1048576, 1, 0, 0, 1, 1, 48, 1),
	R(birth, 4000, 1572864, 2, 0, 0, 1, 1, 1000000, 1),
	R(gc, .start = 5000, .end = 9000, .alloc = 1600000, .number = 1, .collector = 1, .young = 1,
		.pause = 4000, .heap_before = 3000000, .heap_after = 1000000, .tenuring = 15,
		.ages = {.count = 2, .at = {1000000, 24}}),
	R(death, 9500, 1600000, 1, 1, 0),
	R(pause, .start = 9600, .end = 9700),
	R(tick, .time = 10000, .alloc = 1600000, .samples = 4, .walked = 3, .tracked = 2, .live = 1,
		.young = 1),
	R(lost, .time = 10100, .what = LOST_SAMPLES, .count = 1, .bytes = 524288),
	R(note, 10200, NOTE_WARNING, TEXT("a sample was lost")),
	R(end, .time = 11000, .alloc = 2200000, .reason = END_STOPPED, .samples = 5, .walked = 3,
		.tracked = 2, .died = 1, .alive = 1, .lost = 1),
};

/* In two blocks, the definitions in the first. */
static void put_session(struct buf *out)
{
	struct writer w;
	writer_init(&w, sink_buf(out), NULL, (struct ns){WALL * 1000000000ull});
	for (size_t i = 0; i < ARRAY_SIZE(session); i++) {
		if (session[i].kind == RECORD_alloc)
			writer_flush(&w);
		writer_put(&w, &session[i]);
	}
	writer_release(&w);
}

static void build_session(struct buf *out)
{
	put_session(out);
}

/* Much of the same, so that it gets compressed. */
static void build_zstd(struct buf *out)
{
	static const char text[] = "the same sentence again and again, for a compressor to like";
	struct codec codec;
	struct writer w;
	codec_zstd_init(&codec, 3);
	writer_init(&w, sink_buf(out), codec.ctx ? &codec : NULL, (struct ns){0});
	for (uint64_t i = 0; i < 20; i++)
		writer_put(&w, &(struct record){.kind = RECORD_note,
				       .note = {i * 1000, NOTE_INFO, TEXT(text)}});
	writer_release(&w);
	codec_zstd_release(&codec);
}

static void build_header_only(struct buf *out)
{
	header(out);
}

/* What a later minor version may do: a longer header, more flags, new kinds, longer records, a new
 * kind of block in a new codec. */
static void build_newer_minor(struct buf *out)
{
	size_t start = out->len;
	buf_put(out, FORMAT_FILE_MAGIC, 8);
	buf_put_le16(out, FORMAT_MAJOR);
	buf_put_le16(out, FORMAT_MINOR + 7);
	buf_put_le32(out, 0x80);
	buf_put_le64(out, WALL * 1000000000ull);
	buf_put_le32(out, FILE_HEADER + 8);
	buf_put_le32(out, crc32c(0, out->at + start, 28));
	buf_put_str(out, "newpart!");
	static const char new_kind[] = "\x7e\x03\x01\x02\x03";
	static const char longer[] = "\x25\x05\x14\x14\x00\x99\x98";
	block(out, (struct block_header){.kind = 1, .stored_len = 5, .raw_len = 5, .records = 1},
		new_kind, 5);
	block(out,
		(struct block_header){.kind = 77,
			.codec = 9,
			.stored_len = 3,
			.raw_len = 3000,
			.records = 4,
			.sequence = 1},
		"???", 3);
	block(out,
		(struct block_header){.kind = 1,
			.stored_len = 7,
			.raw_len = 7,
			.records = 1,
			.sequence = 2,
			.last_time = 20},
		longer, 7);
}

/* -- bad -- */

static void build_empty(struct buf *out)
{
	buf_clear(out);
}

static void build_foreign(struct buf *out)
{
	buf_put_str(
		out, "PK\3\4 this is some archive, and no trace at all, whatever its name says\n");
}

static void build_text_mode(struct buf *out)
{
	header(out);
	out->at[5] = '\n'; /* what a transfer in text mode does to \r\n */
	memmove(out->at + 6, out->at + 7, out->len - 7);
	out->len--;
}

static void build_header_cut(struct buf *out)
{
	header(out);
	out->len = 20;
}

static void build_header_damaged(struct buf *out)
{
	header(out);
	out->at[20] ^= 1;
}

static void build_newer_major(struct buf *out)
{
	header(out);
	out->at[8] = 2;
	out->at[10] = 5;
}

static void build_header_too_long(struct buf *out)
{
	size_t start = out->len;
	buf_put(out, FORMAT_FILE_MAGIC, 8);
	buf_put_le32(out, FORMAT_MAJOR);
	buf_put_le32(out, 0);
	buf_put_le64(out, 0);
	buf_put_le32(out, FILE_HEADER_MAX + 1);
	buf_put_le32(out, crc32c(0, out->at + start, 28));
}

static void build_cut_in_header(struct buf *out)
{
	put_session(out);
	struct buf first = {0};
	header(&first);
	out->len = first.len + 10;
	buf_release(&first);
}

static void build_cut_in_payload(struct buf *out)
{
	put_session(out);
	out->len--;
}

static void build_zeros_at_the_end(struct buf *out)
{
	put_session(out);
	for (int i = 0; i < 64; i++)
		buf_put_u8(out, 0);
}

static void build_block_header_damaged(struct buf *out)
{
	put_session(out);
	out->at[FILE_HEADER + 16] ^= 0x40;
}

static void build_payload_damaged(struct buf *out)
{
	put_session(out);
	out->at[out->len - 3] ^= 0x01;
}

static void build_block_too_long(struct buf *out)
{
	header(out);
	block(out,
		(struct block_header){.kind = 1, .codec = 1, .stored_len = 9, .raw_len = 1 << 30},
		"bomb-bomb", 9);
}

static void build_lengths_differ(struct buf *out)
{
	header(out);
	block(out, (struct block_header){.kind = 1, .stored_len = 3, .raw_len = 2, .records = 1},
		"\x7e\x01\x00", 3);
}

static void build_record_too_long(struct buf *out)
{
	header(out);
	BLOCK(out, "\x25\x7f\x01\x01");
}

static void build_text_too_long(struct buf *out)
{
	header(out);
	BLOCK(out, "\x01\x03\x01\x81\x40");
}

static void build_list_too_long(struct buf *out)
{
	header(out);
	BLOCK(out, "\x41\x04\x01\x01\x01\x41");
}

static void build_number_too_long(struct buf *out)
{
	header(out);
	BLOCK(out, "\x01\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02");
}

static void build_record_missing(struct buf *out)
{
	header(out);
	block(out, (struct block_header){.kind = 1, .stored_len = 2, .raw_len = 2, .records = 2},
		"\x7e\x00", 2);
}

static void build_unknown_codec(struct buf *out)
{
	header(out);
	block(out, (struct block_header){.kind = 1, .codec = 5, .stored_len = 2, .raw_len = 20},
		"\x7e", 2);
}

static void build_not_zstd(struct buf *out)
{
	header(out);
	block(out, (struct block_header){.kind = 1, .codec = 1, .stored_len = 4, .raw_len = 20},
		"nope", 4);
}

static void build_undefined_id(struct buf *out)
{
	header(out);
	/* config 1 (walk, track 1); alloc of site 9 */
	block(out, (struct block_header){.kind = 1, .stored_len = 16, .raw_len = 16, .records = 2},
		"\x12\x06\x01\x00\x00\x01\x01\x00"
		"\x20\x06\x00\x00\x09\x00\x10\x01",
		16);
}

static void build_block_missing(struct buf *out)
{
	header(out);
	block(out,
		(struct block_header){
			.kind = 1, .stored_len = 2, .raw_len = 2, .records = 1, .sequence = 3},
		"\x7e\x00", 2);
}

static void build_wrong_sums(struct buf *out)
{
	header(out);
	/* end: samples 1, walked 0, tracked 1 */
	BLOCK(out, "\x2f\x0b\x00\x00\x00\x01\x00\x01\x00\x00\x00\x00\x00");
}

#define GOOD(name)                                                                                 \
	{                                                                                          \
		"v1/" #name, build_##name, false                                                   \
	}
#define BAD(name)                                                                                  \
	{                                                                                          \
		"bad/" #name, build_##name, false                                                  \
	}
const struct golden goldens[] = {
	GOOD(kinds),
	GOOD(session),
	{"v1/zstd", build_zstd, true},
	GOOD(header_only),
	GOOD(newer_minor),
	GOOD(cut_in_header),
	GOOD(cut_in_payload),
	BAD(empty),
	BAD(foreign),
	BAD(text_mode),
	BAD(header_cut),
	BAD(header_damaged),
	BAD(newer_major),
	BAD(header_too_long),
	BAD(zeros_at_the_end),
	BAD(block_header_damaged),
	BAD(payload_damaged),
	BAD(block_too_long),
	BAD(lengths_differ),
	BAD(record_too_long),
	BAD(text_too_long),
	BAD(list_too_long),
	BAD(number_too_long),
	BAD(record_missing),
	BAD(unknown_codec),
	BAD(not_zstd),
	BAD(undefined_id),
	BAD(block_missing),
	BAD(wrong_sums),
};
const size_t golden_count = ARRAY_SIZE(goldens);
