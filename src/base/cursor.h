/*
 * Reads hostile bytes: every getter checks its bounds first. After the first failure `err`
 * stays set, getters return 0 or an empty slice, and `at` stays where the trouble is.
 */
#ifndef BASE_CURSOR_H
#define BASE_CURSOR_H

#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

struct cursor {
	const uint8_t *at, *end;
	int err; /* 0, ERR_TRUNCATED, ERR_FORMAT (overlong varint) or ERR_LIMIT */
};

static inline struct cursor cursor_init(struct slice bytes)
{
	return (struct cursor){.at = bytes.at, .end = bytes.at + bytes.len};
}

static inline size_t cursor_left(const struct cursor *c)
{
	return (size_t)(c->end - c->at);
}

uint8_t cursor_u8(struct cursor *c);
uint16_t cursor_le16(struct cursor *c);
uint32_t cursor_le32(struct cursor *c);
uint64_t cursor_le64(struct cursor *c);
/* Big-endian, as class files have it. */
uint16_t cursor_be16(struct cursor *c);
uint32_t cursor_be32(struct cursor *c);
/* LEB128 of at most 10 bytes; a value over 64 bits is ERR_FORMAT. */
uint64_t cursor_varint(struct cursor *c);
int64_t cursor_zigzag(struct cursor *c);
/* The next len bytes, in place. */
struct slice cursor_bytes(struct cursor *c, size_t len);
/* A varint length of at most max, then as many bytes. */
struct slice cursor_sized(struct cursor *c, size_t max);

#endif
