#include "classfile/step.h"

#include "base/error.h"
#include "support/class_rig.h"
#include "support/tap.h"

/* Runs straight code, with names or without, and leaves the state behind it. */
static int run(struct class_rig *r, bool named, struct state *s)
{
	struct stepper p = r->step;
	struct insn i;
	p.pool = &r->file.pool; /* the rig was moved */
	p.named = named;
	EXPECT_INT(0, state_init(s, r->code.max_locals, r->code.max_stack));
	int err = step_enter(&p, r->method, s);
	for (uint32_t pc = 0; !err && pc < p.code.len; pc += i.len) {
		EXPECT_INT(0, insn_decode(p.code, pc, &i));
		err = step(&p, &i, s);
	}
	return err;
}

static struct class_rig rig(
	struct class_maker *m, const char *name, const char *descriptor, struct made_code code)
{
	struct class_rig r;
	class_maker_method(m, name, descriptor, code);
	class_rig_init(&r, m);
	return r;
}

static void expect_class(const struct class_rig *r, struct value v, const char *name)
{
	EXPECT_INT(VALUE_OBJECT, value_tag(v));
	EXPECT(slice_equal(slice_str(name), pool_class(&r->file.pool, value_payload(v))));
}

TEST(arguments_of_a_method)
{
	static const uint8_t code[] = {OP_nop};
	struct class_maker m;
	struct state s;
	class_maker_init(&m, 55);
	struct class_rig r =
		rig(&m, "run", "(J[IDLx/Y;Z)V", (struct made_code){0, 1, 8, slice(code, 1)});
	EXPECT_INT(0, run(&r, true, &s));
	EXPECT(value_stained(s.local[0]));
	EXPECT_INT(r.file.this_class, value_payload(s.local[0]));
	EXPECT_INT(VALUE_LONG, value_tag(s.local[1]));
	expect_class(&r, s.local[3], "[I");
	EXPECT_INT(VALUE_DOUBLE, value_tag(s.local[4]));
	expect_class(&r, s.local[6], "x/Y");
	EXPECT_INT(VALUE_INT, value_tag(s.local[7]));
	state_release(&s);
	uint32_t before = pool_count(&r.file.pool);
	EXPECT_INT(0, run(&r, false, &s));
	EXPECT_INT(VALUE_REF, value_tag(s.local[6]));
	EXPECT_INT(before, pool_count(&r.file.pool));
	state_release(&s);
	class_rig_release(&r);
}

TEST(shuffles)
{
	static const uint8_t code[] = {
		OP_lconst_0, OP_fconst_0, OP_aconst_null, OP_dup2_x2, OP_swap, OP_pop2, OP_dup_x2};
	/* J T F N; F N J T F N; F N J T N F; F N J T; dup_x2: F T N J T */
	static const enum value_tag end[] = {
		VALUE_FLOAT, VALUE_TOP, VALUE_NULL, VALUE_LONG, VALUE_TOP};
	struct class_maker m;
	struct state s;
	class_maker_init(&m, 55);
	struct class_rig r =
		rig(&m, "run", "()V", (struct made_code){8, 8, 0, slice(code, sizeof(code))});
	EXPECT_INT(0, run(&r, false, &s));
	EXPECT_INT(5, s.depth);
	for (size_t i = 0; i < ARRAY_SIZE(end); i++)
		EXPECT_INT(end[i], value_tag(s.stack[i]));
	state_release(&s);
	class_rig_release(&r);
}

TEST(constants_fields_calls_and_arrays)
{
	struct class_maker m;
	struct state s;
	uint16_t wide, text;
	class_maker_init(&m, 55);
	EXPECT_INT(0, pool_add_bits(&m.pool, POOL_DOUBLE, 0, &wide));
	EXPECT_INT(0, pool_add_text(&m.pool, POOL_STRING, slice_str("s"), &text));
	uint16_t field = class_maker_ref(&m, POOL_FIELD, "x/Y", "f", "J");
	uint16_t call = class_maker_ref(&m, POOL_METHOD, "x/Y", "c", "(IJLx/Y;)[[Lx/Y;");
	uint16_t type = class_maker_class(&m, "x/Y");
	const uint8_t code[] = {OP_ldc2_w, U2(wide), OP_ldc_w, U2(text), OP_getstatic,
		U2(field), /* */
		OP_iconst_1, OP_lconst_1, OP_aconst_null, OP_invokestatic, U2(call), OP_iconst_0,
		OP_aaload, OP_iconst_0, OP_aaload, /* */
		OP_iconst_2, OP_anewarray, U2(type), OP_iconst_2, OP_newarray, 10, OP_aload_0,
		OP_checkcast, U2(type)};
	struct class_rig r =
		rig(&m, "run", "()V", (struct made_code){0, 12, 1, slice(code, sizeof(code))});
	EXPECT_INT(0, run(&r, true, &s));
	EXPECT_INT(9, s.depth);
	EXPECT_INT(VALUE_DOUBLE, value_tag(s.stack[0]));
	expect_class(&r, s.stack[2], "java/lang/String");
	EXPECT_INT(VALUE_LONG, value_tag(s.stack[3]));
	expect_class(&r, s.stack[5], "x/Y");
	expect_class(&r, s.stack[6], "[Lx/Y;");
	expect_class(&r, s.stack[7], "[I");
	EXPECT_INT(type, value_payload(s.stack[8]));
	EXPECT(value_stained(s.stack[8])); /* a cast is the same object */
	state_release(&s);
	class_rig_release(&r);
}

TEST(a_constructor_makes_an_object_of_it)
{
	struct class_maker m;
	struct state s;
	class_maker_init(&m, 55);
	uint16_t type = class_maker_class(&m, "x/Y");
	uint16_t init = class_maker_ref(&m, POOL_METHOD, "x/Y", "<init>", "(J)V");
	const uint8_t code[] = {OP_new, U2(type), OP_dup, OP_astore_1, OP_new, U2(type), OP_dup,
		OP_lconst_0, OP_invokespecial, U2(init)};
	struct class_rig r =
		rig(&m, "run", "()V", (struct made_code){0, 6, 2, slice(code, sizeof(code))});
	EXPECT_INT(0, run(&r, false, &s));
	EXPECT_INT(2, s.depth);
	EXPECT(value_equal(value(VALUE_UNINIT, 0), s.local[1]));
	EXPECT(value_equal(value(VALUE_UNINIT, 0), s.stack[0]));
	EXPECT(value_equal(value(VALUE_OBJECT, type), s.stack[1]));
	state_release(&s);
	class_rig_release(&r);
}

TEST(what_can_not_be_done)
{
	static const struct {
		uint8_t code[4];
		size_t len;
		int err;
	} rows[] = {{{OP_pop}, 1, ERR_FORMAT}, {{OP_lconst_0, OP_lconst_0}, 2, ERR_FORMAT},
		{{OP_aload_3}, 1, ERR_FORMAT}, {{OP_getstatic, 0, 1}, 3, ERR_FORMAT},
		{{OP_invokestatic, 0xff, 0xff}, 3, ERR_FORMAT}, {{OP_ldc, 1}, 2, ERR_FORMAT},
		{{OP_iconst_0, OP_newarray, 3}, 3, ERR_FORMAT},
		{{OP_jsr, 0, 0}, 3, ERR_UNSUPPORTED}, {{OP_ret, 0}, 2, ERR_UNSUPPORTED}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		struct class_maker m;
		struct state s;
		class_maker_init(&m, 49);
		struct class_rig r = rig(&m, "run", "()V",
			(struct made_code){0, 3, 1, slice(rows[i].code, rows[i].len)});
		EXPECT_INT(rows[i].err, run(&r, false, &s));
		state_release(&s);
		class_rig_release(&r);
	}
}
