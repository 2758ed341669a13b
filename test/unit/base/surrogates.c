#include "base/surrogates.h"

#include "support/tap.h"

static void expect(const char *want, size_t bytes, const char *text)
{
	struct buf out = {0};
	struct slice from = slice_str(text);
	EXPECT_INT((int64_t)bytes, (int64_t)surrogates_put(&out, from.at, from.len));
	EXPECT_STR(want, buf_text(&out));
	buf_release(&out);
}

TEST(pairs)
{
	expect("\U0001F41D", 6, "\xed\xa0\xbd\xed\xb0\x9d!");
	expect("\U00010000", 6, "\xed\xa0\x80\xed\xb0\x80");
	expect("\U0010FFFF", 6, "\xed\xaf\xbf\xed\xbf\xbf");
}

TEST(what_is_none)
{
	expect("", 0, "\xed\xa0\xbd\xed\xb0");     /* cut */
	expect("", 0, "\xed\xb0\x9d\xed\xa0\xbd"); /* the wrong way round */
	expect("", 0, "\xed\xa0\xbd\xed\xa0\xbd"); /* twice the first half */
	expect("", 0, "\xed\xa0\xbd\xed\xb0\x1d"); /* no byte of one */
	expect("", 0, "\xed\x9f\xbf\xed\x9f\xbf"); /* Hangul */
	expect("", 0, "\U0001F41D\U0001F41D");
	expect("", 0, "");
}

TEST(where_there_may_be_one)
{
	EXPECT(surrogates_may(slice_str("\xed\xa0\xbd\xed\xb0\x9d")));
	EXPECT(!surrogates_may(slice_str("com.acme.Order")));
	EXPECT(!surrogates_may(slice_str("")));
}
