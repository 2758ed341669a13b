#include "classfile/code_write.h"

#include "base/error.h"
#include "classfile/frames.h"
#include "support/class_rig.h"
#include "support/tap.h"

static const uint8_t nops[] = {OP_nop, OP_nop, OP_nop};

/* 0 iconst_0, 1 newarray, 3 astore_1, 4 aload_1, 5 ifnull 9, 8 nop, 9 return, 10 athrow */
static const uint8_t code[] = {OP_iconst_0, OP_newarray, 10, OP_astore_1, OP_aload_1, OP_ifnull, 0,
	4, OP_nop, OP_return, OP_athrow};

struct written {
	struct class_rig rig;
	struct buf bytes;
	struct code code;
};

static void add_attributes(struct class_maker *m)
{
	static const uint8_t lines[] = {0, 3, 0, 0, 0, 1, 0, 3, 0, 2, 0, 9, 0, 3},
			     variables[] = {0, 1, 0, 4, 0, 6, 0, 1, 0, 1, 0, 1},
			     frames[] = {0, 2, FRAME_APPEND, 0, 9, 7, 0, 2, FRAME_SAME_1 + 0, 5},
			     notes[] = {0, 1, 0x40, 0, 1, 0, 1, 0, 3, 0, 1, 0, 0, 1, 0, 0};
	class_maker_handler(m, 0, 3, 10);
	class_maker_attribute(m, "LineNumberTable", slice(lines, sizeof(lines)));
	class_maker_attribute(m, "Unheard", slice_str("of"));
	class_maker_attribute(m, "LocalVariableTable", slice(variables, sizeof(variables)));
	class_maker_attribute(m, "StackMapTable", slice(frames, sizeof(frames)));
	class_maker_attribute(m, "RuntimeVisibleTypeAnnotations", slice(notes, sizeof(notes)));
}

/* With three nops behind newarray. */
static int write_of(struct written *w, struct class_maker *m, struct slice bytes, uint32_t reach,
	struct diag *d)
{
	struct insertions n = {.all = {0}};
	class_maker_method(m, "run", "()V", (struct made_code){8, 2, 2, bytes});
	class_rig_init(&w->rig, m);
	w->bytes = (struct buf){0};
	EXPECT_INT(0, insertions_add(&n, 1, 3, slice(nops, sizeof(nops))));
	struct rewrite r = {.file = &w->rig.file,
		.method = w->rig.method,
		.code = &w->rig.code,
		.marks = &w->rig.marks,
		.insertions = &n,
		.max_stack = 7,
		.reach = reach};
	int err = code_rewrite(&r, &w->bytes, d);
	if (!err)
		err = code_read(&w->code, buf_slice(&w->bytes), d);
	insertions_release(&n);
	return err;
}

static int write(struct written *w, struct class_maker *m, uint32_t reach, struct diag *d)
{
	return write_of(w, m, slice(code, sizeof(code)), reach, d);
}

static void release(struct written *w)
{
	buf_release(&w->bytes);
	class_rig_release(&w->rig);
}

static void expect_attribute(
	const struct written *w, const char *name, const uint8_t *want, size_t len)
{
	struct slice content = slice(NULL, 0);
	EXPECT_INT(0, code_attribute(&w->code, &w->rig.file.pool, name, &content));
	EXPECT(slice_equal(slice(want, len), content));
}

TEST(all_that_names_a_place_follows)
{
	static const uint8_t lines[] = {0, 3, 0, 0, 0, 1, 0, 6, 0, 2, 0, 12, 0, 3},
			     variables[] = {0, 1, 0, 7, 0, 6, 0, 1, 0, 1, 0, 1},
			     frames[] = {0, 2, FRAME_APPEND, 0, 12, 7, 0, 2, FRAME_SAME_1 + 0, 5},
			     notes[] = {0, 1, 0x40, 0, 1, 0, 1, 0, 6, 0, 1, 0, 0, 1, 0, 0};
	struct class_maker m;
	struct written w;
	struct slice content;
	class_maker_init(&m, 52);
	add_attributes(&m);
	EXPECT_INT(0, write(&w, &m, BRANCH_REACH, NULL));
	EXPECT_INT(7, w.code.max_stack);
	EXPECT_INT(sizeof(code) + 3, w.code.bytes.len);
	EXPECT_INT(0, code_handler(&w.code, 0).start);
	EXPECT_INT(6, code_handler(&w.code, 0).end); /* what was put in is covered as newarray is */
	EXPECT_INT(13, code_handler(&w.code, 0).target);
	EXPECT_INT(4, w.code.attribute_count);
	expect_attribute(&w, "LineNumberTable", lines, sizeof(lines));
	expect_attribute(&w, "LocalVariableTable", variables, sizeof(variables));
	expect_attribute(&w, "StackMapTable", frames, sizeof(frames));
	expect_attribute(&w, "RuntimeVisibleTypeAnnotations", notes, sizeof(notes));
	EXPECT_INT(ERR_NOT_FOUND, code_attribute(&w.code, &w.rig.file.pool, "Unheard", &content));
	release(&w);
}

/* The condition is turned, so that 8 (now 16) gets a frame, and that behind it is written whole. */
TEST(a_turned_condition_gets_its_frame)
{
	struct class_maker m;
	struct written w;
	class_maker_init(&m, 52);
	static const uint8_t frames[] = {0, 2, FRAME_APPEND, 0, 9, 7, 0, 2, FRAME_SAME_1 + 0, 5};
	class_maker_attribute(&m, "StackMapTable", slice(frames, sizeof(frames)));
	EXPECT_INT(0, write(&w, &m, 3, NULL));
	EXPECT_INT(sizeof(code) + 3 + 5, w.code.bytes.len);
	EXPECT_INT(OP_ifnonnull, w.code.bytes.at[8]);
	EXPECT_INT(OP_goto_w, w.code.bytes.at[11]);
	uint32_t array = pool_count(&w.rig.file.pool) - 1;
	EXPECT(slice_equal(slice_str("[I"), pool_class(&w.rig.file.pool, array)));
	const uint8_t want[] = {0, 3, FRAME_FULL, 0, 16, 0, 2, 0, 7, U2(array), 0,
		0, /* nothing, int[] */
		FRAME_FULL, 0, 0, 0, 1, 7, 0, 2, 0, 0, FRAME_SAME_1 + 0, 5};
	expect_attribute(&w, "StackMapTable", want, sizeof(want));
	release(&w);
}

static void expect_refusal(const char *name, struct slice content, const char *why)
{
	struct class_maker m;
	struct written w;
	struct diag d = {""};
	class_maker_init(&m, 52);
	class_maker_attribute(&m, name, content);
	EXPECT_INT(ERR_FORMAT, write(&w, &m, BRANCH_REACH, &d));
	EXPECT_STR(why, d.text);
	release(&w);
}

/* It would lead to where there is no code. */
TEST(a_condition_at_the_end)
{
	static const uint8_t over[] = {
		OP_iconst_0, OP_newarray, 10, OP_pop, OP_iconst_0, OP_ifeq, 0xff, 0xfb};
	struct class_maker m;
	struct written w;
	struct diag d = {""};
	class_maker_init(&m, 49);
	EXPECT_INT(ERR_FORMAT, write_of(&w, &m, slice(over, sizeof(over)), 3, &d));
	EXPECT_STR("the code runs over its end", d.text);
	release(&w);
	class_maker_init(&m, 49);
	EXPECT_INT(0, write_of(&w, &m, slice(over, sizeof(over)), BRANCH_REACH, &d));
	release(&w);
}

TEST(tables_that_do_not_fit_the_code)
{
	static const uint8_t behind[] = {0, 1, 0, 11, 0, 1}, more[] = {0, 2, 0, 0, 0, 1},
			     range[] = {0, 1, 0, 4, 0, 8, 0, 1, 0, 1, 0, 1}, amid[] = {0, 1, 2},
			     twice[] = {0, 1, 1, 1}, uninit[] = {0, 1, FRAME_SAME_1 + 9, 8, 0, 2};
	expect_refusal("LineNumberTable", slice(behind, sizeof(behind)),
		"its LineNumberTable: not in the form it should have");
	expect_refusal("LineNumberTable", slice(more, sizeof(more)),
		"its LineNumberTable: not in the form it should have");
	expect_refusal("LocalVariableTypeTable", slice(range, sizeof(range)),
		"its LocalVariableTypeTable: not in the form it should have");
	expect_refusal("StackMapTable", slice(amid, sizeof(amid)),
		"its StackMapTable: not in the form it should have");
	expect_refusal("StackMapTable", slice(twice, sizeof(twice)),
		"its StackMapTable: not in the form it should have");
	expect_refusal("StackMapTable", slice(uninit, sizeof(uninit)),
		"its StackMapTable: not in the form it should have");
}

TEST(no_memory_at_any_step)
{
	int err = ERR_NOMEM;
	for (uint64_t fail = 1; err == ERR_NOMEM && fail < 200; fail++) {
		struct class_maker m;
		struct class_rig r;
		struct buf out = {0};
		struct insertions n = {.all = {0}};
		class_maker_init(&m, 52);
		add_attributes(&m);
		class_maker_method(
			&m, "run", "()V", (struct made_code){8, 2, 2, slice(code, sizeof(code))});
		class_rig_init(&r, &m);
		EXPECT_INT(0, insertions_add(&n, 1, 3, slice(nops, sizeof(nops))));
		struct rewrite w = {&r.file, r.method, &r.code, &r.marks, &n, 7, 3};
		mem_fail_at(fail);
		err = code_rewrite(&w, &out, NULL);
		mem_fail_at(0);
		insertions_release(&n);
		buf_release(&out);
		class_rig_release(&r);
	}
	EXPECT_INT(0, err);
}
