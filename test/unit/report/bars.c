#include "report/bars.h"

#include <math.h>

#include "stat/survival.h"
#include "support/tap.h"

static const struct look utf8 = {.utf8 = true}, ascii = {0};

static void expect(const char *want, const struct ages *a, const struct look *look)
{
	struct curve c;
	struct buf b = {0};
	EXPECT_INT(0, survival_curve(a, &c));
	bars_put(&b, &c, look);
	EXPECT_STR(want, buf_text(&b));
	EXPECT_INT(BARS, text_width(buf_slice(&b)));
	EXPECT_INT(BARS, text_width(slice_str(bars_head(look))));
	curve_release(&c);
	buf_release(&b);
}

TEST(where_the_objects_die)
{
	struct ages a = {0};
	for (int i = 0; i < 100; i++)
		EXPECT_INT(0, ages_add(&a, FATE_DIED, 0, i < 50 ? 0 : i < 75 ? 3 : 20, 1));
	expect("▄  ▂           ▂", &a, &utf8);
	expect(":  .           .", &a, &ascii);
	ages_release(&a);
}

TEST(what_was_not_seen_is_a_dot)
{
	struct ages a = {0};
	EXPECT_INT(0, ages_add(&a, FATE_DIED, 0, 0, 1));
	EXPECT_INT(0, ages_add(&a, FATE_LOST, 0, 2, 1));
	expect("▄ ··············", &a, &utf8);
	ages_release(&a);
}

TEST(shares_sum_to_one)
{
	struct ages a = {0};
	struct curve c;
	double shares[BARS], sum = 0;
	for (uint32_t i = 0; i < 60; i++)
		EXPECT_INT(0, ages_add(&a, FATE_DIED, 0, i / 3, 1 + i % 5));
	EXPECT_INT(0, survival_curve(&a, &c));
	bars_shares(&c, shares);
	for (int i = 0; i < BARS; i++)
		sum += shares[i];
	EXPECT_NEAR(1, sum, 1e-9);
	curve_release(&c);
	ages_release(&a);
}
