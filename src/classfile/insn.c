#include "classfile/insn.h"

#include "base/cursor.h"
#include "base/error.h"

enum { WORD = 4 };

/* The default, the least and the most, then an offset for each between. */
static void decode_table(struct insn *i, struct cursor *c)
{
	cursor_be32(c);
	int64_t low = (int32_t)cursor_be32(c), high = (int32_t)cursor_be32(c);
	if (!c->err && (low > high || high - low >= CODE_MAX))
		c->err = ERR_FORMAT;
	i->targets = c->err ? 0 : (uint32_t)(high - low + 1) + 1;
	cursor_bytes(c, (size_t)(i->targets ? i->targets - 1 : 0) * WORD);
}

/* The default, the number of pairs, and the pairs. */
static void decode_lookup(struct insn *i, struct cursor *c)
{
	cursor_be32(c);
	uint32_t pairs = cursor_be32(c);
	if (!c->err && pairs > CODE_MAX)
		c->err = ERR_FORMAT;
	i->targets = c->err ? 0 : pairs + 1;
	cursor_bytes(c, (size_t)(i->targets ? pairs : 0) * 2 * WORD);
}

static void decode_switch(struct insn *i, struct cursor *c)
{
	i->cases = 1 + (WORD - 1 - i->pc % WORD);
	cursor_bytes(c, i->cases - 1);
	if (i->kind->form == FORM_TABLE)
		decode_table(i, c);
	else
		decode_lookup(i, c);
}

/* Only loads, stores, ret and iinc can be widened. */
static void decode_wide(struct insn *i, struct cursor *c)
{
	i->op = cursor_u8(c);
	i->kind = opcode_of(i->op);
	i->index = cursor_be16(c);
	if (c->err)
		return;
	if (i->kind && i->kind->form == FORM_IINC)
		cursor_be16(c);
	else if (!i->kind || i->kind->form != FORM_LOCAL)
		c->err = ERR_FORMAT;
}

static void decode_pool(struct insn *i, struct cursor *c)
{
	static const uint8_t more[] = {[FORM_POOL2_1] = 1, [FORM_POOL2_2] = 2};
	i->index = cursor_be16(c);
	cursor_bytes(c, i->kind->form <= FORM_POOL2 ? 0 : more[i->kind->form]);
}

static void decode_local(struct insn *i, struct cursor *c)
{
	i->index = cursor_u8(c);
	cursor_bytes(c, i->kind->form == FORM_IINC);
}

/* iload_0 is 26, lload_0 30, istore_0 59, lstore_0 63, and so on. */
static void decode_local_n(struct insn *i)
{
	i->index = (uint16_t)((i->op - (i->op < OP_istore_0 ? OP_iload_0 : OP_istore_0)) % 4);
}

static void decode_operands(struct insn *i, struct cursor *c)
{
	switch (i->kind->form) {
	case FORM_NONE:
		break;
	case FORM_LOCAL_N:
		decode_local_n(i);
		break;
	case FORM_BYTE:
	case FORM_SHORT:
		cursor_bytes(c, i->kind->form == FORM_BYTE ? 1 : 2);
		break;
	case FORM_POOL1:
	case FORM_LOCAL:
	case FORM_IINC:
		decode_local(i, c);
		break;
	case FORM_POOL2:
	case FORM_POOL2_1:
	case FORM_POOL2_2:
		decode_pool(i, c);
		break;
	case FORM_BRANCH2:
	case FORM_BRANCH4:
		i->targets = 1;
		cursor_bytes(c, i->kind->form == FORM_BRANCH2 ? 2 : WORD);
		break;
	case FORM_TABLE:
	case FORM_LOOKUP:
		decode_switch(i, c);
		break;
	case FORM_WIDE:
		decode_wide(i, c);
		break;
	}
}

int insn_decode(struct slice code, uint32_t pc, struct insn *out)
{
	*out = (struct insn){.pc = pc};
	if (pc >= code.len)
		return ERR_TRUNCATED;
	struct cursor c = cursor_init(slice(code.at + pc, code.len - pc));
	out->op = cursor_u8(&c);
	out->kind = opcode_of(out->op);
	if (!out->kind)
		return ERR_FORMAT;
	decode_operands(out, &c);
	out->len = (uint32_t)(c.at - (code.at + pc));
	return c.err;
}

uint32_t insn_target_at(const struct insn *i, uint32_t n)
{
	if (!insn_is_switch(i))
		return 1;
	if (n == 0)
		return i->cases;
	if (i->kind->form == FORM_TABLE)
		return i->cases + (2 + n) * WORD;
	return i->cases + (1 + 2 * n) * WORD;
}

int64_t insn_target(const struct insn *i, struct slice code, uint32_t n)
{
	const uint8_t *at = code.at + i->pc + insn_target_at(i, n);
	if (i->kind->form == FORM_BRANCH2)
		return (int64_t)i->pc + (int16_t)code_u16(at);
	return (int64_t)i->pc + (int32_t)code_u32(at);
}
