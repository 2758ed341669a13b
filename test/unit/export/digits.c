#include "export/digits.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "support/tap.h"

static void expect_count(uint64_t value)
{
	struct buf got = {0};
	char want[32];
	snprintf(want, sizeof(want), "%llu", (unsigned long long)value);
	digits_count(&got, value);
	EXPECT_STR(want, buf_text(&got));
	buf_release(&got);
}

/* Against long division by printf: whole and part, zeros cut off behind. */
static void expect_millionth(uint64_t value)
{
	struct buf got = {0};
	char want[40];
	int len = snprintf(want, sizeof(want), "%llu.%06llu", (unsigned long long)(value / 1000000),
		(unsigned long long)(value % 1000000));
	while (want[len - 1] == '0')
		want[--len] = '\0';
	if (want[len - 1] == '.')
		want[--len] = '\0';
	digits_millionth(&got, value);
	EXPECT_STR(want, buf_text(&got));
	buf_release(&got);
}

TEST(whole_numbers)
{
	struct rng rng = rng_init(tap_seed());
	const uint64_t edges[] = {0, 9, 10, 99, 100, 999999, 1000000, 1000001, UINT64_MAX};
	for (size_t i = 0; i < ARRAY_SIZE(edges); i++) {
		expect_count(edges[i]);
		expect_millionth(edges[i]);
	}
	for (int i = 0; i < 1000; i++) {
		uint64_t value = rng_u64(&rng) >> rng_below(&rng, 64);
		expect_count(value);
		expect_millionth(value);
		expect_millionth(value / 1000 * 1000);
	}
}

TEST(reals_come_back)
{
	static struct digits_memo memo;
	struct rng rng = rng_init(tap_seed());
	for (int i = 0; i < 3000; i++) {
		double value = (double)(int64_t)rng_below(&rng, 2000) / 7 - 100;
		struct buf got = {0}, plain = {0};
		char want[40];
		snprintf(want, sizeof(want), "%.15g", value);
		digits_number(&got, value, i % 2 ? &memo : NULL);
		EXPECT_STR(want, buf_text(&got));
		buf_release(&got);
		buf_release(&plain);
	}
	const double odd[] = {-0.0, 1e300, -1.2345678901234567e-300, 9007199254740993.0, 0.1};
	for (size_t i = 0; i < ARRAY_SIZE(odd); i++) {
		struct buf got = {0};
		digits_number(&got, odd[i], &memo);
		EXPECT_NEAR(odd[i], strtod(buf_text(&got), NULL),
			(odd[i] < 0 ? -odd[i] : odd[i]) * 1e-14);
		buf_release(&got);
	}
}
