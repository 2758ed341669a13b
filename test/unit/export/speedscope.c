#include "export/speedscope.h"

#include <jansson.h>

#include "analyze/metric.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/export_of.h"
#include "support/tap.h"

static int put(struct buf *got, const struct export_of *x, const struct where *where)
{
	struct out o = {.sink = sink_buf(got)};
	const struct speedscope_source s = {&x->model, &x->ledger, &x->cells, where, "a\"b.mfly"};
	int err = speedscope_put(&o, &s);
	out_release(&o);
	return err;
}

static json_t *load(const struct buf *got)
{
	json_error_t error;
	json_t *file = json_loadb((const char *)got->at, got->len, 0, &error);
	EXPECT(file);
	return file;
}

/* Sum of the weights, which agree with the samples and the frames that there are. */
static double weigh(const json_t *profile, size_t frames)
{
	const json_t *weights = json_object_get(profile, "weights");
	const json_t *samples = json_object_get(profile, "samples");
	double sum = 0;
	EXPECT_INT(json_array_size(weights), json_array_size(samples));
	for (size_t i = 0; i < json_array_size(weights); i++) {
		const json_t *stack = json_array_get(samples, i);
		for (size_t j = 0; j < json_array_size(stack); j++)
			EXPECT((size_t)json_integer_value(json_array_get(stack, j)) < frames);
		EXPECT(json_array_size(stack) > 0);
		sum += json_number_value(json_array_get(weights, i));
	}
	EXPECT_NEAR(sum, json_number_value(json_object_get(profile, "endValue")), 0.1);
	return sum;
}

static double ledger_sum(const struct export_of *x, enum metric metric)
{
	double sum = 0;
	for (size_t i = 0; i < x->ledger.accounts.count; i++)
		sum += metric_of(&x->ledger.accounts.at[i].tally, metric);
	return sum;
}

TEST(profiles_are_the_reports_sums)
{
	const enum metric metrics[] = {
		METRIC_ALLOC, METRIC_DIED0, METRIC_SURVIVED, METRIC_COUNT, METRIC_LIVE};
	struct export_of x;
	struct buf got = {0};
	EXPECT_INT(ERR_NONE, export_of_sim(&x, &export_of_hostile, false, NULL));
	EXPECT_INT(ERR_NONE, put(&got, &x, &x.where));
	json_t *file = load(&got);
	const json_t *profiles = json_object_get(file, "profiles");
	size_t frames = json_array_size(json_object_get(json_object_get(file, "shared"), "frames"));
	EXPECT_INT(ARRAY_SIZE(metrics), json_array_size(profiles));
	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++) {
		double sum = weigh(json_array_get(profiles, i), frames);
		if (metrics[i] != METRIC_COUNT)
			EXPECT_NEAR(ledger_sum(&x, metrics[i]), sum, 10);
		else
			EXPECT(sum > 0 && sum < ledger_sum(&x, METRIC_SURVIVED));
	}
	json_decref(file);
	buf_release(&got);
	export_of_release(&x);
}

TEST(names_are_cleaned)
{
	struct export_of x;
	struct buf got = {0};
	EXPECT_INT(ERR_NONE, export_of_sim(&x, &export_of_hostile, false, NULL));
	EXPECT_INT(ERR_NONE, put(&got, &x, &x.where));
	json_t *file = load(&got);
	EXPECT_STR("a\"b.mfly", json_string_value(json_object_get(file, "name")));
	EXPECT(strstr(buf_text(&got), "<script>alert('\\\"x\\\"')</script>"));
	EXPECT(strstr(buf_text(&got), "line?break?[31m"));
	EXPECT(strstr(buf_text(&got), "???? Größe"));
	json_decref(file);
	buf_release(&got);
	export_of_release(&x);
}

TEST(filters_and_emptiness)
{
	struct export_of x;
	struct buf got = {0};
	static struct where where;
	EXPECT_INT(ERR_NONE, where_add(&where, "class=none.such", NULL));
	EXPECT_INT(ERR_NONE, export_of_sim(&x, &export_of_hostile, false, NULL));
	EXPECT_INT(ERR_NONE, put(&got, &x, &where));
	json_t *file = load(&got);
	EXPECT_NEAR(0, weigh(json_array_get(json_object_get(file, "profiles"), 0), 0), 0);
	json_decref(file);
	buf_release(&got);
	export_of_release(&x);
}

TEST(out_of_memory)
{
	struct export_of x;
	EXPECT_INT(ERR_NONE, export_of_sim(&x, &export_of_hostile, false, NULL));
	for (uint64_t n = 1; n < 9; n++) {
		struct buf got = {0};
		mem_fail_at(n);
		int err = put(&got, &x, &x.where);
		mem_fail_at(0);
		EXPECT_INT(ERR_NOMEM, err);
		buf_release(&got);
	}
	export_of_release(&x);
}
