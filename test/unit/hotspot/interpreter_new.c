#include "hotspot/interpreter_new.h"

#include <string.h>

#include "base/compiler.h"
#include "base/rng.h"
#include "support/tap.h"

/* movzwl 1(%r13), %edx; bswap %edx; shr $16, %edx */
#define BEGIN 0x41, 0x0f, 0xb7, 0x55, 0x01, 0x0f, 0xca, 0xc1, 0xea, 0x10
/* test $1, %dl; jne 4 bytes on */
#define TEST_BYTE 0xf6, 0xc2, 1, 0x0f, 0x85, 4, 0, 0, 0
/* test $1, %edx; jne 4 bytes on */
#define TEST_WORD 0xf7, 0xc2, 1, 0, 0, 0, 0x0f, 0x85, 4, 0, 0, 0
#define NOPS      0x90, 0x90, 0x90, 0x90, 0x90, 0x90

#define BYTES(...) slice((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

static void expect_at(size_t want, struct slice code)
{
	size_t at = 0;
	EXPECT(interpreter_new_find(code, &at));
	EXPECT_INT(want, at);
	EXPECT_INT(0x85, code.at[at]);
	for (size_t len = 0; len < code.len; len++) {
		/* Cut short it has no end inside, or is none. */
		bool found = interpreter_new_find(slice(code.at, len), &at);
		EXPECT_INT(len > want + 1 + 4 + 4, found);
	}
}

static void expect_none(struct slice code)
{
	size_t at = 99;
	EXPECT(!interpreter_new_find(code, &at));
	EXPECT_INT(99, at);
}

TEST(the_jump_behind_the_test)
{
	expect_at(14, BYTES(BEGIN, TEST_BYTE, NOPS));
	expect_at(17, BYTES(BEGIN, TEST_WORD, NOPS));
	expect_at(20, BYTES(BEGIN, NOPS, TEST_BYTE, NOPS));
}

TEST(other_code)
{
	expect_none(BYTES(TEST_BYTE, NOPS));                     /* other code's begin */
	expect_none(BYTES(BEGIN, NOPS));                         /* no test */
	expect_none(BYTES(BEGIN, TEST_BYTE, TEST_BYTE, NOPS));   /* two */
	expect_none(BYTES(BEGIN, 0xf6, 0xc2, 1, 0x75, 2, NOPS)); /* a short jump */
	expect_none(BYTES(BEGIN, 0xf6, 0xc2, 2, 0x0f, 0x85, 4, 0, 0, 0, NOPS)); /* another bit */
	expect_none(BYTES(BEGIN, 0xf6, 0xc2, 1, 0x0f, 0x83, 4, 0, 0, 0, NOPS)); /* turned already */
	expect_none(
		BYTES(BEGIN, 0xf6, 0xc2, 1, 0x0f, 0x85, 0xf0, 0xff, 0xff, 0xff, NOPS)); /* back */
	expect_none(slice(NULL, 0));
}

/* A table as the VM has it, of code that is none: nothing is ever written. */
TEST(nothing_is_written_into_what_is_not_known)
{
	struct interpreter_new n = {.condition = NULL};
	struct diag d = {""};
	EXPECT(interpreter_new_open(&n, NULL, NULL) != 0);
	EXPECT_INT(0, interpreter_new_ask(&n, true, &d));
}

TEST(one_byte_there_and_back)
{
	static uint8_t code[] = {BEGIN, TEST_BYTE, NOPS};
	size_t at = 0;
	struct diag d = {""};
	EXPECT(interpreter_new_find(slice(code, sizeof(code)), &at));
	struct interpreter_new n = {code + at};
	static const uint8_t before[] = {BEGIN, TEST_BYTE, NOPS};
	EXPECT_INT(0, interpreter_new_ask(&n, true, &d));
	EXPECT_INT(0x83, code[at]);
	EXPECT_INT(0, interpreter_new_ask(&n, true, &d));
	EXPECT_INT(0, interpreter_new_ask(&n, false, &d));
	EXPECT(memcmp(before, code, sizeof(code)) == 0);
}

TEST(any_bytes)
{
	struct rng rng = rng_init(tap_seed());
	static const uint8_t some[] = {0xf6, 0xf7, 0xc2, 1, 0, 0x0f, 0x85, 4, 0x41, 0xb7};
	for (int round = 0; round < 20000; round++) {
		uint8_t code[40] = {BEGIN};
		for (size_t i = 5; i < sizeof(code); i++)
			code[i] = some[rng_u64(&rng) % sizeof(some)];
		size_t at = 0, len = rng_u64(&rng) % (sizeof(code) + 1);
		if (interpreter_new_find(slice(code, len), &at))
			EXPECT(at < len && code[at] == 0x85);
	}
}
