#include "base/crc32c.h"

#include "support/tap.h"

static uint32_t bitwise(const uint8_t *p, size_t len)
{
	uint32_t crc = ~0u;
	for (size_t i = 0; i < len; i++) {
		crc ^= p[i];
		for (int b = 0; b < 8; b++)
			crc = (crc >> 1) ^ (crc & 1 ? 0x82f63b78u : 0);
	}
	return ~crc;
}

TEST(known_values)
{
	uint8_t zeros[32] = {0};
	EXPECT_INT(0xe3069283u, crc32c(0, "123456789", 9));
	EXPECT_INT(0x8a9136aau, crc32c(0, zeros, 32)); /* RFC 3720 B.4 */
	EXPECT_INT(0, crc32c(0, "", 0));
}

TEST(agrees_with_bitwise_and_chains)
{
	uint8_t bytes[100];
	for (int i = 0; i < 100; i++)
		bytes[i] = (uint8_t)(i * 37 + 11);
	for (size_t len = 0; len <= 100; len++)
		EXPECT_INT(bitwise(bytes, len), crc32c(0, bytes, len));
	for (size_t len = 0; len <= 100; len++)
		EXPECT_INT(bitwise(bytes, len), crc32c_by_table(0, bytes, len));
	for (size_t cut = 0; cut <= 100; cut++)
		EXPECT_INT(
			bitwise(bytes, 100), crc32c(crc32c(0, bytes, cut), bytes + cut, 100 - cut));
}
