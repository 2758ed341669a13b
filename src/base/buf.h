/*
 * A growing byte buffer: what writers append to. After a failed append (out of memory) the
 * buffer keeps its old content, `failed` stays set, and all later appends do nothing, so
 * that a writer checks once at the end.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "base/compiler.h"
#include "base/slice.h"

struct buf {
	uint8_t *at; /* owned */
	size_t len, room;
	int failed; /* ERR_NOMEM once an append has failed */
};

void buf_release(struct buf *b);
/* Empties it, keeps the memory, clears `failed`. */
void buf_clear(struct buf *b);
/* Makes room for more bytes. 0 or ERR_NOMEM. */
int buf_reserve(struct buf *b, size_t more);

void buf_put(struct buf *b, const void *bytes, size_t len);
void buf_put_u8(struct buf *b, uint8_t v);
void buf_put_le16(struct buf *b, uint16_t v);
void buf_put_le32(struct buf *b, uint32_t v);
void buf_put_le64(struct buf *b, uint64_t v);
/* Big-endian, as class files have it. */
void buf_put_be16(struct buf *b, uint16_t v);
void buf_put_be32(struct buf *b, uint32_t v);
/* LEB128, at most 10 bytes. */
void buf_put_varint(struct buf *b, uint64_t v);
/* Zigzag, then LEB128: small either side of zero is short. */
void buf_put_zigzag(struct buf *b, int64_t v);
void buf_put_str(struct buf *b, const char *text);
void buf_printf(struct buf *b, const char *format, ...) MF_PRINTF(2, 3);
void buf_vprintf(struct buf *b, const char *format, va_list args) MF_PRINTF(2, 0);

static inline struct slice buf_slice(const struct buf *b)
{
	return slice(b->at, b->len);
}
/* Content as a C string: NUL-terminated, "" when empty or failed. Valid until the next change. */
const char *buf_text(struct buf *b);

/* The zigzag mapping, shared with cursor.h. */
static inline uint64_t zigzag_encode(int64_t v)
{
	return ((uint64_t)v << 1) ^ (uint64_t)(v >> 63);
}
static inline int64_t zigzag_decode(uint64_t v)
{
	return (int64_t)(v >> 1) ^ -(int64_t)(v & 1);
}

#endif
