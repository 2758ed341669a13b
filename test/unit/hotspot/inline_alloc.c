#include "hotspot/inline_alloc.h"

#include <stdlib.h>

#include "base/compiler.h"
#include "base/rng.h"
#include "support/tap.h"

#define BYTES(...) slice((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}))

enum { END = 0x118 };
static const struct inline_alloc alloc = {END};

/* cmp 0x118(%r15), %r13 */
#define COMPARE 0x4d, 0x3b, 0xaf, 0x18, 1, 0, 0
#define NOPS    0x90, 0x90, 0x90, 0x90, 0x90, 0x90

static void expect_slow(struct slice code, size_t at, size_t want)
{
	size_t slow = 99;
	EXPECT(inline_alloc_slow(&alloc, code, at, &slow));
	EXPECT_INT(want, slow);
}

static void expect_none(struct slice code, size_t at)
{
	size_t slow = 99;
	EXPECT(!inline_alloc_slow(&alloc, code, at, &slow));
	EXPECT_INT(99, slow);
}

TEST(the_slow_path_is_far)
{
	/* jae to 17: near and short, forth and back */
	struct slice code = BYTES(COMPARE, 0x0f, 0x83, 4, 0, 0, 0, NOPS);
	expect_slow(code, 13, 17); /* the fast path begins there */
	expect_slow(code, 19, 17);
	expect_none(code, 12);
	expect_slow(BYTES(COMPARE, 0x73, 3, NOPS), 10, 12);
	expect_slow(BYTES(0x90, 0x90, COMPARE, 0x73, 0xf5, NOPS), 12, 0);
	/* cmp 0x118(%r15), %rcx */
	expect_slow(BYTES(0x49, 0x3b, 0x8f, 0x18, 1, 0, 0, 0x73, 3, NOPS), 10, 12);
}

TEST(the_fast_path_is_far)
{
	/* jb to 13: what follows is slow */
	struct slice code = BYTES(COMPARE, 0x72, 4, NOPS);
	expect_slow(code, 13, 9);
	expect_none(code, 12);
	code = BYTES(COMPARE, 0x0f, 0x82, 4, 0, 0, 0, NOPS);
	expect_slow(code, 17, 13);
	expect_none(code, 16);
}

TEST(the_end_is_loaded_before)
{
	/* mov 0x118(%r15), %r11; nop; cmp %r11, %r9; jae 16 */
	expect_slow(BYTES(0x4d, 0x8b, 0x9f, 0x18, 1, 0, 0, 0x90, 0x4d, 0x3b, 0xcb, 0x73, 3, NOPS),
		15, 16);
	/* mov 0x118(%r15), %rsi; cmp %rsi, %r9; jae 15 */
	expect_slow(
		BYTES(0x49, 0x8b, 0xb7, 0x18, 1, 0, 0, 0x4c, 0x3b, 0xce, 0x73, 3, NOPS), 14, 15);
	/* with another register: %r14, %rbx, and memory */
	expect_none(BYTES(0x49, 0x8b, 0xb7, 0x18, 1, 0, 0, 0x4d, 0x3b, 0xce, 0x73, 3, NOPS), 14);
	expect_none(BYTES(0x49, 0x8b, 0xb7, 0x18, 1, 0, 0, 0x4c, 0x3b, 0xcb, 0x73, 3, NOPS), 14);
	expect_none(BYTES(0x49, 0x8b, 0xb7, 0x18, 1, 0, 0, 0x4c, 0x3b, 0x4e, 0x73, 3, NOPS), 14);
	/* of 32 bits */
	expect_none(BYTES(0x49, 0x8b, 0xb7, 0x18, 1, 0, 0, 0x44, 0x3b, 0xce, 0x73, 3, NOPS), 14);
}

TEST(the_nearest_of_several)
{
	struct slice code = BYTES(COMPARE, 0x73, 20, COMPARE, 0x73, 12, COMPARE, 0x73, 1, NOPS);
	expect_slow(code, 9, 29);
	expect_slow(code, 17, 29);
	expect_slow(code, 18, 30);
	expect_slow(code, 26, 30);
	expect_slow(code, 27, 28);
	expect_slow(code, 33, 28);
}

TEST(what_is_no_check)
{
	expect_none(BYTES(0x4d, 0x3b, 0xaf, 0x19, 1, 0, 0, 0x73, 3, NOPS), 10); /* another field */
	expect_none(BYTES(0x4d, 0x3b, 0xae, 0x18, 1, 0, 0, 0x73, 3, NOPS), 10); /* of %r14 */
	expect_none(BYTES(0x4c, 0x3b, 0xaf, 0x18, 1, 0, 0, 0x73, 3, NOPS), 10); /* of %rdi */
	expect_none(BYTES(0x45, 0x3b, 0xaf, 0x18, 1, 0, 0, 0x73, 3, NOPS), 10); /* 32 bits */
	expect_none(BYTES(COMPARE, 0x74, 3, NOPS), 10);                         /* je */
	expect_none(BYTES(COMPARE, 0x0f, 0x84, 4, 0, 0, 0, NOPS), 14);
	expect_none(BYTES(COMPARE, 0x73, 6, NOPS), 10); /* out of the code */
	expect_none(BYTES(COMPARE, 0x73, 0x80, NOPS), 10);
	expect_none(BYTES(COMPARE, 0x0f, 0x83, 0xff, 0xff, 0xff, 0x7f, NOPS), 14);
	expect_none(BYTES(COMPARE, 0x0f, 0x83, 0, 0, 0, 0x80, NOPS), 14);
	/* cut */
	expect_none(BYTES(COMPARE), 7);
	expect_none(BYTES(COMPARE, 0x73), 8);
	expect_none(BYTES(COMPARE, 0x0f, 0x83, 4, 0, 0), 12);
	expect_none(BYTES(0x4d, 0x3b, 0xaf, 0x18, 1, 0), 6);
	expect_none(slice(NULL, 0), 0);
}

TEST(a_check_that_is_too_far)
{
	static uint8_t code[700] = {COMPARE, 0x73, 1};
	struct slice all = slice(code, sizeof(code));
	expect_slow(all, 9 + 511, 10);
	expect_none(all, 9 + 512);
	static uint8_t load[700] = {0x49, 0x8b, 0xb7, 0x18, 1, 0, 0};
	static const uint8_t compare[] = {0x4c, 0x3b, 0xce, 0x73, 3};
	memcpy(load + 95, compare, sizeof(compare));
	expect_slow(slice(load, sizeof(load)), 120, 103);
	memset(load + 95, 0, sizeof(compare));
	memcpy(load + 96, compare, sizeof(compare));
	expect_none(slice(load, sizeof(load)), 120);
}

TEST(calls)
{
	int32_t distance = 99;
	struct slice code = BYTES(0xe8, 0x10, 0, 0, 0, 0xe8, 0xf0, 0xff, 0xff, 0xff);
	EXPECT(inline_alloc_call(code, 5, &distance));
	EXPECT_INT(16, distance);
	EXPECT(inline_alloc_call(code, 10, &distance));
	EXPECT_INT(-16, distance);
	distance = 99;
	EXPECT(!inline_alloc_call(code, 4, &distance));
	EXPECT(!inline_alloc_call(code, 6, &distance));
	EXPECT(!inline_alloc_call(code, 11, &distance));
	EXPECT(!inline_alloc_call(code, SIZE_MAX, &distance));
	EXPECT(!inline_alloc_call(slice(NULL, 0), 0, &distance));
	EXPECT_INT(99, distance);
}

TEST(stubs)
{
	static const char *const good[] = {"_new_instance_Java", "_new_array_Java",
		"_new_array_nozero_Java", "_multianewarray2_Java", "C2 Runtime new_instance",
		"C2 Runtime new_array_nozero", "C2 Runtime multianewarrayN",
		"new_instance_blob (C2 runtime)", "multianewarray2_blob (C2 runtime)"};
	static const char *const bad[] = {"", "_", "new_instance Runtime1 stub",
		"C1 Runtime new_instance_blob", "C2 Runtime monitor_notify", "_complete_monitor",
		"C2 Runtime ", "nmethod", "_new_inst", "new_instance_blob (C1 runtime)",
		"monitor_notify_blob (C2 runtime)", " (C2 runtime)", "new_instance"};
	for (size_t i = 0; i < ARRAY_SIZE(good); i++)
		EXPECT(inline_alloc_stub(good[i]));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++)
		EXPECT(!inline_alloc_stub(bad[i]));
}

/* Nothing outside of the code is read: a block of just its size, for the sanitizer. */
TEST(any_bytes)
{
	struct rng r = rng_init(tap_seed());
	static const uint8_t likely[] = {
		0x49, 0x4d, 0x3b, 0x8b, 0xaf, 0x18, 1, 0, 0x73, 0x0f, 0x83};
	for (int round = 0; round < 20000; round++) {
		size_t len = rng_below(&r, 40), slow = 0;
		uint8_t *at = malloc(len + 1);
		for (size_t i = 0; i < len; i++)
			at[i] = likely[rng_below(&r, sizeof(likely))];
		int32_t distance;
		struct slice code = slice(at, len);
		if (len >= 9 && round % 2)
			memcpy(at, (const uint8_t[]){COMPARE, 0x73}, 8);
		if (inline_alloc_slow(&alloc, code, rng_below(&r, 60), &slow))
			EXPECT(slow < len);
		(void)inline_alloc_call(code, rng_below(&r, 60), &distance);
		free(at);
	}
}
