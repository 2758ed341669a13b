#include "classfile/class_edit.h"

#include "base/error.h"
#include "support/class_rig.h"
#include "support/tap.h"

/* Three methods: a return; 0 new, 3 dup, 4 invokespecial, 7 areturn; and no code that changes. */
static void make(struct buf *out)
{
	static const uint8_t nothing[] = {OP_return};
	struct class_maker m;
	class_maker_init(&m, 55);
	uint16_t type = class_maker_class(&m, "x/Y");
	uint16_t init = class_maker_ref(&m, POOL_METHOD, "x/Y", "<init>", "()V");
	uint16_t call = class_maker_ref(&m, POOL_METHOD, "x/Y", "clone", "()Ljava/lang/Object;");
	uint16_t none = class_maker_ref(&m, POOL_METHOD, "x/Y", "size", "()I");
	const uint8_t one[] = {OP_new, U2(type), OP_dup, OP_invokespecial, U2(init), OP_dup,
		OP_invokevirtual, U2(none), OP_pop, OP_invokevirtual, U2(call), OP_areturn};
	const uint8_t local[] = {
		OP_new, U2(type), OP_dup, OP_astore_1, OP_invokespecial, U2(init), OP_return};
	class_maker_method(&m, "nothing", "()V", (struct made_code){8, 0, 0, slice(nothing, 1)});
	class_maker_method(&m, "one", "()Ljava/lang/Object;",
		(struct made_code){8, 2, 0, slice(one, sizeof(one))});
	class_maker_method(
		&m, "local", "(I)V", (struct made_code){8, 2, 2, slice(local, sizeof(local))});
	class_maker_put(&m, out);
	class_maker_release(&m);
}

struct edited {
	struct buf in, out;
	struct class_edit edit;
	struct snippet_call call;
};

static void begin(struct edited *e)
{
	*e = (struct edited){.in = {0}};
	make(&e->in);
	snippet_call_init(&e->call, "x/H", "made");
	EXPECT_INT(0, class_edit_begin(&e->edit, buf_slice(&e->in), NULL));
}

static void release(struct edited *e)
{
	class_edit_release(&e->edit);
	buf_release(&e->in);
	buf_release(&e->out);
}

/* The code of a method of what was written. */
static struct code written(struct edited *e, size_t method, struct class_file *f)
{
	struct code k = {.max_stack = 0};
	EXPECT_INT(0, class_file_read(f, buf_slice(&e->out), NULL));
	EXPECT_INT(0, code_read(&k, f->methods.at[method].code, NULL));
	return k;
}

TEST(with_nothing_inserted_the_same_bytes)
{
	struct edited e;
	const struct sites *s;
	const char *why;
	begin(&e);
	EXPECT_INT(0, class_edit_sites(&e.edit, 1, &s, NULL));
	EXPECT_INT(1, s->all.count);
	EXPECT_INT(0, class_edit_write(&e.edit, &e.out));
	EXPECT(slice_equal(buf_slice(&e.in), buf_slice(&e.out)));
	EXPECT_INT(0, class_edit_outcome(&e.edit, 1, &why));
	release(&e);
}

TEST(behind_a_constructor)
{
	struct edited e;
	struct class_file f;
	begin(&e);
	EXPECT_INT(0, class_edit_insert_after(&e.edit, 1, 0, OP_new, &e.call.snippet, NULL));
	EXPECT_INT(0, class_edit_write(&e.edit, &e.out));
	struct code k = written(&e, 1, &f);
	EXPECT_INT(3, k.max_stack);
	EXPECT_INT(OP_dup, k.bytes.at[7]);
	EXPECT_INT(OP_invokestatic, k.bytes.at[8]);
	struct pool_member m = pool_member(&f.pool, code_u16(k.bytes.at + 9));
	EXPECT(slice_equal(slice_str("x/H"), m.owner));
	EXPECT_INT(OP_dup, k.bytes.at[11]);
	EXPECT_INT(3, f.methods.count);
	for (size_t i = 0; i < 3; i += 2) /* the others did not change */
		EXPECT(slice_equal(e.edit.file.methods.at[i].code, f.methods.at[i].code));
	class_file_release(&f);
	release(&e);
}

TEST(from_a_local_it_is_loaded)
{
	struct edited e;
	struct class_file f;
	begin(&e);
	EXPECT_INT(0, class_edit_insert_after(&e.edit, 2, 0, OP_new, &e.call.snippet, NULL));
	EXPECT_INT(0, class_edit_write(&e.edit, &e.out));
	struct code k = written(&e, 2, &f);
	EXPECT_INT(4, k.max_stack);
	EXPECT_INT(OP_aload, k.bytes.at[8]);
	EXPECT_INT(1, k.bytes.at[9]);
	EXPECT_INT(OP_pop, k.bytes.at[14]);
	EXPECT_INT(OP_return, k.bytes.at[15]);
	class_file_release(&f);
	release(&e);
}

TEST(behind_a_call_that_returns_an_object)
{
	struct edited e;
	struct class_file f;
	struct diag d = {""};
	begin(&e);
	EXPECT_INT(
		0, class_edit_insert_after(&e.edit, 1, 12, OP_invokevirtual, &e.call.snippet, &d));
	EXPECT_INT(ERR_UNSUPPORTED,
		class_edit_insert_after(&e.edit, 1, 8, OP_invokevirtual, &e.call.snippet, &d));
	EXPECT_STR("invokevirtual at byte 8 of the code leaves no reference", d.text);
	EXPECT_INT(0, class_edit_write(&e.edit, &e.out));
	struct code k = written(&e, 1, &f);
	EXPECT_INT(OP_invokestatic, k.bytes.at[16]);
	class_file_release(&f);
	release(&e);
}

TEST(the_place_must_be_the_one_that_was_meant)
{
	struct edited e;
	struct diag d = {""};
	begin(&e);
	EXPECT_INT(
		ERR_NOT_FOUND, class_edit_insert_after(&e.edit, 1, 3, OP_new, &e.call.snippet, &d));
	EXPECT_STR("byte 3 of the code has dup where new was expected", d.text);
	EXPECT_INT(
		ERR_NOT_FOUND, class_edit_insert_after(&e.edit, 1, 1, OP_new, &e.call.snippet, &d));
	EXPECT_INT(ERR_NOT_FOUND,
		class_edit_insert_after(&e.edit, 1, 99, OP_new, &e.call.snippet, &d));
	EXPECT_STR("no instruction at byte 99 of the code", d.text);
	EXPECT_INT(0, class_edit_write(&e.edit, &e.out));
	EXPECT(slice_equal(buf_slice(&e.in), buf_slice(&e.out)));
	release(&e);
}

TEST(another_class_has_another_hash)
{
	struct edited a, b;
	begin(&a);
	begin(&b);
	EXPECT(class_edit_hash(&a.edit) == class_edit_hash(&b.edit));
	b.in.at[b.in.len - 3] ^= 1;
	EXPECT(class_edit_hash(&a.edit) != class_edit_hash(&b.edit));
	release(&a);
	release(&b);
}

/* A method that would outgrow the bound stays as it was, and the other is written. */
TEST(a_method_that_would_be_too_long_stays)
{
	struct edited e;
	struct class_file f;
	const char *why;
	begin(&e);
	e.edit.keep_below = 17;
	EXPECT_INT(0, class_edit_insert_after(&e.edit, 1, 0, OP_new, &e.call.snippet, NULL));
	EXPECT_INT(0, class_edit_insert_after(&e.edit, 2, 0, OP_new, &e.call.snippet, NULL));
	EXPECT_INT(0, class_edit_write(&e.edit, &e.out));
	EXPECT_INT(ERR_LIMIT, class_edit_outcome(&e.edit, 1, &why));
	EXPECT_STR("the method would grow from 16 to 20 bytes, beyond 17", why);
	EXPECT_INT(0, class_edit_outcome(&e.edit, 2, &why));
	written(&e, 2, &f);
	EXPECT(slice_equal(e.edit.file.methods.at[1].code, f.methods.at[1].code));
	EXPECT(f.methods.at[2].code.len > e.edit.file.methods.at[2].code.len);
	class_file_release(&f);
	release(&e);
}

TEST(no_memory_at_any_step)
{
	int err = ERR_NOMEM;
	for (uint64_t fail = 1; err == ERR_NOMEM && fail < 500; fail++) {
		struct edited e = {.in = {0}};
		make(&e.in);
		snippet_call_init(&e.call, "x/H", "made");
		uint64_t held = mem_held();
		mem_fail_at(fail);
		err = class_edit_begin(&e.edit, buf_slice(&e.in), NULL);
		if (!err)
			err = class_edit_insert_after(&e.edit, 1, 0, OP_new, &e.call.snippet, NULL);
		if (!err)
			err = class_edit_write(&e.edit, &e.out);
		mem_fail_at(0);
		class_edit_release(&e.edit);
		buf_release(&e.out);
		EXPECT_INT(held, mem_held());
		buf_release(&e.in);
	}
	EXPECT_INT(0, err);
}
