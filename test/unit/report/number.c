#include "report/number.h"

#include <jansson.h>
#include <math.h>

#include "base/rng.h"
#include "report/document.h"
#include "support/tap.h"

static void expect_as_jansson(double value)
{
	struct buf want = {0}, got = {0};
	struct document d = document_init(&want);
	document_put(&d, "", document_number(value));
	number_put(&got, value);
	EXPECT_STR(buf_text(&want), buf_text(&got));
	buf_release(&want);
	buf_release(&got);
}

TEST(edges_are_as_jansson_writes_them)
{
	static const double values[] = {0, -0.0, 1, -1, 0.5, 0.1, 1e-4, 9.99999e-5, 0.000123456789,
		0.00099999951, 0.0009999995, 0.9999994, 0.9999995, 0.9999996, 0.9999999, 9.999995,
		12.5, 99999.95, 100000, 123456, 123456.5, 123457.5, 999998.4, 999999, 999999.5, 1e6,
		1234567, 1e15, 1e100, 5e-324, 1.7e308, 0.1234565, 0.1234575, 1.0000005, 2.5,
		1000005e-1, (double)NAN, HUGE_VAL, -HUGE_VAL};
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		expect_as_jansson(values[i]);
}

TEST(any_number_is_as_jansson_writes_it)
{
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < 100000; i++) {
		double value = exp(rng_unit(&r) * 30 - 12);
		expect_as_jansson(value);
		/* Few digits, and those that end on a five. */
		double scale = pow(10, (double)rng_below(&r, 8));
		expect_as_jansson(round(value * scale) / scale);
		expect_as_jansson((round(value * scale) + 0.5) / scale);
	}
}

TEST(counts)
{
	struct buf b = {0};
	number_put_count(&b, 0);
	buf_put_str(&b, " ");
	number_put_count(&b, 1203);
	buf_put_str(&b, " ");
	number_put_count(&b, UINT64_MAX);
	EXPECT_STR("0 1203 18446744073709551615", buf_text(&b));
	buf_release(&b);
}
