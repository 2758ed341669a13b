/* The instructions of the VM as a table: what follows the byte, what happens on the stack. */
#ifndef CLASSFILE_OPCODE_H
#define CLASSFILE_OPCODE_H

#include <stdbool.h>
#include <stdint.h>

enum {
#define OPCODE(byte, name, form, act, effect, flow) OP_##name = byte,
#include "classfile/opcode.def"
#undef OPCODE
	OPCODES
};

/* What follows the byte. */
enum opcode_form {
	FORM_NONE,
	FORM_BYTE,
	FORM_SHORT,
	FORM_LOCAL,   /* a local in one byte, two after wide */
	FORM_LOCAL_N, /* a local that the byte itself names */
	FORM_IINC,
	FORM_POOL1,
	FORM_POOL2,
	FORM_POOL2_1, /* and one byte more */
	FORM_POOL2_2,
	FORM_BRANCH2,
	FORM_BRANCH4,
	FORM_TABLE,
	FORM_LOOKUP,
	FORM_WIDE
};

enum opcode_act {
	ACT_PLAIN, /* just its effect */
	ACT_SHUFFLE,
	ACT_LOAD,
	ACT_STORE,
	ACT_LDC,
	ACT_FIELD,
	ACT_INVOKE,
	ACT_NEW,
	ACT_NEWARRAY,
	ACT_ANEWARRAY,
	ACT_MULTI,
	ACT_AALOAD,
	ACT_CAST,
	ACT_SUBROUTINE
};

/* Whether the next instruction can come after it. */
enum opcode_flow { FLOW_NEXT, FLOW_END };

struct opcode {
	const char *name, *effect;
	enum opcode_form form;
	enum opcode_act act;
	enum opcode_flow flow;
};

/* NULL for a byte that is no instruction. */
const struct opcode *opcode_of(uint8_t byte);

/* new, newarray, anewarray or multianewarray. */
static inline bool opcode_allocates(uint8_t byte)
{
	return (byte >= OP_new && byte <= OP_anewarray) || byte == OP_multianewarray;
}

/* The branch on the opposite condition; 0 for what is no branch on a condition. */
uint8_t opcode_inverse(uint8_t byte);

#endif
