#include "trace/block.h"

#include <string.h>

#include "base/crc32c.h"
#include "base/error.h"
#include "trace/event_columns.h"

int block_init(struct block *b, enum block_kind kind)
{
	*b = (struct block){.kind = (uint16_t)kind};
	return buf_reserve(&b->raw, BLOCK_RAW_MAX + RECORD_ROOM);
}

void block_release(struct block *b)
{
	buf_release(&b->raw);
	*b = (struct block){0};
}

void block_reset(struct block *b, struct ns time)
{
	buf_clear(&b->raw);
	b->deltas = record_deltas_init(time.v);
	b->first_time = b->last_time = time.v;
	b->records = 0;
}

int block_append(struct block *b, const struct record *r)
{
	size_t len = b->raw.len;
	struct record_deltas before = b->deltas;
	int err = record_encode(&b->raw, &b->deltas, r);
	if (err)
		return err;
	if (b->raw.len > BLOCK_RAW_MAX) {
		b->raw.len = len;
		b->deltas = before;
		return ERR_FULL;
	}
	b->last_time = b->deltas.top;
	b->records++;
	return ERR_NONE;
}

void file_header_put(struct buf *out, struct ns wall)
{
	size_t start = out->len;
	if (buf_reserve(out, FILE_HEADER))
		return;
	buf_put(out, FORMAT_FILE_MAGIC, 8);
	buf_put_le16(out, FORMAT_MAJOR);
	buf_put_le16(out, FORMAT_MINOR);
	buf_put_le32(out, 0);
	buf_put_le64(out, wall.v);
	buf_put_le32(out, FILE_HEADER);
	buf_put_le32(out, crc32c(0, out->at + start, out->len - start));
}

void block_header_put(struct buf *out, const struct block_header *h)
{
	size_t start = out->len;
	if (buf_reserve(out, BLOCK_HEADER))
		return;
	buf_put_le32(out, FORMAT_BLOCK_MAGIC);
	buf_put_le16(out, h->kind);
	buf_put_u8(out, h->codec);
	buf_put_u8(out, 0);
	buf_put_le32(out, h->stored_len);
	buf_put_le32(out, h->raw_len);
	buf_put_le32(out, h->records);
	buf_put_le32(out, h->sequence);
	buf_put_le64(out, h->first_time);
	buf_put_le64(out, h->last_time);
	buf_put_le32(out, h->payload_crc);
	buf_put_le32(out, crc32c(0, out->at + start, out->len - start));
}

void gap_put(struct buf *out, const struct gap *g)
{
	size_t start = out->len;
	if (buf_reserve(out, BLOCK_HEADER))
		return;
	buf_put_le32(out, FORMAT_BLOCK_MAGIC);
	buf_put_le16(out, BLOCK_GAP);
	buf_put_le16(out, 0);
	buf_put_le64(out, g->bytes);
	buf_put_le32(out, g->blocks);
	buf_put_le32(out, 0);
	buf_put_le64(out, 0);
	buf_put_le64(out, g->last_time);
	buf_put_le32(out, 0);
	buf_put_le32(out, crc32c(0, out->at + start, out->len - start));
}

/* What is compressed: the payload, or its columns, made behind `out`, where it has such events. */
static struct slice to_compress(const struct block *b, uint8_t *out, uint8_t *id)
{
	struct slice raw = buf_slice(&b->raw);
	uint8_t *columns = out + raw.len;
	size_t len = b->columns ? event_columns_split(b->columns, columns, raw) : 0;
	if (len)
		*id = CODEC_ZSTD_COLUMNS;
	return len ? slice(columns, len) : raw;
}

/* At least a byte less than it was; *id is by what codec. Returns the bytes, 0: it is to be stored.
 */
static size_t compress(const struct codec *codec, const struct block *b, uint8_t *out, uint8_t *id)
{
	if (!codec || codec->id == CODEC_STORED || b->raw.len < 2)
		return 0;
	uint8_t method = codec->id;
	struct slice in = to_compress(b, out, &method);
	size_t len = codec->compress(codec->ctx, out, b->raw.len - 1, in.at, in.len);
	if (len)
		*id = method;
	return len;
}

/* The payload goes in first, behind the place of its header, which needs its length and checksum.
 */
int block_seal(const struct block *b, uint32_t sequence, const struct codec *codec, struct buf *out)
{
	buf_clear(out);
	if (buf_reserve(out, BLOCK_HEADER + 2 * b->raw.len))
		return out->failed;
	uint8_t *payload = out->at + BLOCK_HEADER;
	uint8_t id = CODEC_STORED;
	size_t stored = compress(codec, b, payload, &id);
	if (!stored && b->raw.len)
		memcpy(payload, b->raw.at, stored = b->raw.len);
	struct block_header h = {
		.kind = b->kind,
		.codec = id,
		.stored_len = (uint32_t)stored,
		.raw_len = (uint32_t)b->raw.len,
		.records = b->records,
		.sequence = sequence,
		.first_time = b->first_time,
		.last_time = b->last_time,
		.payload_crc = crc32c(0, payload, stored),
	};
	block_header_put(out, &h);
	out->len += stored;
	return ERR_NONE;
}
