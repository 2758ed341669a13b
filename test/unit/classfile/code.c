#include "classfile/code.h"

#include "base/error.h"
#include "support/class_rig.h"
#include "support/tap.h"

TEST(parts_of_the_attribute)
{
	static const uint8_t code[] = {OP_nop, OP_return};
	struct class_maker m;
	struct class_rig r;
	struct slice content;
	class_maker_init(&m, 55);
	class_maker_handler(&m, 0, 1, 1);
	class_maker_attribute(&m, "First", slice_str("one"));
	class_maker_attribute(&m, "Second", slice_str("two2"));
	class_maker_method(&m, "run", "()V", (struct made_code){0, 3, 4, slice(code, 2)});
	class_rig_init(&r, &m);
	EXPECT_INT(3, r.code.max_stack);
	EXPECT_INT(4, r.code.max_locals);
	EXPECT(slice_equal(slice(code, 2), r.code.bytes));
	EXPECT_INT(1, r.code.handler_count);
	EXPECT_INT(1, code_handler(&r.code, 0).end);
	EXPECT_INT(1, code_handler(&r.code, 0).target);
	EXPECT_INT(0, code_attribute(&r.code, &r.file.pool, "Second", &content));
	EXPECT(slice_equal(slice_str("two2"), content));
	EXPECT_INT(ERR_NOT_FOUND, code_attribute(&r.code, &r.file.pool, "Third", &content));
	class_rig_release(&r);
}

TEST(lengths_that_lie)
{
	static const uint8_t none[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
			     vast[] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0},
			     more[] = {0, 0, 0, 0, 0, 0, 0, 1, OP_return, 0, 0, 0, 0, 9},
			     attribute[] = {0, 0, 0, 0, 0, 0, 0, 1, OP_return, 0, 0, 0, 1, 0, 1,
				     0xff, 0xff, 0xff, 0xff};
	struct code k;
	struct diag d = {""};
	EXPECT_INT(ERR_FORMAT, code_read(&k, slice(none, sizeof(none)), &d));
	EXPECT(d.text[0] != '\0');
	EXPECT_INT(ERR_FORMAT, code_read(&k, slice(vast, sizeof(vast)), NULL));
	EXPECT_INT(ERR_FORMAT, code_read(&k, slice(more, sizeof(more)), NULL));
	EXPECT_INT(0, code_read(&k, slice(more, sizeof(more) - 1), NULL));
	for (size_t len = 0; len < sizeof(more) - 1; len++)
		EXPECT_INT(ERR_TRUNCATED, code_read(&k, slice(more, len), NULL));
	EXPECT_INT(ERR_TRUNCATED, code_read(&k, slice(attribute, sizeof(attribute)), NULL));
}
