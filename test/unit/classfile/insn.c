#include "classfile/insn.h"

#include <stdlib.h>

#include "base/error.h"
#include "support/tap.h"

static struct insn decode(const uint8_t *code, size_t len, uint32_t pc, int want)
{
	struct insn i;
	EXPECT_INT(want, insn_decode(slice(code, len), pc, &i));
	return i;
}

TEST(lengths_and_operands)
{
	static const struct {
		uint8_t code[8];
		uint32_t len, index;
	} rows[] = {{{OP_iload_3}, 1, 3}, {{OP_lstore_2}, 1, 2}, {{OP_aload, 200}, 2, 200},
		{{OP_wide, OP_aload, 1, 2}, 4, 0x102}, {{OP_wide, OP_iinc, 1, 2, 3, 4}, 6, 0x102},
		{{OP_iinc, 7, 1}, 3, 7}, {{OP_bipush, 9}, 2, 0}, {{OP_sipush, 9, 9}, 3, 0},
		{{OP_ldc, 5}, 2, 5}, {{OP_new, 1, 5}, 3, 0x105},
		{{OP_invokeinterface, 1, 5, 1, 0}, 5, 0x105},
		{{OP_multianewarray, 1, 5, 2}, 4, 0x105}, {{OP_newarray, 10}, 2, 0},
		{{OP_goto_w, 0, 0, 0, 5}, 5, 0}};
	for (size_t n = 0; n < ARRAY_SIZE(rows); n++) {
		struct insn i = decode(rows[n].code, sizeof(rows[n].code), 0, 0);
		EXPECT_INT(rows[n].len, i.len);
		EXPECT_INT(rows[n].index, i.index);
	}
}

TEST(wide_takes_few)
{
	static const uint8_t load[] = {OP_wide, OP_iload_0, 0, 0, 0, 0},
			     none[] = {OP_wide, 0xfe, 0, 0};
	decode(load, sizeof(load), 0, ERR_FORMAT);
	decode(none, sizeof(none), 0, ERR_FORMAT);
	EXPECT_INT(OP_ret, decode((const uint8_t[]){OP_wide, OP_ret, 0, 1}, 4, 0, 0).op);
}

TEST(switches_are_padded)
{
	static const uint8_t table[] = {0, OP_tableswitch, 0, 0, 0, 0, 0, 100, 0, 0, 0, 5, 0, 0, 0,
		6, 0, 0, 0, 7, 0xff, 0xff, 0xff, 0xff};
	struct insn i = decode(table, sizeof(table), 1, 0);
	EXPECT_INT(23, i.len);
	EXPECT_INT(3, i.targets);
	EXPECT_INT(101, insn_target(&i, slice(table, sizeof(table)), 0));
	EXPECT_INT(8, insn_target(&i, slice(table, sizeof(table)), 1));
	EXPECT_INT(0, insn_target(&i, slice(table, sizeof(table)), 2));
	static const uint8_t lookup[] = {
		OP_lookupswitch, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 77, 0, 0, 0, 3};
	i = decode(lookup, sizeof(lookup), 0, 0);
	EXPECT_INT(20, i.len);
	EXPECT_INT(2, i.targets);
	EXPECT_INT(3, insn_target(&i, slice(lookup, sizeof(lookup)), 1));
}

TEST(switches_that_lie)
{
	static const uint8_t downwards[] = {
		OP_tableswitch, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 4};
	decode(downwards, sizeof(downwards), 0, ERR_FORMAT);
	static const uint8_t vast[] = {
		OP_tableswitch, 0, 0, 0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0x7f, 0xff, 0xff, 0xff};
	decode(vast, sizeof(vast), 0, ERR_FORMAT);
	static const uint8_t pairs[] = {
		OP_lookupswitch, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff};
	decode(pairs, sizeof(pairs), 0, ERR_FORMAT);
	static const uint8_t few[] = {OP_lookupswitch, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0};
	decode(few, sizeof(few), 0, ERR_TRUNCATED);
}

TEST(branches_lead_both_ways)
{
	static const uint8_t code[] = {0, OP_goto, 0xff, 0xff, OP_ifeq, 0x7f, 0xff};
	struct insn i = decode(code, sizeof(code), 1, 0);
	EXPECT_INT(0, insn_target(&i, slice(code, sizeof(code)), 0));
	i = decode(code, sizeof(code), 4, 0);
	EXPECT_INT(4 + 32767, insn_target(&i, slice(code, sizeof(code)), 0));
}

/* Each cut is in memory of its own, so that a sanitizer sees a step over its end. */
TEST(cut_code_is_truncated)
{
	for (int byte = 0; byte < 256; byte++) {
		uint8_t *one = malloc(1);
		struct insn i;
		*one = (uint8_t)byte;
		int err = insn_decode(slice(one, 1), 0, &i);
		if (!opcode_of(*one))
			EXPECT_INT(ERR_FORMAT, err);
		else
			EXPECT_INT(opcode_of(*one)->form == FORM_NONE ||
						   opcode_of(*one)->form == FORM_LOCAL_N
					   ? 0
					   : ERR_TRUNCATED,
				err);
		free(one);
	}
	decode((const uint8_t[]){0}, 1, 1, ERR_TRUNCATED);
}
