#include "classfile/snippet.h"

#include "base/error.h"
#include "support/class_rig.h"
#include "support/tap.h"

static void begin(struct class_rig *r)
{
	static const uint8_t code[] = {OP_return};
	struct class_maker m;
	class_maker_init(&m, 55);
	class_maker_method(&m, "run", "()V", (struct made_code){8, 1, 0, slice(code, 1)});
	class_rig_init(r, &m);
}

static int put(struct class_rig *r, const uint8_t *code, size_t len, uint16_t *stack)
{
	struct snippet s = {.code = slice(code, len)};
	struct buf out = {0};
	struct diag d = {""};
	int err = snippet_put(&s, &r->file.pool, &out, stack, &d);
	EXPECT(err != ERR_USAGE || d.text[0]);
	EXPECT_INT(err ? 0 : len, out.len);
	buf_release(&out);
	return err;
}

TEST(a_call)
{
	struct class_rig r;
	struct snippet_call c;
	struct buf out = {0};
	uint16_t stack;
	begin(&r);
	snippet_call_init(&c, "x/Helper", "made");
	EXPECT_INT(0, snippet_put(&c.snippet, &r.file.pool, &out, &stack, NULL));
	EXPECT_INT(1, stack);
	EXPECT_INT(4, out.len);
	EXPECT_INT(OP_invokestatic, out.at[1]);
	struct pool_member m = pool_member(&r.file.pool, code_u16(out.at + 2));
	EXPECT(slice_equal(slice_str("x/Helper"), m.owner) &&
		slice_equal(slice_str("made"), m.name));
	EXPECT(slice_equal(slice_str("(Ljava/lang/Object;)V"), m.descriptor));
	uint32_t count = pool_count(&r.file.pool);
	EXPECT_INT(0, snippet_put(&c.snippet, &r.file.pool, &out, &stack, NULL));
	EXPECT_INT(count, pool_count(&r.file.pool));
	buf_release(&out);
	class_rig_release(&r);
}

/* A store as `tenure` may do it: dup; getstatic U; swap; ldc2_w 0; ldc2_w 9; invokevirtual putLong.
 */
TEST(several_instructions)
{
	static const uint8_t code[] = {OP_dup, OP_getstatic, 0, 0, OP_swap, OP_lconst_0, OP_ldc2_w,
		0, 0, OP_invokevirtual, 0, 0};
	const struct snippet_constant constants[] = {
		{.at = 2,
			.tag = POOL_FIELD,
			.member = {slice_str("x/H"), slice_str("U"), slice_str("Lx/U;")}},
		{.at = 7, .tag = POOL_LONG, .bits = 9},
		{.at = 10,
			.tag = POOL_METHOD,
			.member = {slice_str("x/U"), slice_str("putLong"),
				slice_str("(Ljava/lang/Object;JJ)V")}}};
	struct snippet s = {slice(code, sizeof(code)), constants, ARRAY_SIZE(constants)};
	struct class_rig r;
	struct buf out = {0};
	uint16_t stack;
	begin(&r);
	EXPECT_INT(0, snippet_put(&s, &r.file.pool, &out, &stack, NULL));
	EXPECT_INT(6, stack);
	EXPECT_INT(POOL_LONG, pool_tag(&r.file.pool, code_u16(out.at + 7)));
	buf_release(&out);
	class_rig_release(&r);
}

TEST(the_stack_must_be_left_as_it_was)
{
	static const struct {
		uint8_t code[4];
		size_t len;
		int err;
	} rows[] = {{{OP_nop}, 1, 0}, {{OP_dup, OP_pop}, 2, 0},
		{{OP_iconst_0, OP_swap, OP_swap, OP_pop}, 4, 0}, {{OP_dup}, 1, ERR_USAGE},
		{{OP_pop}, 1, ERR_USAGE}, {{OP_pop, OP_aconst_null}, 2, ERR_USAGE},
		{{OP_pop2}, 1, ERR_USAGE}, {{OP_astore_0, OP_aload_0}, 2, ERR_USAGE},
		{{OP_goto, 0, 3}, 3, ERR_USAGE}, {{OP_dup, OP_athrow}, 2, ERR_USAGE},
		{{OP_return}, 1, ERR_USAGE}, {{OP_dup, OP_monitorenter}, 2, ERR_USAGE},
		{{OP_new, 0}, 2, ERR_USAGE}, {{0}, 0, ERR_USAGE}};
	struct class_rig r;
	uint16_t stack;
	begin(&r);
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT_INT(rows[i].err, put(&r, rows[i].code, rows[i].len, &stack));
	class_rig_release(&r);
}

TEST(constants_that_do_not_fit)
{
	static const uint8_t code[] = {OP_dup, OP_pop};
	struct snippet_constant c = {.at = 1, .tag = POOL_INTEGER};
	struct snippet s = {slice(code, sizeof(code)), &c, 1};
	struct class_rig r;
	struct buf out = {0};
	uint16_t stack, n = 0;
	begin(&r);
	EXPECT_INT(ERR_USAGE, snippet_put(&s, &r.file.pool, &out, &stack, NULL));
	c = (struct snippet_constant){.at = 0, .tag = POOL_NAME_AND_TYPE};
	EXPECT_INT(ERR_USAGE, snippet_put(&s, &r.file.pool, &out, &stack, NULL));
	struct snippet_call call;
	struct diag d = {""};
	for (uint32_t i = 0; pool_add_bits(&r.file.pool, POOL_INTEGER, i, &n) == 0; i++) {
	}
	snippet_call_init(&call, "x/H", "made");
	EXPECT_INT(ERR_FULL, snippet_put(&call.snippet, &r.file.pool, &out, &stack, &d));
	EXPECT_STR("the class has no room for another constant", d.text);
	EXPECT_INT(0, out.len);
	buf_release(&out);
	class_rig_release(&r);
}
