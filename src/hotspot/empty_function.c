#include "hotspot/empty_function.h"

#include "base/compiler.h"
#include "hotspot/endbr64.h"

enum { OPCODES_MAX = 8 };

/*
 * What it may consist of: instructions that change nothing but registers. Since JDK 25 it still
 * looks at the object's mark, where the kind of header asks for it, with nobody to tell it to.
 */
enum use {
	READ,   /* leaves something in a register, or in the flags */
	ZERO,   /* leaves 0 in %eax */
	FRAME,  /* nothing of either */
	BRANCH, /* on, or by its last byte */
	END,
};
static const struct {
	enum use use;
	uint8_t len, bytes[OPCODES_MAX], fixed[OPCODES_MAX]; /* bits that must be as in `bytes` */
} instructions[] = {
	{ZERO, 2, {0x31, 0xc0}, {0xff, 0xff}},                         /* xor %eax,%eax */
	{ZERO, 5, {0xb8, 0, 0, 0, 0}, {0xff, 0xff, 0xff, 0xff, 0xff}}, /* mov $0,%eax */
	{FRAME, 1, {0x55}, {0xff}},                                    /* push %rbp */
	{FRAME, 3, {0x48, 0x89, 0xe5}, {0xff, 0xff, 0xff}},            /* mov %rsp,%rbp */
	{FRAME, 1, {0x5d}, {0xff}},                                    /* pop %rbp */
	{READ, 7, {0x48, 0x8d, 0x05}, {0xff, 0xff, 0xc7}},             /* lea n(%rip),reg */
	{READ, 6, {0x8b, 0x05}, {0xff, 0xc7}},                         /* mov n(%rip),reg */
	{READ, 7, {0x48, 0x8b, 0x05}, {0xff, 0xff, 0xc7}},
	{READ, 2, {0x8b, 0x00}, {0xff, 0xc4}}, /* mov (reg),reg: of %rax to %rbx */
	{READ, 3, {0x48, 0x8b, 0x00}, {0xff, 0xff, 0xc4}},
	{READ, 2, {0x8b, 0x06}, {0xff, 0xc6}}, /* of %rsi and %rdi */
	{READ, 3, {0x48, 0x8b, 0x06}, {0xff, 0xff, 0xc6}},
	{READ, 2, {0x85, 0xc0}, {0xff, 0xc0}}, /* test reg,reg */
	{READ, 7, {0x83, 0x3d}, {0xff, 0xff}}, /* cmpl $n,n(%rip) */
	{BRANCH, 2, {0x74}, {0xfe}},           /* je, jne */
	{END, 1, {0xc3}, {0xff}},              /* ret */
};

static struct slice skip(struct slice code, size_t count)
{
	return count < code.len ? slice(code.at + count, code.len - count) : slice(NULL, 0);
}

static bool matches(struct slice code, size_t row)
{
	if (code.len < instructions[row].len)
		return false;
	for (size_t i = 0; i < instructions[row].len; i++)
		if ((code.at[i] ^ instructions[row].bytes[i]) & instructions[row].fixed[i])
			return false;
	return true;
}

static size_t find_instruction(struct slice code)
{
	size_t row = 0;
	while (row < ARRAY_SIZE(instructions) && !matches(code, row))
		row++;
	return row;
}

/* Where 0 was made, from 1; 0: not yet, or it is another value again. And where branches lead. */
struct way {
	size_t zero, target;
};

static bool go_on(struct way *w, struct slice code, size_t at, size_t row)
{
	size_t next = at + instructions[row].len, by = code.at[next - 1];
	enum use use = instructions[row].use;
	if (use == ZERO || use == READ)
		w->zero = use == ZERO ? at + 1 : 0;
	if (use == BRANCH && next + by > w->target)
		w->target = next + by;
	return use != BRANCH || by < 0x80;
}

/* To its end, which is the only one, with 0 whichever way is taken: branches lead forwards, and to
 * where it is made at the latest. */
static bool is_body(struct slice code)
{
	struct way w = {0};
	for (size_t at = 0, row; at < code.len; at += instructions[row].len) {
		row = find_instruction(skip(code, at));
		if (row == ARRAY_SIZE(instructions) || !go_on(&w, code, at, row))
			return false;
		if (instructions[row].use == END)
			return at + 1 == code.len && w.zero > w.target;
	}
	return false;
}

/* Of a `nop` with an operand, by the byte that says which: it may have one more and a displacement.
 * 0: it is another instruction. */
static size_t operand_len(uint8_t modrm)
{
	static const uint8_t displacements[] = {0, 1, 4};
	if (modrm >> 6 > 2 || modrm & 0x38)
		return 0;
	return (modrm & 7) == 4 ? 2U + displacements[modrm >> 6] : 1U + displacements[modrm >> 6];
}

/* Of the filling that the code begins with; 0: it is none. */
static size_t filling_len(struct slice code)
{
	size_t at = 0;
	while (at < code.len && (code.at[at] == 0x66 || code.at[at] == 0x2e))
		at++;
	if (at == code.len)
		return at; /* prefixes to the end of what is asked for */
	if (code.at[at] == 0x90 || (at == 0 && code.at[at] == 0xcc))
		return at + 1;
	if (code.at[at] != 0x0f || (at + 1 < code.len && code.at[at + 1] != 0x1f))
		return 0;
	size_t operand = at + 2 < code.len ? operand_len(code.at[at + 2]) : 1;
	return operand ? at + 2 + operand : 0;
}

bool empty_function_is(struct slice code, size_t size)
{
	size_t mark = endbr64_len(code);
	if (size > code.len || size < mark || !is_body(slice(code.at + mark, size - mark)))
		return false;
	size_t len = 1;
	for (code = skip(code, size); code.len && len; code = skip(code, len))
		len = filling_len(code);
	return len > 0;
}
