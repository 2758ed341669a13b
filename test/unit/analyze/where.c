#include "analyze/where.h"

#include <stdio.h>

#include "base/error.h"
#include "support/ledger_of.h"
#include "support/tap.h"

static const struct sim_site site[] = {
	{"byte[][]", {"a.b.C.run:7", "x.Main.main:2"}, 64, 1, 90, 1, 4}};

static bool matches(const struct ledger_of *l, const char *text)
{
	struct where w = {0};
	struct buf scratch = {0};
	EXPECT_INT(0, where_add(&w, text, NULL));
	bool yes = where_account(&w, &l->model, 1, 1, &scratch);
	buf_release(&scratch);
	return yes;
}

TEST(globs)
{
	struct ledger_of l;
	struct sim s = {.sites = site,
		.count = 1,
		.seed = 1,
		.samples = 3,
		.interval = 1000,
		.bytes_per_s = 1000};
	EXPECT_INT(0, ledger_of_sim(&l, &s, true));
	static const char *const yes[] = {"class=byte[][]", "class=byte*", "class=????[][]",
		"site=a.b.C.run:7", "method=*.run", "package=a.?", "thread=worker-*",
		"stack=x.Main.*", "shape=churn"};
	static const char *const no[] = {"class=byte[]", "class=byte[][", "site=a.b.C.run",
		"method=a.b.C.run:7", "package=a", "thread=main", "stack=y.*", "class=BYTE[][]"};
	for (size_t i = 0; i < ARRAY_SIZE(yes); i++)
		EXPECT(matches(&l, yes[i]));
	for (size_t i = 0; i < ARRAY_SIZE(no); i++)
		EXPECT(!matches(&l, no[i]));
	ledger_of_release(&l);
}

TEST(shapes_are_matched_apart)
{
	struct where w = {0};
	EXPECT_INT(0, where_add(&w, "shape=*-l*", NULL));
	EXPECT(where_shape(&w, SHAPE_LONG_LIVED));
	EXPECT(where_shape(&w, SHAPE_MID_LIFE));
	EXPECT(!where_shape(&w, SHAPE_CHURN));
	EXPECT_INT(1, w.count);
	for (int i = 0; i < SHAPES; i++) {
		char text[64];
		w.count = 0;
		snprintf(text, sizeof(text), "shape=%s", shape_text((enum shape)i));
		EXPECT_INT(0, where_add(&w, text, NULL));
	}
}

TEST(mistakes_have_a_sentence)
{
	struct where w = {0};
	static const char *const bad[] = {"", "class", "class=", "=x", "colour=red", "classy=x",
		"shape=pretenure", "shape=Churn", "shape=*x"};
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct diag d = {""};
		EXPECT_INT(ERR_FORMAT, where_add(&w, bad[i], &d));
		EXPECT(d.text[0] != '\0');
	}
	char longest[WHERE_TEXT + 10];
	memset(longest, 'x', sizeof(longest));
	memcpy(longest, "class=", 6);
	longest[sizeof(longest) - 1] = '\0';
	EXPECT_INT(ERR_LIMIT, where_add(&w, longest, NULL));
	for (int i = (int)w.count; i < WHERE_MAX; i++)
		EXPECT_INT(0, where_add(&w, "class=x", NULL));
	EXPECT_INT(ERR_LIMIT, where_add(&w, "class=x", NULL));
}
