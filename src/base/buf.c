#include "base/buf.h"

#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/vec.h"

void buf_release(struct buf *b)
{
	mem_free(b->at);
	*b = (struct buf){0};
}

void buf_clear(struct buf *b)
{
	b->len = 0;
	b->failed = 0;
}

int buf_reserve(struct buf *b, size_t more)
{
	if (!b->failed)
		b->failed = vec_grow((void **)&b->at, &b->room, b->len, more, 1);
	return b->failed;
}

void buf_put(struct buf *b, const void *bytes, size_t len)
{
	if (len == 0 || buf_reserve(b, len))
		return;
	memcpy(b->at + b->len, bytes, len);
	b->len += len;
}

void buf_put_u8(struct buf *b, uint8_t v)
{
	buf_put(b, &v, 1);
}

static void put_le(struct buf *b, uint64_t v, size_t size)
{
	uint8_t bytes[8];
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(v >> (8 * i));
	buf_put(b, bytes, size);
}

void buf_put_le16(struct buf *b, uint16_t v)
{
	put_le(b, v, 2);
}

void buf_put_le32(struct buf *b, uint32_t v)
{
	put_le(b, v, 4);
}

void buf_put_le64(struct buf *b, uint64_t v)
{
	put_le(b, v, 8);
}

static void put_be(struct buf *b, uint64_t v, size_t size)
{
	uint8_t bytes[8];
	for (size_t i = 0; i < size; i++)
		bytes[i] = (uint8_t)(v >> (8 * (size - 1 - i)));
	buf_put(b, bytes, size);
}

void buf_put_be16(struct buf *b, uint16_t v)
{
	put_be(b, v, 2);
}

void buf_put_be32(struct buf *b, uint32_t v)
{
	put_be(b, v, 4);
}

void buf_put_varint(struct buf *b, uint64_t v)
{
	uint8_t bytes[10];
	size_t n = 0;
	for (; v >= 0x80; v >>= 7)
		bytes[n++] = (uint8_t)(v | 0x80);
	bytes[n++] = (uint8_t)v;
	buf_put(b, bytes, n);
}

void buf_put_zigzag(struct buf *b, int64_t v)
{
	buf_put_varint(b, zigzag_encode(v));
}

void buf_put_str(struct buf *b, const char *text)
{
	buf_put(b, text, strlen(text));
}

void buf_vprintf(struct buf *b, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int len = vsnprintf(NULL, 0, format, args);
	if (len > 0 && !buf_reserve(b, (size_t)len + 1)) {
		vsnprintf((char *)b->at + b->len, (size_t)len + 1, format, again);
		b->len += (size_t)len;
	}
	va_end(again);
}

void buf_printf(struct buf *b, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	buf_vprintf(b, format, args);
	va_end(args);
}

const char *buf_text(struct buf *b)
{
	if (buf_reserve(b, 1))
		return "";
	b->at[b->len] = '\0';
	return (const char *)b->at;
}
