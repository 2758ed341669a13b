#include "trace/reader.h"

#include <inttypes.h>

#include "base/crc32c.h"
#include "base/error.h"
#include "trace/event_columns.h"

#define AT "block at offset %" PRIu64 ": "

/* -- The file header -- */

static int not_a_trace(size_t got, const uint8_t *bytes, struct diag *d)
{
	if (got == 0)
		return diag_set(d, ERR_TRUNCATED, "the file is empty");
	if (memcmp(bytes, FORMAT_FILE_MAGIC, got < 8 ? got : 8) != 0)
		return diag_set(d, ERR_FORMAT, "not a mayfly trace: it begins with other bytes");
	return diag_set(d, ERR_TRUNCATED, "the file ends inside its header, after %zu bytes", got);
}

/* The version comes before the checksum: a newer one may have put that elsewhere. */
static int check_version(struct reader *r, struct cursor *c, struct diag *d)
{
	r->major = cursor_le16(c);
	r->minor = cursor_le16(c);
	if (r->major == FORMAT_MAJOR)
		return ERR_NONE;
	if (r->major < FORMAT_MAJOR)
		return diag_set(d, ERR_CORRUPT, "the file header is damaged: no version %u.%u",
			r->major, r->minor);
	return diag_set(d, ERR_VERSION,
		"written in version %u.%u of the format; this mayfly reads up to version %d.%d: "
		"use a newer mayfly",
		r->major, r->minor, FORMAT_MAJOR, FORMAT_MINOR);
}

static int parse_file_header(struct reader *r, const uint8_t *bytes, struct diag *d)
{
	struct cursor c = cursor_init(slice(bytes, FILE_HEADER));
	cursor_bytes(&c, 8);
	int err = check_version(r, &c, d);
	if (err)
		return err;
	cursor_le32(&c); /* flags */
	r->wall.v = cursor_le64(&c);
	r->begin = r->next = cursor_le32(&c);
	if (cursor_le32(&c) != crc32c(0, bytes, FILE_HEADER - 4))
		return diag_set(
			d, ERR_CORRUPT, "the file header is damaged: its checksum does not agree");
	if (r->next < FILE_HEADER || r->next > FILE_HEADER_MAX)
		return diag_set(d, ERR_LIMIT,
			"a file header of %" PRIu64 " bytes: %d to %d are allowed", r->next,
			FILE_HEADER, FILE_HEADER_MAX);
	return ERR_NONE;
}

void reader_release(struct reader *r)
{
	buf_release(&r->stored);
	buf_release(&r->raw);
	buf_release(&r->split);
	event_columns_free(r->columns);
	*r = (struct reader){0};
}

/* -- Blocks -- */

static int damaged(const struct reader *r, struct diag *d, const char *what)
{
	return diag_set(d, ERR_CORRUPT, AT "damaged: %s", r->next, what);
}

/* 1: all len bytes are there; 0: the file ends before (and r->cut says whether inside a block). */
static int read_whole(struct reader *r, uint64_t offset, void *out, size_t len, struct diag *d)
{
	size_t got = 0;
	int err = r->source->read(r->source->arg, offset, out, len, &got);
	if (err)
		return diag_set(d, err, "offset %" PRIu64 ": %s", offset, err_text(err));
	r->cut = got < len && (got > 0 || offset > r->next || r->blocks == 0);
	return got == len;
}

static int check_lengths(const struct reader *r, const struct block_info *b, struct diag *d)
{
	if (b->stored_len > BLOCK_STORED_MAX || b->raw_len > BLOCK_RAW_MAX)
		return diag_set(d, ERR_LIMIT,
			AT "%" PRIu32 " bytes stored, %" PRIu32 " raw: more than %d and %d",
			r->next, b->stored_len, b->raw_len, BLOCK_STORED_MAX, BLOCK_RAW_MAX);
	if (b->codec == CODEC_STORED && b->stored_len != b->raw_len)
		return damaged(r, d, "its lengths do not agree");
	return ERR_NONE;
}

static int parse_header(const struct reader *r, const uint8_t *bytes, struct block_info *b,
	uint32_t *payload_crc, struct diag *d)
{
	struct cursor c = cursor_init(slice(bytes, BLOCK_HEADER));
	if (cursor_le32(&c) != FORMAT_BLOCK_MAGIC)
		return damaged(r, d, "no block begins here");
	b->offset = r->next;
	b->kind = cursor_le16(&c);
	b->codec = cursor_u8(&c);
	cursor_u8(&c); /* flags */
	b->stored_len = cursor_le32(&c);
	b->raw_len = cursor_le32(&c);
	b->records = cursor_le32(&c);
	b->sequence = cursor_le32(&c);
	b->first_time = cursor_le64(&c);
	b->last_time = cursor_le64(&c);
	*payload_crc = cursor_le32(&c);
	if (cursor_le32(&c) != crc32c(0, bytes, BLOCK_HEADER - 4))
		return damaged(r, d, "its header's checksum does not agree");
	if (b->kind == BLOCK_GAP)
		return damaged(r, d, "a gap that does not begin the file");
	return check_lengths(r, b, d);
}

/* -- Gaps: blocks at the begin that a cyclic trace has forgotten -- */

static int parse_gap(const struct reader *r, const uint8_t *bytes, struct forgotten *out,
	uint64_t *end, struct diag *d)
{
	struct cursor c = cursor_init(slice(bytes, BLOCK_HEADER));
	cursor_bytes(&c, 8); /* magic, kind, codec, flags */
	uint64_t len = cursor_le64(&c);
	out->blocks = cursor_le32(&c);
	uint32_t sequence = cursor_le32(&c);
	cursor_le64(&c);
	out->last_time = cursor_le64(&c);
	out->bytes = BLOCK_HEADER + len;
	if (len > INT64_MAX - r->begin - BLOCK_HEADER)
		return diag_set(d, ERR_LIMIT, AT "a gap of %" PRIu64 " bytes: more than any file",
			r->begin, len);
	if (!out->blocks || sequence)
		return diag_set(
			d, ERR_CORRUPT, AT "damaged: a gap that stands for no blocks", r->begin);
	*end = r->begin + out->bytes;
	return ERR_NONE;
}

static bool is_gap(const uint8_t *bytes)
{
	struct cursor c = cursor_init(slice(bytes, BLOCK_HEADER));
	return cursor_le32(&c) == FORMAT_BLOCK_MAGIC && cursor_le16(&c) == BLOCK_GAP;
}

/* Whether there is a whole header at the file's first block, and it is a gap's. It is the only one
 * that is ever written over: a reader may come just then, and looks again. */
static bool read_gap(struct reader *r, uint8_t *bytes)
{
	size_t got = 0;
	for (int i = 0; i < 2; i++) {
		if (r->source->read(r->source->arg, r->begin, bytes, BLOCK_HEADER, &got) ||
			got < BLOCK_HEADER || !is_gap(bytes))
			return false;
		struct cursor c = cursor_init(slice(bytes + BLOCK_HEADER - 4, 4));
		if (cursor_le32(&c) == crc32c(0, bytes, BLOCK_HEADER - 4))
			return true;
	}
	return false; /* damaged: it is told when the block is read */
}

/* A file that ends inside of a gap is cut there: no block comes any more. */
static int pass_gap(struct reader *r, struct diag *d)
{
	uint8_t bytes[BLOCK_HEADER], last;
	struct forgotten f = {0};
	uint64_t end = 0;
	if (!read_gap(r, bytes))
		return ERR_NONE;
	int err = parse_gap(r, bytes, &f, &end, d);
	if (err)
		return err;
	int got = f.bytes > BLOCK_HEADER ? read_whole(r, end - 1, &last, 1, d) : 1;
	if (got < 0)
		return got;
	r->forgotten = f;
	r->next = end;
	r->next_sequence = (uint32_t)f.blocks;
	return ERR_NONE;
}

/* What looks like damage is none where the recording has forgotten it while it was read. */
static int overtaken(struct reader *r, int err, struct diag *d)
{
	uint8_t bytes[BLOCK_HEADER];
	struct forgotten f = {0};
	uint64_t end = 0;
	if (err != ERR_CORRUPT || !read_gap(r, bytes) || parse_gap(r, bytes, &f, &end, NULL) ||
		end <= r->next)
		return err;
	return diag_set(d, ERR_GONE,
		AT "the recording goes on, and has forgotten this while it was read: read it again",
		r->next);
}

int reader_init(struct reader *r, struct source *source, const struct codec *codec, struct diag *d)
{
	*r = (struct reader){.source = source, .codec = codec};
	uint8_t bytes[FILE_HEADER];
	size_t got = 0;
	int err = source->read(source->arg, 0, bytes, sizeof(bytes), &got);
	if (err)
		return diag_set(d, err, "offset 0: %s", err_text(err));
	if (got < 12 || memcmp(bytes, FORMAT_FILE_MAGIC, 8) != 0)
		return not_a_trace(got, bytes, d);
	if (got < FILE_HEADER) {
		struct cursor version = cursor_init(slice(bytes + 8, 4));
		err = check_version(r, &version, d);
		return err ? err : not_a_trace(got, bytes, d);
	}
	err = parse_file_header(r, bytes, d);
	return err ? err : pass_gap(r, d);
}

static int reserve(const struct reader *r, struct buf *b, size_t len, struct diag *d)
{
	buf_clear(b);
	int err = buf_reserve(b, len + 1); /* never NULL, an empty payload included */
	return err ? diag_set(d, err, AT "%s", r->next, err_text(err)) : ERR_NONE;
}

/* Reads the payload as stored into `in` and checks it. 1, 0 at a cut, or <0. */
static int read_payload(
	struct reader *r, const struct block_info *b, uint32_t crc, struct buf *in, struct diag *d)
{
	int err = reserve(r, in, b->stored_len, d);
	if (err)
		return err;
	if (b->stored_len) {
		int got = read_whole(r, b->offset + BLOCK_HEADER, in->at, b->stored_len, d);
		if (got <= 0)
			return got;
	}
	in->len = b->stored_len;
	if (crc32c(0, in->at, in->len) != crc)
		return damaged(r, d, "its payload's checksum does not agree");
	return 1;
}

static bool is_zstd(const struct block_info *b)
{
	return b->codec == CODEC_ZSTD || b->codec == CODEC_ZSTD_COLUMNS;
}

/* From r->stored to `out`, of at most that length. */
static int unpack(struct reader *r, struct buf *out, size_t most, struct diag *d)
{
	const struct codec *codec = r->codec;
	int err = reserve(r, out, most, d);
	if (!err)
		out->len =
			codec->decompress(codec->ctx, out->at, most, r->stored.at, r->stored.len);
	return err;
}

static int bad_length(const struct reader *r, struct diag *d)
{
	return damaged(r, d, "its payload does not decompress to the length it should have");
}

static int unpack_payload(struct reader *r, size_t len, struct diag *d)
{
	int err = unpack(r, &r->raw, len, d);
	if (err)
		return err;
	return r->raw.len && r->raw.len == len ? ERR_NONE : bad_length(r, d);
}

static int unpack_columns(struct reader *r, size_t len, struct diag *d)
{
	if (!r->columns && !(r->columns = event_columns_new()))
		return diag_set(d, ERR_NOMEM, AT "%s", r->next, err_text(ERR_NOMEM));
	int err = unpack(r, &r->split, len, d);
	if (!err)
		err = reserve(r, &r->raw, len, d);
	if (err)
		return err;
	if (!event_columns_join(r->columns, r->raw.at, len, buf_slice(&r->split)))
		return bad_length(r, d);
	r->raw.len = len;
	return ERR_NONE;
}

/* From r->stored to r->raw. */
static int decompress(struct reader *r, const struct block_info *b, struct diag *d)
{
	if (!r->codec || r->codec->id != CODEC_ZSTD || !is_zstd(b))
		return diag_set(d, ERR_UNSUPPORTED,
			AT "compressed by a method (%d%s) that is not available here", r->next,
			b->codec, is_zstd(b) ? ", zstd" : "");
	return b->codec == CODEC_ZSTD ? unpack_payload(r, b->raw_len, d)
				      : unpack_columns(r, b->raw_len, d);
}

static void accept_block(struct reader *r, const struct block_info *b)
{
	r->block = *b;
	if (b->sequence > r->next_sequence)
		r->missing_blocks += b->sequence - r->next_sequence;
	r->next = b->offset + BLOCK_HEADER + b->stored_len;
	r->next_sequence = b->sequence + 1;
	r->blocks++;
	if (b->kind != BLOCK_RECORDS)
		return;
	r->records = cursor_init(buf_slice(&r->raw));
	r->records_left = b->records;
	r->deltas = record_deltas_init(b->first_time);
}

/* Whether the payload is decoded. A block of a kind that isn't known may be compressed in a way
 * that isn't either. */
static bool wanted(const struct block_info *b, bool all)
{
	return b->kind == BLOCK_RECORDS || (all && b->kind <= BLOCK_SIZES && b->kind != BLOCK_GAP);
}

static int read_header(struct reader *r, struct block_info *b, uint32_t *crc, struct diag *d)
{
	uint8_t bytes[BLOCK_HEADER];
	int got = read_whole(r, r->next, bytes, sizeof(bytes), d);
	if (got <= 0)
		return got;
	int err = parse_header(r, bytes, b, crc, d);
	return err ? overtaken(r, err, d) : 1;
}

int reader_peek_block(struct reader *r, struct block_info *out, struct diag *d)
{
	uint32_t crc;
	*out = (struct block_info){0};
	return read_header(r, out, &crc, d);
}

static void pass(struct reader *r, const struct block_info *b)
{
	struct passed *p = b->kind == BLOCK_EVENTS       ? &r->events
			   : b->kind == BLOCK_CHECKPOINT ? &r->checkpoints
							 : NULL;
	r->skipped_blocks += b->kind != BLOCK_RECORDS;
	if (!p)
		return;
	p->blocks++;
	p->records += b->records;
	p->bytes += BLOCK_HEADER + b->stored_len;
}

int reader_skip_block(struct reader *r, const struct block_info *b, struct diag *d)
{
	uint8_t last;
	uint64_t end = b->offset + BLOCK_HEADER + b->stored_len;
	int got = b->stored_len ? read_whole(r, end - 1, &last, 1, d) : 1;
	if (got <= 0)
		return got;
	r->records = (struct cursor){0};
	r->records_left = 0;
	if (b->sequence > r->next_sequence)
		r->missing_blocks += b->sequence - r->next_sequence;
	r->block = *b;
	r->next = end;
	r->next_sequence = b->sequence + 1;
	r->blocks++;
	pass(r, b);
	return 1;
}

void reader_seek(struct reader *r, const struct block_info *b)
{
	r->records = (struct cursor){0};
	r->records_left = 0;
	r->next = b->offset;
	r->next_sequence = b->sequence;
}

void reader_rebase(struct reader *r, uint64_t time, uint64_t alloc)
{
	r->base_time = time;
	r->base_alloc = alloc;
}

/* `all`: blocks of other kinds than records are decoded too. */
static int next_block(struct reader *r, bool all, struct diag *d)
{
	struct block_info b = {0};
	uint32_t crc = 0;
	r->records = (struct cursor){0};
	r->records_left = 0;
	int got = read_header(r, &b, &crc, d);
	if (got <= 0)
		return got;
	bool plain = b.codec == CODEC_STORED;
	buf_clear(&r->raw);
	got = read_payload(r, &b, crc, plain ? &r->raw : &r->stored, d);
	if (got <= 0)
		return overtaken(r, got, d);
	int err = !plain && wanted(&b, all) ? decompress(r, &b, d) : ERR_NONE;
	if (err)
		return err;
	accept_block(r, &b);
	return 1;
}

int reader_next_block(struct reader *r, struct diag *d)
{
	return next_block(r, true, d);
}

/* -- Records -- */

static int bad_record(const struct reader *r, int err, size_t at, struct diag *d)
{
	const char *why = err == ERR_LIMIT       ? "a length exceeds its maximum"
			  : err == ERR_TRUNCATED ? "it ends inside a field"
						 : "a number is not well formed";
	return diag_set(d, err == ERR_LIMIT ? ERR_LIMIT : ERR_CORRUPT,
		AT "record at byte %zu of its payload: %s", r->block.offset, at, why);
}

static int end_of_block(const struct reader *r, struct diag *d)
{
	size_t left = cursor_left(&r->records);
	if (left == 0 && r->records_left == 0)
		return 0;
	return diag_set(d, ERR_CORRUPT,
		AT "damaged: its count of records is wrong (%zu bytes, %" PRIu32 " records left)",
		r->block.offset, left, r->records_left);
}

/* One record of the block, of whatever kind. At trouble the reader stays before it, so that asking
 * again gives the same answer. */
static int decode(struct reader *r, struct record *out, struct diag *d)
{
	const uint8_t *before = r->records.at;
	int err = record_decode(&r->records, &r->deltas, out);
	if (!err)
		return ERR_NONE;
	r->records.at = before;
	r->records.err = 0;
	return bad_record(r, err, (size_t)(before - r->raw.at), d);
}

int reader_next_in_block(struct reader *r, struct record *out, struct diag *d)
{
	while (r->records.at != r->records.end && r->records_left) {
		int err = decode(r, out, d);
		if (err)
			return err;
		r->records_left--;
		if (record_name(out->kind)) {
			if (r->base_time | r->base_alloc)
				record_rebase(out, r->base_time, r->base_alloc);
			r->records_read++;
			r->ended |= out->kind == RECORD_end;
			return 1;
		}
		r->unknown_records++;
	}
	return end_of_block(r, d);
}

int reader_next(struct reader *r, struct record *out, struct diag *d)
{
	for (;;) {
		int got = reader_next_in_block(r, out, d);
		if (got)
			return got;
		got = next_block(r, false, d);
		if (got <= 0)
			return got;
		pass(r, &r->block);
	}
}
