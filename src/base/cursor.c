#include "base/cursor.h"

#include "base/buf.h"
#include "base/error.h"

static uint64_t fail(struct cursor *c, int err)
{
	if (!c->err)
		c->err = err;
	return 0;
}

static uint64_t get_le(struct cursor *c, size_t size)
{
	if (c->err || cursor_left(c) < size)
		return fail(c, ERR_TRUNCATED);
	uint64_t v = 0;
	for (size_t i = 0; i < size; i++)
		v |= (uint64_t)c->at[i] << (8 * i);
	c->at += size;
	return v;
}

uint8_t cursor_u8(struct cursor *c)
{
	return (uint8_t)get_le(c, 1);
}

uint16_t cursor_le16(struct cursor *c)
{
	return (uint16_t)get_le(c, 2);
}

uint32_t cursor_le32(struct cursor *c)
{
	return (uint32_t)get_le(c, 4);
}

uint64_t cursor_le64(struct cursor *c)
{
	return get_le(c, 8);
}

static uint64_t get_be(struct cursor *c, size_t size)
{
	if (c->err || cursor_left(c) < size)
		return fail(c, ERR_TRUNCATED);
	uint64_t v = 0;
	for (size_t i = 0; i < size; i++)
		v = v << 8 | c->at[i];
	c->at += size;
	return v;
}

uint16_t cursor_be16(struct cursor *c)
{
	return (uint16_t)get_be(c, 2);
}

uint32_t cursor_be32(struct cursor *c)
{
	return (uint32_t)get_be(c, 4);
}

static uint64_t varint_long(struct cursor *c)
{
	const uint8_t *at = c->at;
	uint64_t v = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (at == c->end)
			return fail(c, ERR_TRUNCATED);
		uint8_t byte = *at++;
		if (shift == 63 && byte > 1)
			return fail(c, ERR_FORMAT);
		v |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			c->at = at;
			return v;
		}
	}
	return fail(c, ERR_FORMAT);
}

uint64_t cursor_varint(struct cursor *c)
{
	if (c->err)
		return 0;
	if (c->at < c->end && *c->at < 0x80)
		return *c->at++;
	return varint_long(c);
}

int64_t cursor_zigzag(struct cursor *c)
{
	return zigzag_decode(cursor_varint(c));
}

struct slice cursor_bytes(struct cursor *c, size_t len)
{
	if (c->err || cursor_left(c) < len) {
		fail(c, ERR_TRUNCATED);
		return slice(NULL, 0);
	}
	struct slice bytes = slice(c->at, len);
	c->at += len;
	return bytes;
}

struct slice cursor_sized(struct cursor *c, size_t max)
{
	uint64_t len = cursor_varint(c);
	if (!c->err && len > max) {
		fail(c, ERR_LIMIT);
		return slice(NULL, 0);
	}
	return cursor_bytes(c, (size_t)len);
}
