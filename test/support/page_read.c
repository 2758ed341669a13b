#include "support/page_read.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/cursor.h"
#include "base/error.h"
#include "base/mem.h"

enum { ROOM = 4096, NAME_ROOM = 64 };

static int value_of(uint8_t c)
{
	static const char alphabet[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(alphabet, c) : NULL;
	return at ? (int)(at - alphabet) : -1;
}

/* Bit by bit. */
int page_read_base64(struct buf *out, struct slice text)
{
	uint32_t bits = 0, held = 0;
	size_t len = text.len, padding = 0;
	while (len && text.at[len - 1] == '=' && padding < 2)
		len--, padding++;
	if (text.len % 4)
		return ERR_FORMAT;
	for (size_t i = 0; i < len; i++) {
		int value = value_of(text.at[i]);
		if (value < 0)
			return ERR_FORMAT;
		bits = bits << 6 | (uint32_t)value;
		held += 6;
		if (held >= 8) {
			held -= 8;
			buf_put_u8(out, (uint8_t)(bits >> held));
		}
	}
	/* What is left over is padding: zeros, and as many as the signs say. */
	return held != padding * 2 || (bits & ((1u << held) - 1)) ? ERR_FORMAT : out->failed;
}

int page_read_inflate(struct buf *out, struct slice stream)
{
	uint8_t room[ROOM];
	z_stream z = {0};
	int got = inflateInit(&z);
	z.next_in = (Bytef *)(uintptr_t)stream.at;
	z.avail_in = (uInt)stream.len;
	while (got == Z_OK) {
		z.next_out = room;
		z.avail_out = ROOM;
		got = inflate(&z, Z_NO_FLUSH);
		buf_put(out, room, ROOM - z.avail_out);
	}
	bool whole = got == Z_STREAM_END && z.avail_in == 0;
	inflateEnd(&z);
	return whole ? out->failed : ERR_FORMAT;
}

static int parse(struct page_read *p)
{
	struct cursor c = cursor_init(buf_slice(&p->bytes));
	struct slice magic = cursor_bytes(&c, 8);
	uint32_t version = cursor_le32(&c), len = cursor_le32(&c);
	struct slice text = cursor_bytes(&c, len);
	if (c.err || !slice_equal(magic, slice_str("MFLYPAGE")) || version != 1)
		return ERR_FORMAT;
	p->document = json_loadb((const char *)text.at, text.len, JSON_REJECT_DUPLICATES, NULL);
	p->columns = (16 + len + 7) / 8 * 8;
	return p->document ? ERR_NONE : ERR_FORMAT;
}

int page_read_data(struct page_read *p, struct slice data)
{
	*p = (struct page_read){0};
	buf_put(&p->bytes, data.at, data.len);
	return p->bytes.failed ? p->bytes.failed : parse(p);
}

int page_read_html(struct page_read *p, struct slice html, const char *which)
{
	char tag[NAME_ROOM];
	struct buf stream = {0};
	*p = (struct page_read){0};
	int len = snprintf(tag, sizeof(tag),
		"<script type=\"application/x-mayfly\" data-trace=\"%s\">", which);
	const uint8_t *at = memmem(html.at, html.len, tag, (size_t)len);
	if (!at)
		return ERR_NOT_FOUND;
	at += len;
	const uint8_t *end = memchr(at, '<', html.len - (size_t)(at - html.at));
	int err = end ? page_read_base64(&stream, slice(at, (size_t)(end - at))) : ERR_FORMAT;
	err = err ? err : page_read_inflate(&p->bytes, buf_slice(&stream));
	buf_release(&stream);
	return err ? err : parse(p);
}

void page_read_release(struct page_read *p)
{
	json_decref(p->document);
	buf_release(&p->bytes);
	*p = (struct page_read){0};
}

static json_t *find(const struct page_read *p, const char *column)
{
	return json_object_get(json_object_get(p->document, "columns"), column);
}

size_t page_read_count(const struct page_read *p, const char *column)
{
	return (size_t)json_integer_value(json_object_get(find(p, column), "count"));
}

static double number_at(const uint8_t *at, const char *type, size_t bytes)
{
	uint64_t bits = 0;
	double wide;
	float narrow;
	uint32_t bits32;
	for (size_t i = bytes; i-- > 0;)
		bits = bits << 8 | at[i];
	if (type[0] == 'u')
		return (double)bits;
	bits32 = (uint32_t)bits;
	memcpy(&narrow, &bits32, sizeof(narrow));
	memcpy(&wide, &bits, sizeof(wide));
	return bytes == 4 ? (double)narrow : wide;
}

static size_t bytes_of(const char *type)
{
	static const struct {
		const char *word;
		size_t bytes;
	} types[] = {{"u8", 1}, {"u16", 2}, {"u32", 4}, {"f32", 4}, {"f64", 8}};
	for (size_t i = 0; type && i < ARRAY_SIZE(types); i++)
		if (strcmp(types[i].word, type) == 0)
			return types[i].bytes;
	return 0;
}

double *page_read_column(const struct page_read *p, const char *column)
{
	json_t *o = find(p, column);
	const char *type = json_string_value(json_object_get(o, "type"));
	size_t count = page_read_count(p, column), bytes = bytes_of(type);
	size_t at = p->columns + (size_t)json_integer_value(json_object_get(o, "offset"));
	bool delta = json_is_true(json_object_get(o, "delta"));
	if (!bytes || at % 8 || at > p->bytes.len || (p->bytes.len - at) / bytes < count)
		return NULL;
	double *out = mem_zalloc(count + 1, sizeof(*out)), sum = 0;
	for (size_t i = 0; out && i < count; i++) {
		double value = number_at(p->bytes.at + at + i * bytes, type, bytes);
		sum += value;
		out[i] = delta ? sum : value;
	}
	return out;
}

const char *page_read_text(const struct page_read *p, double number)
{
	return json_string_value(
		json_array_get(json_object_get(p->document, "texts"), (size_t)number));
}
