#include "classfile/opcode.h"

#include <stddef.h>

static const struct opcode table[] = {
#define OPCODE(byte, name_, form_, act_, effect_, flow_)                                           \
	[byte] = {.name = #name_,                                                                  \
		.effect = (effect_),                                                               \
		.form = FORM_##form_,                                                              \
		.act = ACT_##act_,                                                                 \
		.flow = FLOW_##flow_},
#include "classfile/opcode.def"
#undef OPCODE
};

const struct opcode *opcode_of(uint8_t byte)
{
	return byte < OPCODES ? &table[byte] : NULL;
}

/* They stand in pairs, the first of them odd up to if_acmpne, and even from ifnull. */
uint8_t opcode_inverse(uint8_t byte)
{
	if (byte >= OP_ifeq && byte <= OP_if_acmpne)
		return (uint8_t)(((byte - OP_ifeq) ^ 1) + OP_ifeq);
	if (byte == OP_ifnull || byte == OP_ifnonnull)
		return (uint8_t)(OP_ifnull + OP_ifnonnull - byte);
	return 0;
}
