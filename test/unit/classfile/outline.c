#include "classfile/outline.h"

#include <string.h>

#include "base/compiler.h"
#include "classfile/insn.h"
#include "support/tap.h"

static const uint8_t plain[] = {
	OP_iconst_1, OP_newarray, 8, OP_dup, OP_invokestatic, 0, 7, OP_pop, OP_return};

static uint64_t with(size_t at, uint8_t byte)
{
	uint8_t copy[sizeof(plain)];
	memcpy(copy, plain, sizeof(plain));
	copy[at] = byte;
	return code_outline(slice(copy, sizeof(copy)));
}

TEST(constants_do_not_count_instructions_do)
{
	uint64_t whole = code_outline(slice(plain, sizeof(plain)));
	EXPECT(whole != 0);
	EXPECT(with(5, 1) == whole && with(6, 9) == whole && with(2, 9) == whole);
	EXPECT(with(0, OP_iconst_2) != whole && with(7, OP_nop) != whole);
	EXPECT(code_outline(slice(plain, sizeof(plain) - 1)) != whole);
}

/* The same instructions, the call behind the other of two arrays: as long, and another outline. */
TEST(where_they_stand_counts)
{
	static const uint8_t first[] = {OP_iconst_1, OP_newarray, 8, OP_dup, OP_invokestatic, 0, 7,
		OP_pop, OP_iconst_1, OP_newarray, 8, OP_pop, OP_return},
			     second[] = {OP_iconst_1, OP_newarray, 8, OP_pop, OP_iconst_1,
				     OP_newarray, 8, OP_dup, OP_invokestatic, 0, 7, OP_pop,
				     OP_return};
	EXPECT_INT(sizeof(first), sizeof(second));
	EXPECT(code_outline(slice(first, sizeof(first))) !=
		code_outline(slice(second, sizeof(second))));
}

TEST(what_is_no_code_has_none)
{
	EXPECT(code_outline(slice(plain, 2)) == 0);
	EXPECT(with(8, 0xfe) == 0);
}
