#include "base/buf.h"

#include "base/cursor.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"

TEST(numbers_round_trip)
{
	static const uint64_t values[] = {
		0, 1, 127, 128, 300, 16383, 16384, UINT32_MAX, UINT64_MAX / 2, UINT64_MAX};
	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		struct buf b = {0};
		buf_put_u8(&b, (uint8_t)values[i]);
		buf_put_le16(&b, (uint16_t)values[i]);
		buf_put_le32(&b, (uint32_t)values[i]);
		buf_put_le64(&b, values[i]);
		buf_put_varint(&b, values[i]);
		buf_put_zigzag(&b, (int64_t)values[i]);
		struct cursor c = cursor_init(buf_slice(&b));
		EXPECT_INT((uint8_t)values[i], cursor_u8(&c));
		EXPECT_INT((uint16_t)values[i], cursor_le16(&c));
		EXPECT_INT((uint32_t)values[i], cursor_le32(&c));
		EXPECT_INT(values[i], cursor_le64(&c));
		EXPECT_INT(values[i], cursor_varint(&c));
		EXPECT_INT(values[i], cursor_zigzag(&c));
		EXPECT_INT(0, c.err);
		EXPECT_INT(0, cursor_left(&c));
		buf_release(&b);
	}
}

TEST(text)
{
	struct buf b = {0};
	EXPECT_STR("", buf_text(&b));
	buf_printf(&b, "%d-%s", 42, "x");
	buf_put_str(&b, "!");
	EXPECT_STR("42-x!", buf_text(&b));
	EXPECT_INT(5, b.len);
	buf_release(&b);
}

TEST(failure_sticks_and_keeps_content)
{
	struct buf b = {0};
	buf_put_str(&b, "kept");
	mem_fail_at(1);
	for (int i = 0; i < 100; i++)
		buf_put_str(&b, "lost");
	mem_fail_at(0);
	EXPECT_INT(ERR_NOMEM, b.failed);
	EXPECT(b.len >= 4 && memcmp(b.at, "kept", 4) == 0);
	buf_put_str(&b, "late");
	EXPECT(b.len % 4 == 0 && b.len < 100);
	buf_clear(&b);
	EXPECT_INT(0, b.failed);
	buf_release(&b);
}

TEST(big_endian_numbers)
{
	struct buf b = {0};
	buf_put_be16(&b, 0x0102);
	buf_put_be32(&b, 0x83040506);
	EXPECT(slice_equal(slice("\x01\x02\x83\x04\x05\x06", 6), buf_slice(&b)));
	buf_release(&b);
}
