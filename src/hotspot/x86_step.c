#include "hotspot/x86_step.h"

#include "base/compiler.h"
#include "base/cursor.h"

enum { NO_REGISTER = -1, INSTRUCTION_MAX = 15, TWO_BYTES = 0x0f };

/* What an instruction is followed by and what it changes. */
enum form {
	PLAIN,    /* nothing */
	OPCODE,   /* no operand byte; changes the register of the opcode's last three bits */
	READ,     /* operand byte; changes no general register */
	TO_RM,    /* operand byte; changes its register or memory operand */
	TO_REG,   /* operand byte; changes its register operand */
	TO_BOTH,  /* operand byte */
	TO_PAIR,  /* operand byte; changes rax and rdx */
	TO_RAX,   /* no operand byte */
	TO_RDX,   /* no operand byte */
	TO_RBP,   /* no operand byte */
	JUMP,     /* a distance */
	BRANCH,   /* a distance */
	CALL,     /* a distance */
	CALL_RM,  /* operand byte */
	STOP,     /* nothing; it ends here */
	BY_DIGIT, /* operand byte; what it is, its register digit says */
};
/* Bytes behind the operand: 1, 4 (2 with 16 bits), or as wide as the instruction. */
enum { IMMEDIATE_Z = 4, IMMEDIATE_V = 8 };

struct row {
	uint8_t first, last, form, immediate;
};

static const struct row one_byte[] = {
	{0x50, 0x57, PLAIN, 0},
	{0x58, 0x5f, OPCODE, 0},
	{0x63, 0x63, TO_REG, 0},
	{0x68, 0x68, PLAIN, IMMEDIATE_Z},
	{0x69, 0x69, TO_REG, IMMEDIATE_Z},
	{0x6a, 0x6a, PLAIN, 1},
	{0x6b, 0x6b, TO_REG, 1},
	{0x70, 0x7f, BRANCH, 1},
	{0x80, 0x80, BY_DIGIT, 1},
	{0x81, 0x81, BY_DIGIT, IMMEDIATE_Z},
	{0x83, 0x83, BY_DIGIT, 1},
	{0x84, 0x85, READ, 0},
	{0x86, 0x87, TO_BOTH, 0},
	{0x88, 0x89, TO_RM, 0},
	{0x8a, 0x8b, TO_REG, 0},
	{0x8d, 0x8d, TO_REG, 0},
	{0x90, 0x90, PLAIN, 0},
	{0x98, 0x98, TO_RAX, 0},
	{0x99, 0x99, TO_RDX, 0},
	{0xa8, 0xa8, PLAIN, 1},
	{0xa9, 0xa9, PLAIN, IMMEDIATE_Z},
	{0xb0, 0xb7, OPCODE, 1},
	{0xb8, 0xbf, OPCODE, IMMEDIATE_V},
	{0xc0, 0xc1, TO_RM, 1},
	{0xc3, 0xc3, STOP, 0},
	{0xc6, 0xc6, TO_RM, 1},
	{0xc7, 0xc7, TO_RM, IMMEDIATE_Z},
	{0xc9, 0xc9, TO_RBP, 0},
	{0xcc, 0xcc, STOP, 0},
	{0xd0, 0xd3, TO_RM, 0},
	{0xe8, 0xe8, CALL, 4},
	{0xe9, 0xe9, JUMP, 4},
	{0xeb, 0xeb, JUMP, 1},
	{0xf6, 0xf7, BY_DIGIT, 0},
	{0xfe, 0xff, BY_DIGIT, 0},
};

/* Behind 0x0f. Of the vector instructions those that compilers move data with. */
static const struct row two_bytes[] = {
	{0x0b, 0x0b, STOP, 0},
	{0x10, 0x17, READ, 0},
	{0x1e, 0x1f, READ, 0},
	{0x28, 0x2b, READ, 0},
	{0x2e, 0x2f, READ, 0},
	{0x40, 0x4f, TO_REG, 0},
	{0x54, 0x59, READ, 0},
	{0x5c, 0x5f, READ, 0},
	{0x6c, 0x6f, READ, 0},
	{0x7e, 0x7e, TO_RM, 0},
	{0x7f, 0x7f, READ, 0},
	{0x80, 0x8f, BRANCH, 4},
	{0x90, 0x9f, TO_RM, 0},
	{0xa3, 0xa3, READ, 0},
	{0xaf, 0xaf, TO_REG, 0},
	{0xb6, 0xb7, TO_REG, 0},
	{0xba, 0xba, TO_RM, 1},
	{0xbc, 0xbf, TO_REG, 0},
	{0xd6, 0xd6, READ, 0},
	{0xef, 0xef, READ, 0},
};

/* Those whose register digit tells what they are; the others of these opcodes are not known. */
static const struct digit_row {
	uint8_t first, last; /* opcodes */
	uint8_t digits;      /* bits */
	uint8_t form, immediate;
} digit_rows[] = {
	{0x80, 0x83, 0x7f, TO_RM, 0},          /* add … xor */
	{0x80, 0x83, 0x80, READ, 0},           /* cmp */
	{0xf6, 0xf6, 0x03, READ, 1},           /* test */
	{0xf7, 0xf7, 0x03, READ, IMMEDIATE_Z}, /* test */
	{0xf6, 0xf7, 0x0c, TO_RM, 0},          /* not, neg */
	{0xf6, 0xf7, 0xf0, TO_PAIR, 0},        /* mul … idiv */
	{0xfe, 0xff, 0x03, TO_RM, 0},          /* inc, dec */
	{0xff, 0xff, 0x04, CALL_RM, 0},        /* call */
	{0xff, 0xff, 0x40, READ, 0},           /* push */
};

/* Registers are 0 to 15, or NO_REGISTER. */
struct operands {
	int reg, rm;     /* rm: the register, or the memory's base */
	uint8_t digit;   /* of the opcode, where reg is none */
	bool is_memory;  /* rm is */
	bool is_indexed; /* the address has more than base and displacement */
	int32_t displacement;
};

struct decoder {
	struct cursor c;
	bool short_size, segment; /* 16 bits; not in the flat memory */
	uint8_t rex, opcode;
	bool is_two;
	struct row row;
	struct operands o;
	int64_t immediate;
};

static void read_prefixes(struct decoder *d)
{
	static const uint8_t plain[] = {0x2e, 0x3e, 0xf0, 0xf2, 0xf3, 0x36, 0x26};
	uint8_t b = cursor_u8(&d->c);
	for (; !d->c.err; b = cursor_u8(&d->c)) {
		bool is_segment = b == 0x64 || b == 0x65;
		d->short_size = d->short_size || b == 0x66;
		d->segment = d->segment || is_segment;
		if (b != 0x66 && !is_segment && !memchr(plain, b, sizeof(plain)))
			break;
	}
	if ((b & 0xf0) == 0x40) {
		d->rex = b;
		b = cursor_u8(&d->c);
	}
	d->is_two = b == TWO_BYTES;
	d->opcode = d->is_two ? cursor_u8(&d->c) : b;
}

/* add, or, …, cmp: all of the same six forms. */
static bool find_arithmetic(struct decoder *d)
{
	enum { COMPARE = 7, TO_RM_BEFORE = 2, TO_REG_BEFORE = 4, FORMS = 6 };
	static const uint8_t forms[FORMS] = {TO_RM, TO_RM, TO_REG, TO_REG, TO_RAX, TO_RAX};
	unsigned form = d->opcode & 7;
	bool compares = d->opcode >> 3 == COMPARE;
	if (d->is_two || d->opcode >= 0x40 || form >= FORMS)
		return false;
	d->row.form = !compares ? forms[form] : form < TO_REG_BEFORE ? READ : PLAIN;
	d->row.immediate = form < TO_REG_BEFORE ? 0 : form == TO_REG_BEFORE ? 1 : IMMEDIATE_Z;
	return true;
}

static bool find_row(struct decoder *d)
{
	const struct row *rows = d->is_two ? two_bytes : one_byte;
	size_t count = d->is_two ? ARRAY_SIZE(two_bytes) : ARRAY_SIZE(one_byte);
	for (size_t i = 0; i < count; i++)
		if (d->opcode >= rows[i].first && d->opcode <= rows[i].last) {
			d->row = rows[i];
			return true;
		}
	return find_arithmetic(d);
}

static bool has_operands(uint8_t form)
{
	return form == READ || form == TO_RM || form == TO_REG || form == TO_BOTH ||
	       form == BY_DIGIT;
}

/* The base and whether there is an index. */
static void read_sib(struct decoder *d, uint8_t mod)
{
	enum { NO_INDEX = 4, NO_BASE = 5 };
	uint8_t sib = cursor_u8(&d->c);
	d->o.is_indexed = ((sib >> 3 & 7) | (d->rex & 2 ? 8 : 0)) != NO_INDEX;
	d->o.rm = (sib & 7) | (d->rex & 1 ? 8 : 0);
	if ((sib & 7) == NO_BASE && mod == 0) {
		d->o.rm = NO_REGISTER;
		d->o.displacement = (int32_t)cursor_le32(&d->c);
	}
}

static int32_t signed_byte(uint8_t byte)
{
	return byte < 0x80 ? byte : byte - 0x100;
}

static void read_operands(struct decoder *d)
{
	enum { DIRECT = 3, WITH_SIB = 4, RELATIVE = 5 };
	uint8_t modrm = cursor_u8(&d->c), mod = modrm >> 6;
	d->o.digit = modrm >> 3 & 7;
	d->o.reg = d->o.digit | (d->rex & 4 ? 8 : 0);
	d->o.rm = (modrm & 7) | (d->rex & 1 ? 8 : 0);
	d->o.is_memory = mod != DIRECT;
	if (!d->o.is_memory)
		return;
	if ((modrm & 7) == WITH_SIB)
		read_sib(d, mod);
	else if ((modrm & 7) == RELATIVE && mod == 0) {
		d->o.rm = NO_REGISTER;
		d->o.displacement = (int32_t)cursor_le32(&d->c);
	}
	if (mod == 1)
		d->o.displacement = signed_byte(cursor_u8(&d->c));
	if (mod == 2)
		d->o.displacement = (int32_t)cursor_le32(&d->c);
}

static bool resolve_digit(struct decoder *d)
{
	for (size_t i = 0; i < ARRAY_SIZE(digit_rows); i++) {
		const struct digit_row *r = &digit_rows[i];
		if (d->opcode < r->first || d->opcode > r->last || !(r->digits >> d->o.digit & 1))
			continue;
		d->row.form = r->form;
		d->row.immediate = r->immediate ? r->immediate : d->row.immediate;
		return true;
	}
	return false;
}

static void read_immediate(struct decoder *d)
{
	uint8_t n = d->row.immediate;
	bool flows = d->row.form == JUMP || d->row.form == BRANCH || d->row.form == CALL;
	if (n == IMMEDIATE_V && d->rex & 8)
		d->immediate = (int64_t)cursor_le64(&d->c);
	else if (n == 1)
		d->immediate = signed_byte(cursor_u8(&d->c));
	else if (n && d->short_size && !flows)
		d->immediate = (int16_t)cursor_le16(&d->c);
	else if (n)
		d->immediate = (int32_t)cursor_le32(&d->c);
}

static unsigned bit(int reg)
{
	return reg == NO_REGISTER ? 0 : 1U << reg;
}

/* A byte's register may be the second byte of one of the first four (ah). */
static unsigned changed(const struct decoder *d, int reg)
{
	return bit(reg) | (reg == NO_REGISTER || d->rex ? 0 : bit(reg & 3));
}

static unsigned changes_of(const struct decoder *d)
{
	const struct operands *o = &d->o;
	unsigned rm = o->is_memory ? 0 : changed(d, o->rm), reg = changed(d, o->reg);
	switch ((enum form)d->row.form) {
	case OPCODE:
		return changed(d, (d->opcode & 7) | (d->rex & 1 ? 8 : 0));
	case TO_RM:
		return rm;
	case TO_REG:
		return reg;
	case TO_BOTH:
		return rm | reg;
	case TO_PAIR:
		return bit(X86_RAX) | bit(X86_RDX);
	case TO_RAX:
		return bit(X86_RAX);
	case TO_RDX:
		return bit(X86_RDX);
	case TO_RBP:
		return bit(X86_RBP);
	case CALL:
	case CALL_RM: /* what a function need not keep */
		return 0x0fc7;
	case PLAIN:
	case READ:
	case JUMP:
	case BRANCH:
	case STOP:
	case BY_DIGIT:
		break;
	}
	return 0;
}

static enum x86_flow flow_of(uint8_t form)
{
	static const uint8_t flows[] = {[JUMP] = X86_JUMP,
		[BRANCH] = X86_BRANCH,
		[CALL] = X86_CALL,
		[CALL_RM] = X86_CALL,
		[STOP] = X86_END,
		[BY_DIGIT] = X86_NEXT};
	return (enum x86_flow)flows[form];
}

static void set(struct x86_step *s, enum x86_value value, int to, int from, int64_t number)
{
	s->value = value;
	s->to = to;
	s->from = from;
	s->number = (int32_t)number;
}

static void follow_move(const struct decoder *d, struct x86_step *s)
{
	const struct operands *o = &d->o;
	bool plain = o->is_memory && o->rm != NO_REGISTER && !o->is_indexed;
	if (d->opcode == 0x89 && !o->is_memory)
		set(s, X86_COPY, o->rm, o->reg, 0);
	if (d->opcode == 0x8b && !o->is_memory)
		set(s, X86_COPY, o->reg, o->rm, 0);
	if (d->opcode == 0x8b && plain && !d->segment)
		set(s, X86_LOAD, o->reg, o->rm, o->displacement);
	if (d->opcode == 0x8d && plain)
		set(s, X86_SUM, o->reg, o->rm, o->displacement);
}

static void follow_sum(const struct decoder *d, struct x86_step *s)
{
	enum { ADD = 0, SHL = 4, SHR = 5, SAR = 7 };
	const struct operands *o = &d->o;
	bool shifts = o->digit == SHL || o->digit == SHR || o->digit == SAR;
	if (d->opcode == 0x03)
		set(s, X86_ADD, o->reg, o->is_memory ? NO_REGISTER : o->rm, 0);
	if (o->is_memory)
		return;
	if (d->opcode == 0x01)
		set(s, X86_ADD, o->rm, o->reg, 0);
	if ((d->opcode == 0x81 || d->opcode == 0x83) && o->digit == ADD)
		set(s, X86_SUM, o->rm, o->rm, d->immediate);
	if (shifts && (d->opcode == 0xc1 || d->opcode == 0xd1 || d->opcode == 0xd3))
		set(s, X86_SHIFT, o->rm, o->rm,
			o->digit == SHL && d->opcode == 0xc1 ? d->immediate : 0);
}

/* What can be followed is of 32 or 64 bits. */
static void follow(const struct decoder *d, struct x86_step *s)
{
	if (d->is_two || d->short_size)
		return;
	follow_move(d, s);
	follow_sum(d, s);
	if (s->value != X86_NONE)
		s->changes = 0;
}

bool x86_step(struct slice code, struct x86_step *out)
{
	struct slice most = slice(code.at, code.len < INSTRUCTION_MAX ? code.len : INSTRUCTION_MAX);
	if (!most.len)
		return false;
	struct decoder d = {.c = cursor_init(most), .o = {.rm = NO_REGISTER, .reg = NO_REGISTER}};
	read_prefixes(&d);
	if (d.c.err || !find_row(&d))
		return false;
	if (has_operands(d.row.form))
		read_operands(&d);
	if (d.row.form == BY_DIGIT && !resolve_digit(&d))
		return false;
	read_immediate(&d);
	if (d.c.err)
		return false;
	*out = (struct x86_step){.len = (unsigned)(most.len - cursor_left(&d.c)),
		.flow = flow_of(d.row.form),
		.distance = (int32_t)d.immediate,
		.wide = d.rex & 8,
		.changes = (uint16_t)changes_of(&d)};
	follow(&d, out);
	return true;
}
