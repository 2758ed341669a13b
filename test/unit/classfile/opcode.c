#include "classfile/opcode.h"

#include <stddef.h>

#include "support/tap.h"

TEST(each_byte_has_its_own_row)
{
	EXPECT_STR("nop", opcode_of(0)->name);
	EXPECT_STR("aload_0", opcode_of(0x2a)->name);
	EXPECT_STR("dup2_x2", opcode_of(0x5e)->name);
	EXPECT_STR("new", opcode_of(0xbb)->name);
	EXPECT_STR("jsr_w", opcode_of(0xc9)->name);
	EXPECT(opcode_of(0xca) == NULL);
	EXPECT(opcode_of(0xff) == NULL);
	for (int byte = 0; byte < OPCODES; byte++)
		EXPECT(strchr(opcode_of((uint8_t)byte)->effect, '>') != NULL);
}

TEST(four_instructions_allocate)
{
	int count = 0;
	for (int byte = 0; byte < 256; byte++)
		count += opcode_allocates((uint8_t)byte);
	EXPECT_INT(4, count);
	EXPECT(opcode_allocates(0xbb) && opcode_allocates(0xbc));
	EXPECT(opcode_allocates(0xbd) && opcode_allocates(0xc5));
}

TEST(opposites_are_mutual)
{
	int count = 0;
	for (int byte = 0; byte < 256; byte++) {
		uint8_t other = opcode_inverse((uint8_t)byte);
		count += other != 0;
		EXPECT(!other || (other != byte && opcode_inverse(other) == byte));
	}
	EXPECT_INT(16, count);
	EXPECT_INT(OP_if_icmpge, opcode_inverse(OP_if_icmplt));
	EXPECT_INT(OP_ifle, opcode_inverse(OP_ifgt));
	EXPECT_INT(OP_ifnonnull, opcode_inverse(OP_ifnull));
	EXPECT_INT(0, opcode_inverse(OP_goto));
}
