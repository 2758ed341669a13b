#include "hotspot/code_scan.h"

#include "support/tap.h"

#define BYTES(...) slice((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

TEST(reads_of_a_byte)
{
	size_t at = 99;
	/* nop; cmpb $0, 0xa4(%rax) */
	EXPECT_INT(1, code_scan_reads(BYTES(0x90, 0x80, 0xb8, 0xa4, 0, 0, 0, 0), 0xa4, &at));
	EXPECT_INT(3, at);
	/* movzbl 0xa4(%rdi), %ecx */
	EXPECT_INT(1, code_scan_reads(BYTES(0x0f, 0xb6, 0x8f, 0xa4, 0, 0, 0), 0xa4, &at));
	EXPECT_INT(3, at);
	/* with a prefix for high registers: movzbl 0xa4(%r8), %eax */
	EXPECT_INT(1, code_scan_reads(BYTES(0x41, 0x0f, 0xb6, 0x80, 0xa4, 0, 0, 0), 0xa4, &at));
	EXPECT_INT(4, at);
	EXPECT_INT(2, code_scan_reads(
			      BYTES(0x80, 0xbf, 0xa4, 0, 0, 0, 0, 0x0f, 0xb6, 0x8f, 0xa4, 0, 0, 0),
			      0xa4, &at));
	EXPECT_INT(10, at);
}

TEST(what_is_no_read)
{
	size_t at = 99;
	EXPECT_INT(0, code_scan_reads(BYTES(0x80, 0xb8, 0xa3, 0, 0, 0, 0), 0xa4, &at));
	EXPECT_INT(
		0, code_scan_reads(BYTES(0x80, 0xb8, 0xa4, 0, 0, 0, 1), 0xa4, &at)); /* cmpb $1 */
	EXPECT_INT(0, code_scan_reads(BYTES(0x80, 0xa0, 0xa4, 0, 0, 0, 0), 0xa4, &at)); /* andb */
	EXPECT_INT(0, code_scan_reads(BYTES(0x80, 0xbc, 0xa4, 0, 0, 0, 0), 0xa4, &at)); /* SIB */
	EXPECT_INT(0, code_scan_reads(BYTES(0x0f, 0xb6, 0x84, 0xa4, 0, 0, 0), 0xa4, &at));
	EXPECT_INT(
		0, code_scan_reads(BYTES(0x0f, 0xb6, 0x4f, 0xa4, 0, 0, 0), 0xa4, &at)); /* disp8 */
	EXPECT_INT(
		0, code_scan_reads(BYTES(0x0f, 0xb7, 0x8f, 0xa4, 0, 0, 0), 0xa4, &at)); /* word */
	/* cut */
	EXPECT_INT(0, code_scan_reads(BYTES(0x80, 0xb8, 0xa4, 0, 0, 0), 0xa4, &at));
	EXPECT_INT(0, code_scan_reads(BYTES(0x0f, 0xb6, 0x8f, 0xa4, 0, 0), 0xa4, &at));
	EXPECT_INT(0, code_scan_reads(slice(NULL, 0), 0xa4, &at));
	EXPECT_INT(99, at);
}

TEST(calls_forth_and_back)
{
	size_t at = 99;
	EXPECT_INT(1, code_scan_calls(BYTES(0x90, 0xe8, 0x10, 0, 0, 0), 0x1000, 0x1016, &at));
	EXPECT_INT(2, at);
	EXPECT_INT(1, code_scan_calls(BYTES(0xe8, 0xfb, 0xff, 0xff, 0xff), 0x1000, 0x1000, &at));
	EXPECT_INT(0, code_scan_calls(BYTES(0xe8, 0x10, 0, 0, 0), 0x1000, 0x1016, &at));
	EXPECT_INT(0, code_scan_calls(BYTES(0xe9, 0x10, 0, 0, 0), 0x1000, 0x1015, &at));
	EXPECT_INT(0, code_scan_calls(BYTES(0xe8, 0x10, 0, 0), 0x1000, 0x1015, &at));
	EXPECT_INT(2, code_scan_calls(BYTES(0xe8, 0x10, 0, 0, 0, 0xe8, 0x0b, 0, 0, 0), 0x1000,
			      0x1015, &at));
	EXPECT_INT(6, at);
}

TEST(fields_that_are_written)
{
	uint32_t least, greatest;
	/* mov %al, 0xa6(%rdi); mov %dl, 0xa8(%rdi) */
	struct slice bytes = BYTES(0x88, 0x87, 0xa6, 0, 0, 0, 0x90, 0x88, 0x97, 0xa8, 0, 0, 0);
	EXPECT(code_scan_writes(bytes, &least, &greatest));
	EXPECT_INT(0xa6, least);
	EXPECT_INT(0xa8, greatest);
	/* mov %ax, 0xa7(%rdi): two bytes */
	EXPECT(code_scan_writes(BYTES(0x66, 0x89, 0x87, 0xa7, 0, 0, 0), &least, &greatest));
	EXPECT_INT(0xa7, least);
	EXPECT_INT(0xa8, greatest);
	/* into another register's object; too far for a field; cut */
	EXPECT(!code_scan_writes(BYTES(0x88, 0x86, 0xa6, 0, 0, 0), &least, &greatest));
	EXPECT(!code_scan_writes(BYTES(0x88, 0x87, 0xa6, 0, 1, 0), &least, &greatest));
	EXPECT(!code_scan_writes(BYTES(0x88, 0x87, 0xa6, 0, 0), &least, &greatest));
	EXPECT(!code_scan_writes(BYTES(0x66, 0x89, 0x87, 0xa6, 0, 0), &least, &greatest));
}

TEST(jumps)
{
	static const uint8_t code[] = {
		0x90, 0xe9, 0x10, 0, 0, 0, 0xe9, 0x0b, 0, 0, 0, 0xe9, 0, 0, 0};
	struct slice all = slice(code, sizeof(code));
	size_t at = 0;
	EXPECT(code_scan_jump(all, 0x1000, 0x1016, 0, &at));
	EXPECT_INT(1, at);
	EXPECT(code_scan_jump(all, 0x1000, 0x1016, 2, &at));
	EXPECT_INT(6, at);
	EXPECT(!code_scan_jump(all, 0x1000, 0x1016, 7, &at));
	EXPECT(!code_scan_jump(all, 0x1000, 0x1017, 0, &at));
	EXPECT(!code_scan_jump(all, 0x1000, 0x1010, 0, &at)); /* cut */
	EXPECT(!code_scan_jump(all, 0x1000, 0x1016, SIZE_MAX, &at));
}
