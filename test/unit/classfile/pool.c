#include "classfile/pool.h"

#include "base/error.h"
#include "support/tap.h"

/* 1 "T", 2 class 1, 3-4 long, 5 "m", 6 "()V", 7 name and type, 8 method, 9 class of no text */
static const uint8_t small[] = {0, 10, POOL_UTF8, 0, 1, 'T', POOL_CLASS, 0, 1, POOL_LONG, 0, 0, 0,
	0, 0, 0, 0, 1, POOL_UTF8, 0, 1, 'm', POOL_UTF8, 0, 3, '(', ')', 'V', POOL_NAME_AND_TYPE, 0,
	5, 0, 6, POOL_METHOD, 0, 2, 0, 7, POOL_CLASS, 0, 3};

static int read(struct pool *p, const uint8_t *bytes, size_t len, struct diag *d)
{
	struct slice file = slice(bytes, len);
	struct cursor c = cursor_init(file);
	return pool_read(p, file, &c, d);
}

TEST(constants_by_number)
{
	struct pool p;
	EXPECT_INT(0, read(&p, small, sizeof(small), NULL));
	EXPECT_INT(10, pool_count(&p));
	EXPECT(slice_equal(slice_str("T"), pool_class(&p, 2)));
	EXPECT_INT(POOL_LONG, pool_tag(&p, 3));
	EXPECT_INT(POOL_NONE, pool_tag(&p, 4));
	EXPECT_INT(POOL_NONE, pool_tag(&p, 0));
	EXPECT_INT(POOL_NONE, pool_tag(&p, 10));
	struct pool_member m = pool_member(&p, 8);
	EXPECT(slice_equal(slice_str("T"), m.owner) && slice_equal(slice_str("m"), m.name) &&
		slice_equal(slice_str("()V"), m.descriptor));
	EXPECT_INT(0, pool_class(&p, 9).len);
	EXPECT_INT(0, pool_class(&p, 1).len);
	EXPECT_INT(0, pool_member(&p, 2).name.len);
	pool_release(&p);
}

TEST(cut_anywhere_it_is_truncated)
{
	for (size_t len = 0; len < sizeof(small); len++) {
		struct pool p;
		EXPECT_INT(ERR_TRUNCATED, read(&p, small, len, NULL));
		pool_release(&p);
	}
}

TEST(what_is_no_constant)
{
	static const uint8_t tag2[] = {0, 2, 2, 0, 0}, tag21[] = {0, 2, 21, 0, 0}, empty[] = {0, 0},
			     half[] = {0, 2, POOL_LONG, 0, 0, 0, 0, 0, 0, 0, 0};
	struct pool p;
	struct diag d = {""};
	EXPECT_INT(ERR_FORMAT, read(&p, tag2, sizeof(tag2), &d));
	EXPECT_STR("constant 1 at byte 2 has no known tag", d.text);
	pool_release(&p);
	EXPECT_INT(ERR_FORMAT, read(&p, tag21, sizeof(tag21), NULL));
	pool_release(&p);
	EXPECT_INT(ERR_FORMAT, read(&p, empty, sizeof(empty), NULL));
	pool_release(&p);
	EXPECT_INT(ERR_FORMAT, read(&p, half, sizeof(half), NULL));
	pool_release(&p);
}

TEST(what_is_added_is_found_again)
{
	struct pool p;
	uint16_t a, b, wide;
	struct pool_member m = {slice_str("H"), slice_str("made"), slice_str("(I)V")};
	EXPECT_INT(0, read(&p, small, sizeof(small), NULL));
	EXPECT_INT(0, pool_add_member(&p, POOL_METHOD, &m, &a));
	EXPECT_INT(16 - 1, a); /* behind Utf8, Class, two Utf8, NameAndType */
	EXPECT_INT(0, pool_add_member(&p, POOL_METHOD, &m, &b));
	EXPECT_INT(a, b);
	EXPECT(slice_equal(slice_str("made"), pool_member(&p, a).name));
	EXPECT_INT(0, pool_add_bits(&p, POOL_LONG, 7, &wide));
	EXPECT_INT(0, pool_add_utf8(&p, slice_str("next"), &b));
	EXPECT_INT(wide + 2, b);
	EXPECT_INT(POOL_NONE, pool_tag(&p, wide + 1u));
	EXPECT_INT(9, p.at.at[b] - p.at.at[wide]);
	pool_release(&p);
}

TEST(full_at_65535)
{
	struct pool p;
	uint16_t n = 0;
	EXPECT_INT(0, read(&p, small, sizeof(small), NULL));
	int err = 0;
	for (uint32_t i = 0; !err && i < 70000; i++)
		err = pool_add_bits(&p, POOL_INTEGER, i, &n);
	EXPECT_INT(ERR_FULL, err);
	EXPECT_INT(65534, n);
	EXPECT_INT(65535, pool_count(&p));
	EXPECT_INT(0, pool_add_bits(&p, POOL_INTEGER, 5, &n)); /* is there */
	pool_release(&p);
}

TEST(no_memory_at_any_step)
{
	for (uint64_t fail = 1; fail < 40; fail++) {
		struct pool p;
		uint16_t n;
		EXPECT_INT(0, read(&p, small, sizeof(small), NULL));
		mem_fail_at(fail);
		int err = pool_add_text(&p, POOL_CLASS, slice_str("java/lang/Object"), &n);
		mem_fail_at(0);
		EXPECT(err == 0 || err == ERR_NOMEM);
		EXPECT_INT(0, pool_add_text(&p, POOL_CLASS, slice_str("java/lang/Object"), &n));
		EXPECT(slice_equal(slice_str("java/lang/Object"), pool_class(&p, n)));
		pool_release(&p);
	}
}
