#include "base/cursor.h"

#include "base/error.h"
#include "support/tap.h"

TEST(truncated_stops_where_it_is)
{
	uint8_t bytes[3] = {1, 2, 3};
	struct cursor c = cursor_init(slice(bytes, 3));
	EXPECT_INT(0x0201, cursor_le16(&c));
	EXPECT_INT(0, cursor_le32(&c));
	EXPECT_INT(ERR_TRUNCATED, c.err);
	EXPECT(c.at == bytes + 2);
	EXPECT_INT(0, cursor_u8(&c)); /* stays failed */
}

TEST(varint_too_long)
{
	uint8_t eleven[11] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0};
	struct cursor c = cursor_init(slice(eleven, 11));
	cursor_varint(&c);
	EXPECT_INT(ERR_FORMAT, c.err);
	uint8_t over[10] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2};
	c = cursor_init(slice(over, 10));
	cursor_varint(&c);
	EXPECT_INT(ERR_FORMAT, c.err);
}

TEST(varint_truncated)
{
	uint8_t cut[2] = {0x80, 0x80};
	struct cursor c = cursor_init(slice(cut, 2));
	cursor_varint(&c);
	EXPECT_INT(ERR_TRUNCATED, c.err);
}

TEST(sized_checks_length_before_use)
{
	uint8_t bytes[4] = {3, 'a', 'b', 'c'};
	struct cursor c = cursor_init(slice(bytes, 4));
	EXPECT_INT(3, cursor_sized(&c, 3).len);
	c = cursor_init(slice(bytes, 4));
	EXPECT_INT(0, cursor_sized(&c, 2).len);
	EXPECT_INT(ERR_LIMIT, c.err);
	c = cursor_init(slice(bytes, 3));
	cursor_sized(&c, 100);
	EXPECT_INT(ERR_TRUNCATED, c.err);
}

TEST(big_endian_numbers)
{
	uint8_t bytes[7] = {1, 2, 0x83, 4, 5, 6, 7};
	struct cursor c = cursor_init(slice(bytes, 7));
	EXPECT_INT(0x0102, cursor_be16(&c));
	EXPECT_INT(0x83040506, cursor_be32(&c));
	EXPECT_INT(0, cursor_be16(&c));
	EXPECT_INT(ERR_TRUNCATED, c.err);
	EXPECT(c.at == bytes + 6);
}
