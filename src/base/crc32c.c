#include "base/crc32c.h"

#include <pthread.h>
#include <string.h>

enum { STRIDE = 8 };

static uint32_t table[STRIDE][256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make_table(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t crc = i;
		for (int bit = 0; bit < 8; bit++)
			crc = (crc >> 1) ^ (crc & 1 ? 0x82f63b78u : 0);
		table[0][i] = crc;
	}
	for (uint32_t i = 0; i < 256; i++)
		for (int k = 1; k < STRIDE; k++)
			table[k][i] = (table[k - 1][i] >> 8) ^ table[0][table[k - 1][i] & 0xff];
}

static uint32_t byte_step(uint32_t crc, uint8_t byte)
{
	return (crc >> 8) ^ table[0][(crc ^ byte) & 0xff];
}

/* Eight bytes at a time ("slicing by 8"): table[k] is the effect of a byte k places further on. */
static uint32_t stride_step(uint32_t crc, const uint8_t *p)
{
	uint32_t out = 0;
	for (int k = 0; k < 4; k++)
		out ^= table[7 - k][(p[k] ^ (crc >> (8 * k))) & 0xff];
	for (int k = 4; k < STRIDE; k++)
		out ^= table[7 - k][p[k]];
	return out;
}

uint32_t crc32c_by_table(uint32_t crc, const void *bytes, size_t len)
{
	pthread_once(&once, make_table);
	const uint8_t *p = bytes;
	crc = ~crc;
	for (; len >= STRIDE; len -= STRIDE, p += STRIDE)
		crc = stride_step(crc, p);
	for (; len; len--, p++)
		crc = byte_step(crc, *p);
	return ~crc;
}

#if defined(__x86_64__)
/* SSE 4.2 has an instruction for just this polynomial. */
__attribute__((target("sse4.2"))) static uint32_t by_instruction(
	uint32_t crc, const uint8_t *p, size_t len)
{
	uint64_t wide = ~crc;
	for (; len >= 8; len -= 8, p += 8) {
		uint64_t eight;
		memcpy(&eight, p, 8);
		wide = __builtin_ia32_crc32di(wide, eight);
	}
	crc = (uint32_t)wide;
	for (; len; len--, p++)
		crc = __builtin_ia32_crc32qi(crc, *p);
	return ~crc;
}

uint32_t crc32c(uint32_t crc, const void *bytes, size_t len)
{
	if (__builtin_cpu_supports("sse4.2"))
		return by_instruction(crc, bytes, len);
	return crc32c_by_table(crc, bytes, len);
}
#else
uint32_t crc32c(uint32_t crc, const void *bytes, size_t len)
{
	return crc32c_by_table(crc, bytes, len);
}
#endif
