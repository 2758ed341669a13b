#include "base/nearest.h"

#include "base/rng.h"
#include "support/tap.h"

TEST(steps)
{
	static const struct {
		const char *a, *b;
		unsigned steps;
	} cases[] = {
		{"", "", 0},
		{"", "abc", 3},
		{"report", "report", 0},
		{"reprot", "report", 1},
		{"recrod", "record", 1},
		{"recor", "record", 1},
		{"records", "record", 1},
		{"kitten", "sitting", 3},
		{"ab", "ba", 1},
		{"abcd", "badc", 2},
	};
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT_INT(cases[i].steps, nearest_distance(cases[i].a, cases[i].b));
		EXPECT_INT(cases[i].steps, nearest_distance(cases[i].b, cases[i].a));
	}
}

/* The definition itself, without a table. */
static unsigned slow(const char *a, size_t la, const char *b, size_t lb)
{
	if (!la || !lb)
		return (unsigned)(la + lb);
	unsigned best = slow(a, la - 1, b, lb - 1) + (a[la - 1] != b[lb - 1]);
	unsigned other = slow(a, la - 1, b, lb) + 1;
	best = other < best ? other : best;
	other = slow(a, la, b, lb - 1) + 1;
	best = other < best ? other : best;
	if (la > 1 && lb > 1 && a[la - 1] == b[lb - 2] && a[la - 2] == b[lb - 1]) {
		other = slow(a, la - 2, b, lb - 2) + 1;
		best = other < best ? other : best;
	}
	return best;
}

TEST(agrees_with_the_definition)
{
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < 300; i++) {
		char a[6] = "", b[6] = "";
		size_t la = rng_below(&r, 6), lb = rng_below(&r, 6);
		for (size_t k = 0; k < la; k++)
			a[k] = (char)('a' + rng_below(&r, 3));
		for (size_t k = 0; k < lb; k++)
			b[k] = (char)('a' + rng_below(&r, 3));
		EXPECT_INT(slow(a, la, b, lb), nearest_distance(a, b));
	}
}

TEST(finds_what_was_meant)
{
	static const char *const names[] = {"record", "attach", NULL, "report", "info", "check"};
	size_t n = ARRAY_SIZE(names);
	EXPECT_STR("report", nearest_find("reprot", names, n));
	EXPECT_STR("record", nearest_find("rec", names, n));
	EXPECT_STR("attach", nearest_find("atach", names, n));
	EXPECT_STR("info", nearest_find("inof", names, n));
	EXPECT(!nearest_find("frobnicate", names, n));
	EXPECT(!nearest_find("x", names, n));
	EXPECT(!nearest_find("", names, n));
}

TEST(long_words_are_cut_not_overrun)
{
	char word[200];
	memset(word, 'a', sizeof(word) - 1);
	word[sizeof(word) - 1] = '\0';
	EXPECT_INT(0, nearest_distance(word, word));
	EXPECT_INT(32, nearest_distance(word, ""));
}
