#include "classfile/flow.h"

#include "base/error.h"
#include "support/class_rig.h"
#include "support/tap.h"

/* What was there at each instruction: the tag of the top of the stack, or of local 1. */
struct seen {
	int count[64], top[64], local[64];
	bool stained[64];
};

static int see(void *arg, const struct insn *i, const struct state *before)
{
	struct seen *s = arg;
	s->count[i->pc]++;
	s->top[i->pc] = before->depth ? (int)value_tag(state_peek(before, 0)) : -1;
	s->local[i->pc] = before->locals > 1 ? (int)value_tag(before->local[1]) : -1;
	s->stained[i->pc] = before->locals > 1 && value_stained(before->local[1]);
	return 0;
}

static int run(struct class_maker *m, struct made_code code, struct seen *s)
{
	struct class_rig r;
	struct flow_eye eye = {see, s};
	*s = (struct seen){.count = {0}};
	class_maker_method(m, "run", "(I)V", code);
	class_rig_init(&r, m);
	int err = flow_run(&r.step, r.method, &r.code, &r.marks, &eye);
	class_rig_release(&r);
	return err;
}

TEST(ways_meet)
{
	static const uint8_t code[] = {OP_iload_1, OP_ifeq, 0, 7, OP_aload_0, OP_astore_1, OP_nop,
		OP_nop, OP_nop, OP_goto, 0xff, 0xff, OP_return};
	struct class_maker m;
	struct seen s;
	class_maker_init(&m, 49);
	EXPECT_INT(0, run(&m, (struct made_code){0, 2, 2, slice(code, sizeof(code))}, &s));
	EXPECT_INT(1, s.count[0]);
	EXPECT_INT(VALUE_INT, s.local[4]);
	EXPECT(!s.stained[4]);
	EXPECT_INT(VALUE_OBJECT, s.local[6]);
	/* 8 is reached by the branch, with the int, and by falling into it, with this; 3 by going
	 * back */
	EXPECT_INT(VALUE_TOP, s.local[8]);
	EXPECT(s.stained[8]);
	EXPECT_INT(0, s.count[12]);
}

TEST(handlers_see_what_any_of_theirs_had)
{
	static const uint8_t code[] = {
		OP_nop, OP_aconst_null, OP_astore_1, OP_nop, OP_return, OP_pop, OP_return};
	struct class_maker m;
	struct seen s;
	class_maker_init(&m, 55);
	class_maker_handler(&m, 0, 2, 5);
	EXPECT_INT(0, run(&m, (struct made_code){0, 2, 2, slice(code, sizeof(code))}, &s));
	EXPECT_INT(VALUE_INT, s.local[5]);
	EXPECT_INT(VALUE_REF, s.top[5]);
	class_maker_init(&m, 55);
	class_maker_handler(&m, 0, 4, 5);
	EXPECT_INT(0, run(&m, (struct made_code){0, 2, 2, slice(code, sizeof(code))}, &s));
	EXPECT_INT(VALUE_TOP, s.local[5]);
	class_maker_init(&m, 55);
	class_maker_handler(&m, 3, 4, 5);
	EXPECT_INT(0, run(&m, (struct made_code){0, 2, 2, slice(code, sizeof(code))}, &s));
	EXPECT_INT(VALUE_NULL, s.local[5]);
}

/* A `new` in a loop, with a branch before its constructor: still the same. */
TEST(what_is_not_constructed_yet_travels_through_branches)
{
	struct class_maker m;
	struct seen s;
	class_maker_init(&m, 49);
	uint16_t type = class_maker_class(&m, "x/Y");
	uint16_t init = class_maker_ref(&m, POOL_METHOD, "x/Y", "<init>", "(I)V");
	const uint8_t code[] = {OP_new, U2(type), OP_dup, OP_iload_1, OP_ifeq, 0, 7, OP_iconst_1,
		OP_goto, 0, 4, OP_iconst_2, OP_invokespecial, U2(init), OP_astore_2, OP_goto, 0xff,
		0xef};
	EXPECT_INT(0, run(&m, (struct made_code){0, 3, 3, slice(code, sizeof(code))}, &s));
	EXPECT_INT(VALUE_UNINIT, s.top[4]);
	EXPECT_INT(VALUE_UNINIT, s.top[12]);
	EXPECT_INT(VALUE_OBJECT, s.top[16]);
	EXPECT_INT(1, s.count[0]);
}

TEST(code_that_the_vm_would_not_take)
{
	static const uint8_t off_the_end[] = {OP_nop},
			     uneven[] = {OP_iload_1, OP_ifeq, 0, 4, OP_iconst_0, OP_return},
			     growing[] = {OP_iconst_0, OP_goto, 0xff, 0xff},
			     subroutine[] = {OP_jsr, 0, 3, OP_return};
	struct class_maker m;
	struct seen s;
	class_maker_init(&m, 49);
	EXPECT_INT(ERR_FORMAT, run(&m, (struct made_code){0, 2, 2, slice(off_the_end, 1)}, &s));
	class_maker_init(&m, 49);
	EXPECT_INT(ERR_FORMAT,
		run(&m, (struct made_code){0, 2, 2, slice(uneven, sizeof(uneven))}, &s));
	class_maker_init(&m, 49);
	EXPECT_INT(ERR_FORMAT,
		run(&m, (struct made_code){0, 9, 2, slice(growing, sizeof(growing))}, &s));
	class_maker_init(&m, 49);
	EXPECT_INT(ERR_UNSUPPORTED,
		run(&m, (struct made_code){0, 2, 2, slice(subroutine, sizeof(subroutine))}, &s));
}

/* Blocks times slots: more than is kept. */
TEST(bounded_memory)
{
	uint8_t code[3 * 200 + 1];
	struct class_maker m;
	struct seen s;
	for (size_t i = 0; i < 200; i++)
		memcpy(code + 3 * i, (const uint8_t[]){OP_goto, 0, 3}, 3);
	code[600] = OP_return;
	class_maker_init(&m, 49);
	EXPECT_INT(ERR_LIMIT,
		run(&m, (struct made_code){0, 60000, 60000, slice(code, sizeof(code))}, &s));
}

TEST(no_memory_at_any_step)
{
	static const uint8_t code[] = {OP_iload_1, OP_ifeq, 0, 3, OP_return};
	int err = ERR_NOMEM;
	for (uint64_t fail = 1; err == ERR_NOMEM && fail < 100; fail++) {
		struct class_maker m;
		struct class_rig r;
		struct seen s = {.count = {0}};
		struct flow_eye eye = {see, &s};
		class_maker_init(&m, 49);
		class_maker_method(
			&m, "run", "(I)V", (struct made_code){0, 2, 2, slice(code, sizeof(code))});
		class_rig_init(&r, &m);
		mem_fail_at(fail);
		err = flow_run(&r.step, r.method, &r.code, &r.marks, &eye);
		mem_fail_at(0);
		class_rig_release(&r);
	}
	EXPECT_INT(0, err);
}

/* On the stack, too: the object itself by one way, nothing by the other. */
TEST(ways_meet_on_the_stack)
{
	static const uint8_t code[] = {OP_iload_1, OP_ifeq, 0, 7, OP_aload_0, OP_goto, 0, 4,
		OP_aconst_null, OP_astore_1, OP_nop, OP_return};
	struct class_maker m;
	struct seen s;
	class_maker_init(&m, 49);
	EXPECT_INT(0, run(&m, (struct made_code){0, 2, 2, slice(code, sizeof(code))}, &s));
	EXPECT_INT(VALUE_REF, s.top[9]);
	EXPECT_INT(VALUE_REF, s.local[10]);
	EXPECT(s.stained[10]);
}
