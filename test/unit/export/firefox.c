#include "export/firefox.h"

#include <jansson.h>
#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "support/export_of.h"
#include "support/tap.h"

struct scene {
	struct export_of x;
	struct firefox_log log;
};

static void make(struct scene *s)
{
	s->log = (struct firefox_log){.most = 100000};
	struct listener l = firefox_log_listener(&s->log);
	EXPECT_INT(ERR_NONE, export_of_sim(&s->x, &export_of_hostile, false, &l));
}

static void release(struct scene *s)
{
	firefox_log_release(&s->log);
	export_of_release(&s->x);
}

static int put(struct buf *got, const struct scene *s, const struct where *where)
{
	struct out o = {.sink = sink_buf(got)};
	const struct firefox_source source = {&s->x.model, &s->log, where, "</script>.mfly"};
	int err = firefox_put(&o, &source);
	out_release(&o);
	return err;
}

static json_t *load(const struct scene *s, const struct where *where)
{
	struct buf got = {0};
	json_error_t error;
	EXPECT_INT(ERR_NONE, put(&got, s, where));
	json_t *file = json_loadb((const char *)got.at, got.len, 0, &error);
	EXPECT(file);
	buf_release(&got);
	return file;
}

/* Every column has as many values as the table says. Returns how many. */
static size_t expect_table(const json_t *table)
{
	const char *name;
	const json_t *column;
	size_t length = (size_t)json_integer_value(json_object_get(table, "length"));
	EXPECT(json_is_integer(json_object_get(table, "length")));
	for (void *i = json_object_iter((json_t *)(uintptr_t)table); i;
		i = json_object_iter_next((json_t *)(uintptr_t)table, i)) {
		name = json_object_iter_key(i);
		column = json_object_iter_value(i);
		if (json_is_array(column))
			tap_check(
				json_array_size(column) == length, __FILE__, __LINE__, "%s", name);
	}
	return length;
}

static void expect_indexes(const json_t *column, size_t end)
{
	for (size_t i = 0; i < json_array_size(column); i++) {
		const json_t *value = json_array_get(column, i);
		if (!json_is_null(value))
			EXPECT((size_t)json_integer_value(value) < end);
	}
}

TEST(tables_and_their_indexes)
{
	static struct scene s;
	make(&s);
	json_t *file = load(&s, &s.x.where), *shared = json_object_get(file, "shared");
	const json_t *stacks = json_object_get(shared, "stackTable"),
		     *frames = json_object_get(shared, "frameTable"),
		     *funcs = json_object_get(shared, "funcTable"),
		     *sources = json_object_get(shared, "sources"),
		     *thread = json_array_get(json_object_get(file, "threads"), 0),
		     *events = json_object_get(thread, "nativeAllocations"),
		     *markers = json_object_get(thread, "markers");
	size_t strings = json_array_size(json_object_get(shared, "stringArray"));
	expect_indexes(json_object_get(events, "stack"), expect_table(stacks));
	expect_indexes(json_object_get(stacks, "frame"), expect_table(frames));
	expect_indexes(json_object_get(frames, "func"), expect_table(funcs));
	expect_indexes(json_object_get(funcs, "name"), strings);
	expect_indexes(json_object_get(funcs, "source"), expect_table(sources));
	expect_indexes(json_object_get(markers, "name"), strings);
	EXPECT_INT(s.log.events.count, expect_table(events));
	EXPECT_INT(s.x.model.gcs.list.count, expect_table(markers));
	for (size_t i = 0; i < json_array_size(json_object_get(stacks, "prefix")); i++) {
		const json_t *prefix = json_array_get(json_object_get(stacks, "prefix"), i);
		EXPECT(json_is_null(prefix) || (size_t)json_integer_value(prefix) < i);
	}
	json_decref(file);
	release(&s);
}

/* What is born and not dead is what lives at the end, and what was let go. */
TEST(weights_balance)
{
	static struct scene s;
	double left = 0, want = 0;
	make(&s);
	json_t *file = load(&s, &s.x.where);
	const json_t *weights =
		json_object_get(json_object_get(json_array_get(json_object_get(file, "threads"), 0),
					"nativeAllocations"),
			"weight");
	for (size_t i = 0; i < json_array_size(weights); i++)
		left += json_number_value(json_array_get(weights, i));
	for (size_t i = 0; i < s.x.ledger.accounts.count; i++)
		want += s.x.ledger.accounts.at[i].tally.alive.bytes.sum +
			s.x.ledger.accounts.at[i].tally.untracked.bytes.sum;
	EXPECT(want > 0);
	EXPECT_NEAR(want, left, (double)json_array_size(weights));
	json_decref(file);
	release(&s);
}

/* What the profiler makes of a file that breaks these: an empty tree, no time line, a hang. */
TEST(what_the_profiler_wants)
{
	static struct scene s;
	make(&s);
	json_t *file = load(&s, &s.x.where);
	const json_t *meta = json_object_get(file, "meta"),
		     *thread = json_array_get(json_object_get(file, "threads"), 0),
		     *markers = json_object_get(thread, "markers"),
		     *times = json_object_get(json_object_get(thread, "nativeAllocations"), "time");
	double end = json_number_value(json_object_get(meta, "profilingEndTime"));
	EXPECT_INT(0, expect_table(json_object_get(thread, "samples")));
	EXPECT_INT(0, json_integer_value(json_object_get(meta, "profilingStartTime")));
	EXPECT(json_array_size(times) && json_array_size(json_object_get(markers, "data")));
	for (size_t i = 0; i < json_array_size(times); i++)
		EXPECT(json_number_value(json_array_get(times, i)) < end);
	for (size_t i = 0; i < json_array_size(json_object_get(markers, "data")); i++) {
		const json_t *data = json_array_get(json_object_get(markers, "data"), i);
		EXPECT(json_is_string(json_object_get(data, "reason")));
		EXPECT(!json_object_get(data, "cause"));
	}
	json_decref(file);
	release(&s);
}

TEST(filters)
{
	static struct scene s;
	static struct where where;
	make(&s);
	EXPECT_INT(ERR_NONE, where_add(&where, "class=none.such", NULL));
	json_t *file = load(&s, &where);
	EXPECT_INT(
		0, expect_table(json_object_get(json_array_get(json_object_get(file, "threads"), 0),
			   "nativeAllocations")));
	json_decref(file);
	release(&s);
}

TEST(out_of_memory)
{
	static struct scene s;
	bool done = false, failed = false;
	make(&s);
	for (uint64_t n = 1; n < 1u << 16 && !done; n += 1 + n / 8) {
		struct buf got = {0};
		mem_fail_at(n);
		int err = put(&got, &s, &s.x.where);
		mem_fail_at(0);
		EXPECT(err == ERR_NOMEM || err == ERR_NONE);
		done = err == ERR_NONE;
		failed |= err == ERR_NOMEM;
		buf_release(&got);
	}
	EXPECT(done && failed);
	release(&s);
}
