#include "classfile/layout.h"

#include "base/error.h"

enum {
	GOTO_W_LEN = 5,
	BRANCH_LEN = 3,
	TURNED_LEN = BRANCH_LEN + GOTO_W_LEN /* the opposite branch, over a goto_w */
};

int insertions_add(struct insertions *n, uint32_t after, uint32_t before, struct slice bytes)
{
	struct insertion new = {
		.after = after, .before = before, .at = n->bytes.len, .len = bytes.len};
	if (vec_reserve(&n->all, 1) || buf_reserve(&n->bytes, bytes.len))
		return ERR_NOMEM;
	buf_put(&n->bytes, bytes.at, bytes.len);
	size_t i = n->all.count++;
	for (; i > 0 && n->all.at[i - 1].before > before; i--)
		n->all.at[i] = n->all.at[i - 1];
	n->all.at[i] = new;
	return ERR_NONE;
}

void insertions_release(struct insertions *n)
{
	vec_release(&n->all);
	buf_release(&n->bytes);
}

static uint32_t switch_len(const struct insn *i, uint32_t at)
{
	return i->len - i->cases + 1 + (3 - at % 4);
}

static uint32_t new_len(const struct layout *l, const struct insn *i, uint32_t at)
{
	if (insn_is_switch(i))
		return switch_len(i, at);
	if (!l->wide[i->pc])
		return i->len;
	return opcode_inverse(i->op) ? TURNED_LEN : GOTO_W_LEN;
}

static void place(struct layout *l, struct slice code, const struct insertions *n)
{
	struct insn i;
	uint32_t at = 0;
	size_t next = 0;
	for (uint32_t pc = 0; pc < code.len; pc += i.len) {
		insn_decode(code, pc, &i);
		for (; next < n->all.count && n->all.at[next].before <= pc; next++)
			at += (uint32_t)n->all.at[next].len;
		uint32_t len = new_len(l, &i, at);
		for (uint32_t k = 0; k < i.len; k++)
			l->at[pc + k] = at + (k < len ? k : len - 1);
		at += len;
	}
	for (; next < n->all.count; next++)
		at += (uint32_t)n->all.at[next].len;
	l->at[code.len] = l->len = at;
}

/* Whether some branch had to be. */
static bool widen(struct layout *l, struct slice code, int64_t reach)
{
	struct insn i;
	bool any = false;
	for (uint32_t pc = 0; pc < code.len; pc += i.len) {
		insn_decode(code, pc, &i);
		if (i.kind->form != FORM_BRANCH2 || l->wide[pc])
			continue;
		int64_t offset = (int64_t)l->at[insn_target(&i, code, 0)] - l->at[pc];
		if (offset >= -reach - 1 && offset <= reach)
			continue;
		any = l->wide[pc] = true;
		l->turned |= opcode_inverse(i.op) != 0;
	}
	return any;
}

int layout_make(struct layout *l, struct slice code, const struct insertions *n, uint32_t reach)
{
	*l = (struct layout){.len = 0};
	if (n->bytes.len > CODE_MAX)
		return ERR_LIMIT;
	l->at = mem_zalloc(code.len + 1, sizeof(*l->at));
	l->wide = mem_zalloc(code.len, sizeof(*l->wide));
	if (!l->at || !l->wide)
		return ERR_NOMEM;
	do
		place(l, code, n);
	while (widen(l, code, reach));
	return l->len > CODE_MAX ? ERR_LIMIT : ERR_NONE;
}

void layout_release(struct layout *l)
{
	mem_free(l->at);
	mem_free(l->wide);
	*l = (struct layout){.len = 0};
}

static int64_t new_offset(
	const struct layout *l, const struct insn *i, struct slice code, uint32_t target)
{
	return (int64_t)l->at[insn_target(i, code, target)] - l->at[i->pc];
}

static void put_wide(
	const struct layout *l, const struct insn *i, struct slice code, struct buf *out)
{
	uint8_t inverse = opcode_inverse(i->op);
	int64_t offset = new_offset(l, i, code, 0);
	if (inverse) {
		buf_put_u8(out, inverse);
		buf_put_be16(out, TURNED_LEN);
		offset -= BRANCH_LEN;
	}
	buf_put_u8(out, i->op == OP_jsr ? OP_jsr_w : OP_goto_w);
	buf_put_be32(out, (uint32_t)offset);
}

static void patch(uint8_t *at, uint32_t v, unsigned size)
{
	for (unsigned k = 0; k < size; k++)
		at[k] = (uint8_t)(v >> (8 * (size - 1 - k)));
}

/* The instruction at its new place `from` in out, before its targets are set. */
static void put_body(
	const struct layout *l, const struct insn *i, struct slice code, struct buf *out)
{
	static const uint8_t padding[3];
	if (!insn_is_switch(i)) {
		buf_put(out, code.at + i->pc, i->len);
		return;
	}
	buf_put_u8(out, i->op);
	buf_put(out, padding, 3 - l->at[i->pc] % 4);
	buf_put(out, code.at + i->pc + i->cases, i->len - i->cases);
}

static void put_insn(
	const struct layout *l, const struct insn *i, struct slice code, struct buf *out)
{
	if (l->wide[i->pc]) {
		put_wide(l, i, code, out);
		return;
	}
	size_t from = out->len;
	put_body(l, i, code, out);
	struct insn moved = *i;
	if (insn_is_switch(i))
		moved.cases = 1 + (3 - l->at[i->pc] % 4);
	for (uint32_t n = 0; n < i->targets && !out->failed; n++)
		patch(out->at + from + insn_target_at(&moved, n),
			(uint32_t)new_offset(l, i, code, n), i->kind->form == FORM_BRANCH2 ? 2 : 4);
}

void layout_put(
	const struct layout *l, struct slice code, const struct insertions *n, struct buf *out)
{
	struct insn i;
	size_t next = 0;
	for (uint32_t pc = 0; pc < code.len; pc += i.len) {
		insn_decode(code, pc, &i);
		for (; next < n->all.count && n->all.at[next].before <= pc; next++)
			buf_put(out, n->bytes.at + n->all.at[next].at, n->all.at[next].len);
		put_insn(l, &i, code, out);
	}
	for (; next < n->all.count; next++)
		buf_put(out, n->bytes.at + n->all.at[next].at, n->all.at[next].len);
}
