/* One instruction as it lies in the code of a method. */
#ifndef CLASSFILE_INSN_H
#define CLASSFILE_INSN_H

#include "base/slice.h"
#include "classfile/opcode.h"

enum { CODE_MAX = 65535 }; /* bytes that the code of a method may have */

struct insn {
	const struct opcode *kind;
	uint32_t pc, len; /* bytes; for wide, with what is widened */
	uint16_t index;   /* the local, or the constant */
	uint8_t op;       /* for wide, the one that is widened */
	uint32_t targets; /* places that it may branch to: 1, or the cases and the default */
	uint32_t cases;   /* where the fields of a switch begin, from pc */
};

/*
 * The instruction at pc. 0; ERR_FORMAT: no instruction; ERR_TRUNCATED: the code ends inside it.
 * Where targets lead is not looked at.
 */
int insn_decode(struct slice code, uint32_t pc, struct insn *out);

/* Where the offset of a target is, in bytes from pc; n < targets, the default of a switch is 0. */
uint32_t insn_target_at(const struct insn *i, uint32_t n);

/* The place that target n leads to; may be outside of the code. */
int64_t insn_target(const struct insn *i, struct slice code, uint32_t n);

static inline bool insn_is_switch(const struct insn *i)
{
	return i->kind->form == FORM_TABLE || i->kind->form == FORM_LOOKUP;
}

/* Big-endian numbers of code whose bounds were checked when it was decoded. */
static inline uint16_t code_u16(const uint8_t *at)
{
	return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t code_u32(const uint8_t *at)
{
	return (uint32_t)code_u16(at) << 16 | code_u16(at + 2);
}

#endif
