#include "analyze/fail_if.h"

#include <math.h>
#include <string.h>

#include "base/compiler.h"
#include "base/error.h"
#include "support/tap.h"

TEST(rules_are_read)
{
	struct fail_if f = {0};
	EXPECT_INT(0, fail_if_add(&f, "site.alloc > +10%", NULL));
	EXPECT(f.rules[0].of_rows && f.rules[0].by == BY_SITE && !f.rules[0].survived &&
		!f.rules[0].less);
	EXPECT_NEAR(1.1, f.rules[0].limit, 1e-12);
	EXPECT_INT(0, fail_if_add(&f, "class.survived>50", NULL));
	EXPECT(f.rules[1].by == BY_CLASS && f.rules[1].survived);
	EXPECT_INT(0, fail_if_add(&f, "pause-mean < -5 %", NULL));
	EXPECT(!f.rules[2].of_rows && f.rules[2].figure == FIGURE_PAUSE_MEAN && f.rules[2].less);
	EXPECT_NEAR(0.95, f.rules[2].limit, 1e-12);
}

TEST(what_is_no_rule_is_refused)
{
	static const char *const bad[] = {"", "site", "site.alloc", "site.alloc >",
		"site.alloc = 3%", "site.colour > 3%", "car.alloc > 3%", "alloc > much",
		"alloc > 3% or so", "alloc > -3%", "alloc < 3%", "alloc < -101%", "alloc < -100%",
		"alloc > nan", "alloc > inf", ".alloc > 3%", "site. > 1%"};
	struct fail_if f = {0};
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		struct diag d = {""};
		EXPECT_INT(ERR_FORMAT, fail_if_add(&f, bad[i], &d));
		EXPECT(d.text[0]);
	}
	EXPECT_INT(0, f.count);
}

TEST(there_is_a_bound)
{
	struct fail_if f = {0};
	for (int i = 0; i < FAIL_IF_MAX; i++)
		EXPECT_INT(0, fail_if_add(&f, "alloc > 1%", NULL));
	EXPECT_INT(ERR_LIMIT, fail_if_add(&f, "alloc > 1%", NULL));
}

static size_t broken(const char *rule, struct diff *d)
{
	struct fail_if f = {0};
	struct notes n = {0};
	EXPECT_INT(0, fail_if_add(&f, rule, NULL));
	EXPECT_INT(0, fail_if_check(&f, d, &n));
	size_t count = n.list.count;
	notes_release(&n);
	return count;
}

TEST(only_what_is_beyond_and_no_chance_breaks_a_rule)
{
	char a_[] = "A", b_[] = "B", c_[] = "C", d_[] = "D", p_[] = "a.B.c";
	struct diff_row rows[] = {
		{.class = a_,
			.place = p_,
			.alloc = {1, 1.2, 1.2, 1.1, 1.3, 0.001},
			.p = 0.001,
			.survived_p = 1},
		{.class = b_,
			.place = p_,
			.alloc = {1, 2, 2, 0.5, 3, 0.5},
			.p = 0.5,
			.survived_p = 1},
		{.class = c_,
			.place = p_,
			.alloc = {0, 2, (double)INFINITY, (double)NAN, (double)NAN, 1e-9},
			.p = 1e-8,
			.survived_p = 1},
		{.class = d_,
			.place = p_,
			.alloc = {2, 0, 0, (double)NAN, (double)NAN, 1e-9},
			.p = 1e-8,
			.survived_p = 1},
	};
	struct diff d = {.by = BY_SITE, .rows = {rows, 4, 4}};
	for (int f = 0; f < FIGURES; f++)
		d.figures[f].ratio = d.figures[f].p = (double)NAN;
	d.figures[FIGURE_PAUSE].ratio = 1.5;
	EXPECT_INT(2, broken("site.alloc > 10%", &d)); /* A, and C, which is new */
	EXPECT_INT(1, broken("site.alloc > 25%", &d));
	EXPECT_INT(1, broken("site.alloc < -25%", &d));
	EXPECT_INT(0, broken("class.alloc > 10%", &d)); /* no rows by class here */
	EXPECT_INT(1, broken("pause > 40%", &d));
	EXPECT_INT(0, broken("pause > 60%", &d));
	EXPECT_INT(0, broken("alloc > 1%", &d));
}

TEST(a_rule_about_what_is_not_known_is_told)
{
	static const char *const rules[] = {"pause-mean > 5%", "heap < -5%", "site.survived > 5%",
		"site.alloc > 5%", "alloc > 5%"};
	struct fail_if f = {0};
	struct notes n = {0};
	struct diff d = {.by = BY_SITE};
	d.figures[FIGURE_PAUSE_MEAN].a = d.figures[FIGURE_HEAP].b = (double)NAN;
	d.figures[FIGURE_PAUSE_MEAN].ratio = d.figures[FIGURE_HEAP].ratio = (double)NAN;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		EXPECT_INT(0, fail_if_add(&f, rules[i], NULL));
	EXPECT_INT(0, fail_if_check(&f, &d, &n));
	EXPECT_INT(0, n.list.count);
	EXPECT_INT(0, fail_if_unknown(&f, &d, &n));
	EXPECT_INT(3, n.list.count);
	notes_release(&n);
}
