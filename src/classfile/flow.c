#include "classfile/flow.h"

#include "base/error.h"

/* What is known at the start of a block: where a branch or a handler leads. */
struct block {
	uint32_t pc, depth;
	size_t at; /* of its slots in run.slots */
	bool known, waiting;
};

struct run {
	const struct stepper *step;
	const struct code *code;
	const struct marks *marks;
	struct state now;
	uint32_t *number; /* owned; of the block that begins at a byte, from 1; 0: none */
	VEC(struct block) blocks;
	VEC(uint32_t) todo; /* numbers of blocks whose slots changed since they were run */
	struct value *slots;
	uint64_t work;
};

enum { BEGINS = MARK_TARGET | MARK_HANDLER };

static uint32_t width(const struct run *r)
{
	return r->now.locals + r->now.room;
}

static int find_blocks(struct run *r)
{
	for (uint32_t pc = 0; pc < r->code->bytes.len; pc++) {
		if (pc > 0 && !(r->marks->at[pc] & BEGINS))
			continue;
		struct block b = {.pc = pc, .at = r->blocks.count * width(r)};
		if (vec_push(&r->blocks, b))
			return ERR_NOMEM;
		r->number[pc] = (uint32_t)r->blocks.count;
	}
	return r->blocks.count * width(r) > FLOW_SLOTS_MAX ? ERR_LIMIT : ERR_NONE;
}

static int run_init(struct run *r)
{
	int err = state_init(&r->now, r->code->max_locals, r->code->max_stack);
	r->number = mem_zalloc(r->code->bytes.len, sizeof(*r->number));
	if (err || !r->number)
		return ERR_NOMEM;
	err = find_blocks(r);
	if (err)
		return err;
	r->slots = mem_zalloc(r->blocks.count * width(r), sizeof(*r->slots));
	return r->slots ? vec_reserve(&r->todo, r->blocks.count) : ERR_NOMEM;
}

static void run_release(struct run *r)
{
	state_release(&r->now);
	mem_free(r->number);
	mem_free(r->slots);
	vec_release(&r->blocks);
	vec_release(&r->todo);
}

static struct block *block_at(struct run *r, uint32_t pc)
{
	return &r->blocks.at[r->number[pc] - 1];
}

static bool meet_slots(struct value *into, const struct value *from, size_t count)
{
	bool changed = false;
	for (size_t i = 0; i < count; i++) {
		struct value v = value_meet(into[i], from[i]);
		changed |= !value_equal(v, into[i]);
		into[i] = v;
	}
	return changed;
}

/* There is room for each block in todo, and none is in it twice. */
static void wait(struct run *r, struct block *b)
{
	if (!b->waiting)
		r->todo.at[r->todo.count++] = (uint32_t)(b - r->blocks.at);
	b->waiting = true;
}

/* What is there now comes to the block as well. */
static int reach(struct run *r, uint32_t pc, const struct value *stack, uint32_t depth)
{
	struct block *b = block_at(r, pc);
	struct value *to = r->slots + b->at;
	uint32_t locals = r->now.locals;
	r->work += locals + depth;
	if (depth > r->now.room || (b->known && b->depth != depth))
		return ERR_FORMAT;
	if (!b->known) {
		memcpy(to, r->now.local, locals * sizeof(*to));
		memcpy(to + locals, stack, depth * sizeof(*to));
		b->known = true;
		b->depth = depth;
		wait(r, b);
		return ERR_NONE;
	}
	bool changed = meet_slots(to, r->now.local, locals);
	changed |= meet_slots(to + locals, stack, depth);
	if (changed)
		wait(r, b);
	return r->work > FLOW_WORK_MAX ? ERR_LIMIT : ERR_NONE;
}

/* What an instruction there throws comes with the locals and one exception. */
static int reach_handlers(struct run *r, uint32_t pc)
{
	int err = ERR_NONE;
	struct value thrown = value(VALUE_REF, 0);
	r->work += r->code->handler_count;
	for (uint32_t n = 0; n < r->code->handler_count && !err; n++) {
		struct handler h = code_handler(r->code, n);
		if (pc >= h.start && pc < h.end)
			err = reach(r, h.target, &thrown, 1);
	}
	return err;
}

static bool changes_locals(const struct insn *i)
{
	return i->kind->act == ACT_STORE || i->kind->act == ACT_NEW || i->op == OP_invokespecial;
}

static int reach_targets(struct run *r, const struct insn *i)
{
	int err = ERR_NONE;
	for (uint32_t n = 0; n < i->targets && !err; n++)
		err = reach(
			r, (uint32_t)insn_target(i, r->code->bytes, n), r->now.stack, r->now.depth);
	return err;
}

static void take_up(struct run *r, const struct block *b)
{
	memcpy(r->now.local, r->slots + b->at, r->now.locals * sizeof(*r->slots));
	memcpy(r->now.stack, r->slots + b->at + r->now.locals, b->depth * sizeof(*r->slots));
	r->now.depth = b->depth;
}

/* From one block's start to the next, or to where the code goes elsewhere. */
static int run_block(struct run *r, const struct block *b)
{
	struct insn i;
	bool changed = true;
	take_up(r, b);
	for (uint32_t pc = b->pc; pc < r->code->bytes.len; pc += i.len) {
		if (pc != b->pc && r->number[pc])
			return reach(r, pc, r->now.stack, r->now.depth);
		insn_decode(r->code->bytes, pc, &i);
		int err = ERR_NONE;
		if (changed || (r->marks->at[pc] & MARK_RANGE))
			err = reach_handlers(r, pc);
		changed = changes_locals(&i);
		if (err || (err = step(r->step, &i, &r->now)) || (err = reach_targets(r, &i)))
			return err;
		if (i.kind->flow == FLOW_END)
			return ERR_NONE;
	}
	return ERR_FORMAT; /* fell off the end */
}

static int settle(struct run *r)
{
	int err = reach(r, 0, r->now.stack, 0);
	while (!err && r->todo.count) {
		struct block *b = &r->blocks.at[r->todo.at[--r->todo.count]];
		b->waiting = false;
		err = run_block(r, b);
	}
	return err;
}

static int show_block(struct run *r, const struct block *b, const struct flow_eye *eye)
{
	struct insn i;
	take_up(r, b);
	for (uint32_t pc = b->pc; pc < r->code->bytes.len; pc += i.len) {
		if (pc != b->pc && r->number[pc])
			return ERR_NONE;
		insn_decode(r->code->bytes, pc, &i);
		int err = eye->see(eye->arg, &i, &r->now);
		if (err || i.kind->flow == FLOW_END)
			return err;
		step(r->step, &i, &r->now);
	}
	return ERR_NONE;
}

static int show(struct run *r, const struct flow_eye *eye)
{
	int err = ERR_NONE;
	for (size_t n = 0; n < r->blocks.count && !err; n++)
		if (r->blocks.at[n].known)
			err = show_block(r, &r->blocks.at[n], eye);
	return err;
}

int flow_run(const struct stepper *p, const struct class_method *m, const struct code *k,
	const struct marks *marks, const struct flow_eye *eye)
{
	struct run r = {.step = p, .code = k, .marks = marks};
	int err = run_init(&r);
	if (!err)
		err = step_enter(p, m, &r.now);
	if (!err)
		err = settle(&r);
	if (!err)
		err = show(&r, eye);
	run_release(&r);
	return err;
}
