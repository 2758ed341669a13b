#include "classfile/frames.h"

#include "base/error.h"
#include "support/tap.h"

/* One of each kind. The method has a this (class 7) and a long. */
static const uint8_t table[] = {0, 8, 5,       /* same, at 5 */
	FRAME_SAME_1 + 3, 7, 0, 9,             /* at 9, an object of class 9 */
	FRAME_APPEND + 1, 0, 10, 1, 8, 0, 4,   /* at 20: an int, what `new` at 4 made */
	FRAME_CHOP + 1, 0, 0,                  /* at 21: less by two */
	FRAME_SAME_FAR, 0, 100,                /* at 122 */
	FRAME_SAME_1_FAR, 0, 0, 5,             /* at 123, null */
	FRAME_FULL, 0, 0, 0, 2, 6, 3, 0, 1, 4, /* at 124: this before its constructor, a double */
	FRAME_SAME_1 + 0, 2};                  /* at 125, a float */

static void open(struct frames *f, struct slice bytes)
{
	struct state s;
	EXPECT_INT(0, state_init(&s, 6, 2));
	state_store(&s, 0, value(VALUE_OBJECT, 7));
	state_store(&s, 1, value(VALUE_LONG, 0));
	EXPECT_INT(0, stackmap_open(f, bytes, &s));
	state_release(&s);
}

TEST(frames_are_made_whole)
{
	static const struct {
		uint32_t bci;
		size_t locals, stack;
	} rows[] = {{5, 2, 0}, {9, 2, 1}, {20, 4, 0}, {21, 2, 0}, {122, 2, 0}, {123, 2, 1},
		{124, 2, 1}, {125, 2, 1}};
	struct frames f;
	open(&f, slice(table, sizeof(table)));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		EXPECT_INT(0, stackmap_next(&f));
		EXPECT_INT(rows[i].bci, f.now.bci);
		EXPECT_INT(rows[i].locals, f.now.locals.count);
		EXPECT_INT(rows[i].stack, f.now.stack.count);
	}
	EXPECT_INT(VALUE_DOUBLE, value_tag(f.now.locals.at[1]));
	EXPECT_INT(VALUE_FLOAT, value_tag(f.now.stack.at[0]));
	EXPECT_INT(ERR_NOT_FOUND, stackmap_next(&f));
	EXPECT_INT(0, cursor_left(&f.c));
	stackmap_release(&f);
}

/* Written in place they are the same bytes; `new` at 4 moves with its place. */
TEST(written_as_they_were)
{
	uint32_t at[16];
	struct frames f;
	struct buf out = {0};
	int64_t last = -1;
	for (uint32_t i = 0; i < 16; i++)
		at[i] = i;
	open(&f, slice(table, sizeof(table)));
	buf_put_be16(&out, 8);
	while (stackmap_next(&f) == 0) {
		frame_put(&f.now, (uint32_t)(f.now.bci - last - 1), at, &out);
		last = f.now.bci;
	}
	EXPECT(slice_equal(slice(table, sizeof(table)), buf_slice(&out)));
	stackmap_release(&f);
	buf_release(&out);
}

TEST(a_longer_way_takes_another_kind)
{
	static const uint8_t want[] = {FRAME_SAME_FAR, 0, 64, 63, FRAME_SAME_1_FAR, 1, 0, 8, 0, 90};
	uint32_t at[] = {0, 10, 20, 30, 90};
	struct frame same = {.type = 3}, one = {.type = FRAME_SAME_1};
	struct buf out = {0};
	EXPECT_INT(0, vec_push(&one.stack, value(VALUE_UNINIT, 4)));
	frame_put(&same, 64, at, &out);
	frame_put(&same, 63, at, &out);
	frame_put(&one, 256, at, &out);
	EXPECT(slice_equal(slice(want, sizeof(want)), buf_slice(&out)));
	frame_release(&one);
	buf_release(&out);
}

TEST(to_a_state_and_back)
{
	struct state s;
	struct frame f;
	EXPECT_INT(0, state_init(&s, 6, 3));
	state_store(&s, 0, value_stain(value(VALUE_OBJECT, 7), true));
	state_store(&s, 2, value(VALUE_DOUBLE, 0));
	state_push_wide(&s, value(VALUE_LONG, 0));
	EXPECT_INT(0, frame_of_state(&f, 30, &s));
	EXPECT_INT(3, f.locals.count); /* the object, nothing, a double */
	EXPECT(value_equal(value(VALUE_OBJECT, 7), f.locals.at[0]));
	EXPECT_INT(1, f.stack.count);
	s.depth = 0;
	EXPECT_INT(0, frame_to_state(&f, &s));
	EXPECT_INT(2, s.depth);
	EXPECT_INT(VALUE_DOUBLE, value_tag(s.local[2]));
	s.locals = 3;
	EXPECT_INT(ERR_FORMAT, frame_to_state(&f, &s));
	frame_release(&f);
	s.locals = 6;
	s.depth = 0;
	s.err = 0;
	state_store(&s, 5, value(VALUE_REF, 0));
	EXPECT_INT(ERR_UNSUPPORTED, frame_of_state(&f, 30, &s));
	frame_release(&f);
	state_release(&s);
}

static int walk(struct slice bytes)
{
	struct frames f;
	int err;
	open(&f, bytes);
	while ((err = stackmap_next(&f)) == 0) {
	}
	stackmap_release(&f);
	return err;
}

TEST(what_is_no_frame)
{
	static const uint8_t reserved[] = {0, 1, FRAME_RESERVED}, tag[] = {0, 1, FRAME_SAME_1, 9},
			     chop[] = {0, 1, FRAME_CHOP, 0, 0};
	EXPECT_INT(ERR_FORMAT, walk(slice(reserved, sizeof(reserved))));
	EXPECT_INT(ERR_FORMAT, walk(slice(tag, sizeof(tag))));
	EXPECT_INT(ERR_FORMAT, walk(slice(chop, sizeof(chop))));
	for (size_t len = 2; len < sizeof(table); len++)
		EXPECT_INT(ERR_TRUNCATED, walk(slice(table, len)));
}
