#include "classfile/turn_frames.h"

#include "base/error.h"
#include "support/class_rig.h"
#include "support/tap.h"

/* A condition that leads from 7 to 40, where a string, an array and a long are in locals, and an
 * object that is not constructed yet is on the stack. */
static void make(struct class_rig *r, struct slice table, uint16_t major)
{
	struct class_maker m;
	uint8_t code[41] = {0};
	class_maker_init(&m, major);
	uint16_t type = class_maker_class(&m, "x/Y");
	const uint8_t start[] = {OP_iconst_0, OP_newarray, 10, OP_astore_3, OP_new, U2(type),
		OP_aload_1, OP_ifnull, 0, 32, OP_nop};
	memcpy(code, start, sizeof(start));
	code[40] = OP_return;
	class_maker_attribute(&m, "StackMapTable", table);
	class_maker_method(
		&m, "run", "(Ljava/lang/String;)V", (struct made_code){0, 3, 6, slice(code, 41)});
	class_rig_init(r, &m);
}

static int find(struct class_rig *r, struct turn_frames *t)
{
	struct insertions none = {.all = {0}};
	struct rewrite w = {.file = &r->file,
		.method = r->method,
		.code = &r->code,
		.marks = &r->marks,
		.insertions = &none,
		.max_stack = 4,
		.reach = 10};
	struct layout l;
	struct slice table;
	EXPECT_INT(0, layout_make(&l, r->code.bytes, &none, w.reach));
	EXPECT(l.turned);
	EXPECT_INT(0, code_attribute(&r->code, &r->file.pool, "StackMapTable", &table));
	int err = turn_frames_find(t, &w, &l, table);
	layout_release(&l);
	return err;
}

TEST(types_are_followed_to_where_the_frame_is_missing)
{
	static const uint8_t table[] = {0, 1, 40};
	struct class_rig r;
	struct turn_frames t;
	make(&r, slice(table, sizeof(table)), 52);
	EXPECT_INT(0, find(&r, &t));
	EXPECT_INT(1, t.all.count);
	const struct frame *f = &t.all.at[0];
	EXPECT_INT(11, f->bci);
	EXPECT_INT(4, f->locals.count);
	EXPECT_INT(r.file.this_class, value_payload(f->locals.at[0]));
	EXPECT(slice_equal(slice_str("java/lang/String"),
		pool_class(&r.file.pool, value_payload(f->locals.at[1]))));
	EXPECT_INT(VALUE_TOP, value_tag(f->locals.at[2]));
	EXPECT(slice_equal(
		slice_str("[I"), pool_class(&r.file.pool, value_payload(f->locals.at[3]))));
	EXPECT_INT(1, f->stack.count);
	EXPECT(value_equal(value(VALUE_UNINIT, 4), f->stack.at[0]));
	turn_frames_release(&t);
	class_rig_release(&r);
}

TEST(none_where_one_is)
{
	static const uint8_t table[] = {0, 2, FRAME_SAME_1 + 11, 8, 0, 4, 28};
	struct class_rig r;
	struct turn_frames t;
	make(&r, slice(table, sizeof(table)), 52);
	EXPECT_INT(0, find(&r, &t));
	EXPECT_INT(0, t.all.count);
	turn_frames_release(&t);
	class_rig_release(&r);
}

/* The frame at 7 takes the place of what was known. */
TEST(a_frame_says_more_than_the_code_before)
{
	static const uint8_t table[] = {0, 2, FRAME_FULL, 0, 7, 0, 2, 1, 4, 0, 1, 8, 0, 4, 32};
	struct class_rig r;
	struct turn_frames t;
	make(&r, slice(table, sizeof(table)), 52);
	EXPECT_INT(0, find(&r, &t));
	EXPECT_INT(1, t.all.count);
	EXPECT_INT(2, t.all.at[0].locals.count);
	EXPECT_INT(VALUE_INT, value_tag(t.all.at[0].locals.at[0]));
	EXPECT_INT(VALUE_LONG, value_tag(t.all.at[0].locals.at[1]));
	turn_frames_release(&t);
	class_rig_release(&r);
}

TEST(frames_that_do_not_fit_the_code)
{
	static const uint8_t deep[] = {0, 1, FRAME_FULL, 0, 7, 0, 0, 0, 9, 1, 1, 1, 1, 1, 1, 1, 1,
		1},
			     cut[] = {0, 2, 40};
	struct class_rig r;
	struct turn_frames t;
	make(&r, slice(deep, sizeof(deep)), 52);
	EXPECT_INT(ERR_FORMAT, find(&r, &t));
	turn_frames_release(&t);
	class_rig_release(&r);
	make(&r, slice(cut, sizeof(cut)), 52);
	EXPECT_INT(0, find(&r, &t) == 0);
	turn_frames_release(&t);
	class_rig_release(&r);
}

/* An object that is told to be made where nothing is made, or outside of the code. */
TEST(frames_with_places_that_are_none)
{
	static const struct {
		uint8_t place[2];
		int err;
	} rows[] = {{{0, 1}, ERR_NONE}, {{0, 4}, ERR_FORMAT}, {{0, 39}, ERR_FORMAT},
		{{0, 41}, ERR_FORMAT}, {{0xff, 0xff}, ERR_FORMAT}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		uint8_t table[] = {0, 2, FRAME_SAME_1 + 4, VALUE_UNINIT, 0, 0, 35}, code[41] = {0};
		struct class_maker m;
		struct class_rig r;
		struct turn_frames t;
		memcpy(table + 4, rows[i].place, sizeof(rows[i].place));
		class_maker_init(&m, 52);
		uint16_t type = class_maker_class(&m, "x/Y"),
			 init = class_maker_ref(&m, POOL_METHOD, "x/Y", "<init>", "()V");
		const uint8_t start[] = {OP_nop, OP_new, U2(type), OP_invokespecial, U2(init),
			OP_iconst_0, OP_ifeq, 0, 32};
		memcpy(code, start, sizeof(start));
		code[38] = OP_bipush;
		code[39] = OP_new; /* a number, at the end */
		code[40] = OP_return;
		class_maker_attribute(&m, "StackMapTable", slice(table, sizeof(table)));
		class_maker_method(&m, "run", "()V", (struct made_code){0, 3, 6, slice(code, 41)});
		class_rig_init(&r, &m);
		EXPECT_INT(rows[i].err, find(&r, &t));
		turn_frames_release(&t);
		class_rig_release(&r);
	}
}

/* Behind a goto nothing is known without a frame; no verifier takes such code. */
TEST(what_is_not_known_is_not_guessed)
{
	static const uint8_t table[] = {0, 1, 40};
	struct class_maker m;
	struct class_rig r;
	struct turn_frames t;
	uint8_t code[41] = {OP_goto, 0, 40, OP_iconst_0, OP_ifeq, 0, 36};
	code[40] = OP_return;
	class_maker_init(&m, 52);
	class_maker_attribute(&m, "StackMapTable", slice(table, sizeof(table)));
	class_maker_method(&m, "run", "()V", (struct made_code){0, 3, 6, slice(code, 41)});
	class_rig_init(&r, &m);
	EXPECT_INT(ERR_UNSUPPORTED, find(&r, &t));
	turn_frames_release(&t);
	class_rig_release(&r);
}
