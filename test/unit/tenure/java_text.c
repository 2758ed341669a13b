#include "tenure/java_text.h"

#include "base/mem.h"
#include "support/tap.h"

#define PAIR "\xed\xa0\xb5\xed\xb2\xb3" /* U+1D4B3, as the VM has it */

TEST(which_names_can_be_said)
{
	static const struct {
		const char *text;
		bool whole;
	} cases[] = {{"", true}, {"a/B$c", true}, {"\xc3\xa4\xe2\x82\xac", true}, {PAIR, true},
		{"a" PAIR PAIR "b", true}, {"\xed\x9f\xbf", true}, {"\xed\xa0\xb5", false},
		{"\xed\xa0\xb5x", false}, {"\xed\xb2\xb3", false}, {PAIR "\xed\xb2\xb3", false},
		{"\xed\xa0\xb5" PAIR, false}, {"a\xc0\x80", false}, {"\xe0\x80\x80", false},
		{"\xc3", false}, {"\xe2\x82", false}, {"\x80", false}, {"\xf0\x9d\x92\xb3", false}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		EXPECT_INT(cases[i].whole, java_text_is_whole(cases[i].text));
}

TEST(halves)
{
	EXPECT_INT(0xd835, java_text_half(PAIR));
	EXPECT_INT(0xdcb3, java_text_half(&PAIR[3]));
	EXPECT_INT(0, java_text_half("\xed\x9f\xbf"));
	EXPECT_INT(0, java_text_half("\xed"));
	EXPECT_INT(0, java_text_half("a"));
}

TEST(from_utf8)
{
	static const char *const cases[][2] = {{"", ""},
		{"a.B\xc3\xa4\xe2\x82\xac", "a.B\xc3\xa4\xe2\x82\xac"},
		{"x\xf0\x9d\x92\xb3y", "x" PAIR "y"},
		{"\xf4\x8f\xbf\xbf\xf0\x90\x80\x80",
			"\xed\xaf\xbf\xed\xbf\xbf\xed\xa0\x80\xed\xb0\x80"}};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = java_text_of(cases[i][0]);
		EXPECT_STR(cases[i][1], text);
		EXPECT(java_text_is_whole(text));
		mem_free(text);
	}
	mem_fail_at(1);
	EXPECT(java_text_of("a") == NULL);
	mem_fail_at(0);
}
