#include "classfile/marks.h"

#include "base/error.h"
#include "support/class_rig.h"
#include "support/tap.h"

static int make(const uint8_t *bytes, size_t len, const uint8_t *handler, struct marks *m)
{
	struct code k = {.bytes = slice(bytes, len),
		.handlers = slice(handler, handler ? HANDLER_SIZE : 0),
		.handler_count = handler != NULL};
	return marks_make(m, &k, NULL);
}

TEST(what_stands_where)
{
	static const uint8_t code[] = {OP_iconst_0, OP_ifeq, 0, 3, OP_return, OP_athrow},
			     handler[] = {0, 1, 0, 4, 0, 5, 0, 0};
	struct marks m;
	EXPECT_INT(0, make(code, sizeof(code), handler, &m));
	EXPECT_INT(MARK_INSN, m.at[0]);
	EXPECT_INT(MARK_INSN | MARK_RANGE, m.at[1]);
	EXPECT_INT(0, m.at[2]);
	EXPECT_INT(MARK_INSN | MARK_TARGET, m.at[4]);
	EXPECT_INT(MARK_INSN | MARK_HANDLER, m.at[5]);
	marks_release(&m);
}

static void refuses(const uint8_t *code, size_t len, const uint8_t *handler, int want)
{
	struct marks m;
	EXPECT_INT(want, make(code, len, handler, &m));
	marks_release(&m);
}

TEST(code_that_does_not_hold_together)
{
	static const uint8_t amid[] = {OP_goto, 0, 1}, before[] = {OP_goto, 0xff, 0xff},
			     behind[] = {OP_goto, 0, 3}, no_code[] = {0xfe}, cut[] = {OP_new, 0},
			     fine[] = {OP_sipush, 0, 0, OP_ireturn};
	refuses(amid, 3, NULL, ERR_FORMAT);
	refuses(before, 3, NULL, ERR_FORMAT);
	refuses(behind, 3, NULL, ERR_FORMAT);
	refuses(no_code, 1, NULL, ERR_FORMAT);
	refuses(cut, 2, NULL, ERR_TRUNCATED);
	refuses(fine, 4, NULL, 0);
	static const uint8_t handlers[][HANDLER_SIZE] = {{0, 0, 0, 0, 0, 0}, {0, 1, 0, 3, 0, 0},
		{0, 0, 0, 1, 0, 0}, {0, 0, 0, 5, 0, 0}, {0, 0, 0, 4, 0, 4}, {0, 0, 0, 4, 0, 2}};
	for (size_t i = 0; i < ARRAY_SIZE(handlers); i++)
		refuses(fine, 4, handlers[i], ERR_FORMAT);
	refuses(fine, 4, (const uint8_t[]){0, 0, 0, 4, 0, 3, 0, 0}, 0);
}
