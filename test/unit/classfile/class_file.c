#include "classfile/class_file.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "support/class_rig.h"
#include "support/tap.h"

static void make(struct buf *out)
{
	static const uint8_t code[] = {OP_return};
	struct class_maker m;
	class_maker_init(&m, 55);
	class_maker_handler(&m, 0, 1, 0);
	class_maker_attribute(&m, "LineNumberTable", slice("\0\1\0\0\0\7", 6));
	class_maker_method(
		&m, "run", "(J)V", (struct made_code){ACCESS_STATIC, 1, 2, slice(code, 1)});
	class_maker_method(
		&m, "run", "()V", (struct made_code){ACCESS_STATIC, 1, 0, slice(code, 1)});
	class_maker_put(&m, out);
	class_maker_release(&m);
}

TEST(names_and_methods)
{
	struct buf b = {0};
	struct class_file f;
	make(&b);
	EXPECT_INT(0, class_file_read(&f, buf_slice(&b), NULL));
	EXPECT_INT(55, f.major);
	EXPECT(slice_equal(slice_str("T"), f.name));
	EXPECT(slice_equal(slice_str("java/lang/Object"), f.super));
	EXPECT_INT(2, f.methods.count);
	EXPECT_INT(1, class_file_method(&f, slice_str("run"), slice_str("()V")));
	EXPECT_INT(2, class_file_method(&f, slice_str("run"), slice_str("(I)V")));
	EXPECT_INT(f.methods.at[0].code.len, code_u32(b.at + f.methods.at[0].code_len_at));
	class_file_release(&f);
	buf_release(&b);
}

/* Each cut is in memory of its own, so that a sanitizer sees a step over its end. */
TEST(cut_anywhere_it_is_truncated)
{
	struct buf b = {0};
	make(&b);
	for (size_t len = 0; len < b.len; len++) {
		uint8_t *cut = malloc(len + 1);
		struct class_file f;
		struct diag d = {""};
		memcpy(cut, b.at, len);
		EXPECT_INT(ERR_TRUNCATED, class_file_read(&f, slice(cut, len), &d));
		EXPECT(d.text[0] != '\0');
		class_file_release(&f);
		free(cut);
	}
	buf_release(&b);
}

static int read_with(size_t at, uint8_t byte, struct diag *d)
{
	struct buf b = {0};
	struct class_file f;
	make(&b);
	b.at[at] = byte;
	int err = class_file_read(&f, buf_slice(&b), d);
	class_file_release(&f);
	buf_release(&b);
	return err;
}

TEST(what_is_no_class_file)
{
	struct diag d = {""};
	EXPECT_INT(ERR_FORMAT, read_with(0, 0, &d));
	EXPECT_STR("not a class file", d.text);
	EXPECT_INT(ERR_UNSUPPORTED, read_with(7, 44, &d));
	EXPECT_STR("a class file of version 44.0", d.text);
	EXPECT_INT(ERR_UNSUPPORTED, read_with(7, 45, NULL)); /* 45.0 */
}

TEST(more_than_a_class_file)
{
	struct buf b = {0};
	struct class_file f;
	struct diag d = {""};
	make(&b);
	size_t len = b.len;
	buf_put_u8(&b, 0);
	EXPECT_INT(ERR_FORMAT, class_file_read(&f, buf_slice(&b), &d));
	char want[DIAG_MAX];
	snprintf(want, sizeof(want), "more than a class file at byte %zu: %s", len,
		err_text(ERR_FORMAT));
	EXPECT_STR(want, d.text);
	class_file_release(&f);
	buf_release(&b);
}

TEST(no_memory_at_any_step)
{
	struct buf b = {0};
	int err = ERR_NOMEM;
	make(&b);
	for (uint64_t fail = 1; err == ERR_NOMEM && fail < 100; fail++) {
		struct class_file f;
		uint64_t held = mem_held();
		mem_fail_at(fail);
		err = class_file_read(&f, buf_slice(&b), NULL);
		mem_fail_at(0);
		class_file_release(&f);
		EXPECT_INT(held, mem_held());
	}
	EXPECT_INT(0, err);
	buf_release(&b);
}
