#include "classfile/snippet.h"

#include "base/error.h"
#include "classfile/step.h"

void snippet_call_init(struct snippet_call *c, const char *owner, const char *name)
{
	*c = (struct snippet_call){.code = {OP_dup, OP_invokestatic}};
	c->constant = (struct snippet_constant){.at = 2, .tag = POOL_METHOD};
	c->constant.member = (struct pool_member){.owner = slice_str(owner),
		.name = slice_str(name),
		.descriptor = slice_str("(Ljava/lang/Object;)V")};
	c->snippet = (struct snippet){
		.code = slice(c->code, sizeof(c->code)), .constants = &c->constant, .count = 1};
}

static int add_constant(const struct snippet_constant *c, struct pool *p, uint16_t *out)
{
	switch (c->tag) {
	case POOL_FIELD:
	case POOL_METHOD:
	case POOL_INTERFACE_METHOD:
		return pool_add_member(p, c->tag, &c->member, out);
	case POOL_CLASS:
	case POOL_STRING:
		return pool_add_text(p, c->tag, c->text, out);
	case POOL_INTEGER:
	case POOL_FLOAT:
	case POOL_LONG:
	case POOL_DOUBLE:
		return pool_add_bits(p, c->tag, c->bits, out);
	case POOL_NONE:
	case POOL_UTF8:
	case POOL_NAME_AND_TYPE:
	case POOL_METHOD_HANDLE:
	case POOL_METHOD_TYPE:
	case POOL_DYNAMIC:
	case POOL_INVOKE_DYNAMIC:
	case POOL_MODULE:
	case POOL_PACKAGE:
		break;
	}
	return ERR_USAGE;
}

static int put_constants(const struct snippet *s, struct pool *p, uint8_t *code)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct snippet_constant *c = &s->constants[i];
		uint16_t n;
		if ((size_t)c->at + 2 > s->code.len)
			return ERR_USAGE;
		int err = add_constant(c, p, &n);
		if (err)
			return err;
		code[c->at] = (uint8_t)(n >> 8);
		code[c->at + 1] = (uint8_t)n;
	}
	return ERR_NONE;
}

static bool is_allowed(const struct insn *i)
{
	return i->targets == 0 && i->kind->flow == FLOW_NEXT && i->kind->act != ACT_SUBROUTINE &&
	       i->op != OP_monitorenter && i->op != OP_monitorexit;
}

/* Runs over it, with a stain on the reference, by which it is known again at the end. */
static int try(struct pool *p, struct slice code, struct state *s, uint16_t *stack)
{
	struct stepper step_by = {.pool = p, .code = code, .named = false};
	struct value reference = value_stain(value(VALUE_REF, 0), true);
	struct insn i;
	uint32_t most = 1;
	state_push(s, reference);
	for (uint32_t pc = 0; pc < code.len; pc += i.len) {
		if (insn_decode(code, pc, &i) || !is_allowed(&i) || step(&step_by, &i, s))
			return ERR_USAGE;
		most = s->depth > most ? s->depth : most;
	}
	*stack = (uint16_t)(most - 1);
	return s->depth == 1 && value_equal(s->stack[0], reference) ? ERR_NONE : ERR_USAGE;
}

static int check(struct pool *p, struct slice code, uint16_t *stack)
{
	struct state s;
	int err = state_init(&s, 0, SNIPPET_STACK_MAX + 1);
	if (!err)
		err = try(p, code, &s, stack);
	state_release(&s);
	return err;
}

int snippet_put(
	const struct snippet *s, struct pool *p, struct buf *out, uint16_t *stack, struct diag *d)
{
	uint8_t code[SNIPPET_LEN_MAX];
	int err = s->code.len == 0 || s->code.len > sizeof(code) ? ERR_USAGE : ERR_NONE;
	if (!err) {
		memcpy(code, s->code.at, s->code.len);
		err = put_constants(s, p, code);
	}
	if (!err)
		err = check(p, slice(code, s->code.len), stack);
	if (!err)
		buf_put(out, code, s->code.len);
	if (err == ERR_USAGE)
		diag_set(d, err, "the code to insert does not leave the stack as it found it");
	if (err == ERR_FULL)
		diag_set(d, err, "the class has no room for another constant");
	return err ? err : out->failed;
}
