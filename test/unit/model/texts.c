#include "model/texts.h"

#include "support/tap.h"

static void expect(const char *want, const char *written)
{
	struct texts t = {0};
	bool known;
	EXPECT_INT(0, texts_define(&t, 7, slice_str(written)));
	struct slice got = texts_get(&t, texts_number(&t, 7, &known));
	EXPECT(known && slice_equal(slice_str(want), got));
	texts_release(&t);
}

/* Java writes a character beyond U+FFFF as two halves; who filters by it writes UTF-8. */
TEST(texts_are_as_people_write_them)
{
	expect("com.acme.Order", "com.acme.Order");
	expect("zoo.\U0001F41D.fly", "zoo.\xed\xa0\xbd\xed\xb0\x9d.fly");
	expect("\U0001F41D", "\U0001F41D");
	expect("\xed\x95\x9c\xea\xb8\x80", "\xed\x95\x9c\xea\xb8\x80"); /* Hangul */
	expect("lone \xed\xa0\xbd half", "lone \xed\xa0\xbd half");
}

/* However it is written, it is one text. */
TEST(one_text_written_twice)
{
	struct texts t = {0};
	EXPECT_INT(0, texts_define(&t, 1, slice_str("\U0001F41D")));
	EXPECT_INT(0, texts_define(&t, 1, slice_str("\xed\xa0\xbd\xed\xb0\x9d")));
	EXPECT_INT(1, texts_define(&t, 1, slice_str("\xed\xa0\xbd\xed\xb0\x9e")));
	texts_release(&t);
}
