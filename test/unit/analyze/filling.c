#include "analyze/filling.h"

#include "base/compiler.h"
#include "support/tap.h"

enum { MB = 1000000 };

static struct model model;

static void fact(const char *key, const char *value)
{
	const struct record r = {
		.kind = RECORD_fact, .fact = {.key = slice_str(key), .value = slice_str(value)}};
	EXPECT_INT(1, facts_read(&model.facts, &model.defs.texts, &r, &model.odds));
}

static void config(uint64_t interval)
{
	const struct record r = {.kind = RECORD_config, .config = {.id = 1, .interval = interval}};
	EXPECT_INT(1, facts_read(&model.facts, &model.defs.texts, &r, &model.odds));
}

static void begin(const char *gc)
{
	EXPECT_INT(0, model_init(&model));
	fact("gc", gc);
	config(100);
}

/* One of that time, and the clock at its end; sizes in MB. What begins with the one before is part
 * of its pause, and moves no clock. */
static void collect(uint64_t start, uint64_t end, uint64_t alloc, uint64_t before, uint64_t after,
	uint32_t role)
{
	static const struct gc none = {.start = 0};
	size_t count = model.gcs.list.count;
	const struct gc *last = count ? &model.gcs.list.at[count - 1] : &none;
	bool moves = start != last->start;
	struct record_gc r = {.start = start,
		.end = end,
		.alloc = alloc * MB,
		.young = last->young + (moves && role == ROLE_YOUNG),
		.full = last->full + (moves && role != ROLE_YOUNG),
		.heap_before = before * MB,
		.heap_after = after * MB};
	EXPECT_INT(0, gcs_add(&model.gcs, &r, 1, role, 0, &model.odds));
}

static void pause(uint64_t start, uint64_t alloc, uint64_t before, uint64_t after, uint32_t role)
{
	collect(start, start + 1, alloc, before, after, role);
}

static void is(double bytes, double sampled, uint64_t spans)
{
	struct filling f = filling_of(&model);
	EXPECT_NEAR(bytes * MB, f.bytes, 0.5);
	EXPECT_NEAR(sampled * MB, f.sampled, 0.5);
	EXPECT_INT(spans, f.spans);
}

TEST(from_one_collection_to_the_next)
{
	begin("Parallel");
	is(0, 0, 0);
	pause(10, 30, 30, 10, ROLE_YOUNG); /* before it nothing is known */
	is(0, 0, 0);
	pause(20, 51, 30, 12, ROLE_YOUNG);
	is(20, 21, 1);
	pause(30, 70, 32, 11, ROLE_FULL);
	is(40, 40, 2);
	model_release(&model);
}

/* The full collection takes the young one's place: the program stands in between. */
TEST(two_in_one_pause)
{
	begin("Serial");
	pause(10, 30, 30, 10, ROLE_YOUNG);
	pause(20, 51, 30, 5, ROLE_YOUNG);
	pause(20, 51, 30, 5, ROLE_FULL);
	EXPECT_INT(1, model.gcs.list.at[2].part);
	pause(30, 61, 15, 5, ROLE_YOUNG);
	is(30, 31, 2);
	model_release(&model);
}

/* A tool asked for one, and no event told its sizes. */
TEST(sizes_that_are_not_told)
{
	begin("Serial");
	pause(10, 30, 30, 10, ROLE_YOUNG);
	pause(20, 50, 0, 0, ROLE_YOUNG);
	pause(30, 70, 30, 10, ROLE_YOUNG);
	is(0, 0, 0);
	pause(40, 90, 30, 10, ROLE_YOUNG);
	is(20, 20, 1);
	model_release(&model);
}

/* It is told of at its end, and frees regions at some time since its begin. */
TEST(a_concurrent_cycle)
{
	begin("G1");
	pause(10, 30, 30, 10, ROLE_YOUNG);
	pause(20, 50, 30, 10, ROLE_YOUNG);
	pause(30, 70, 30, 10, ROLE_YOUNG);
	pause(40, 90, 20, 10, ROLE_YOUNG); /* 10 MB were freed in the cycle */
	collect(25, 45, 95, 10, 10, ROLE_OLD_CONCURRENT);
	pause(50, 110, 30, 10, ROLE_YOUNG);
	pause(60, 130, 30, 10, ROLE_YOUNG);
	is(40, 40, 2);
	model_release(&model);
}

TEST(collectors_that_free_while_the_program_runs)
{
	begin("Z");
	pause(10, 30, 30, 10, ROLE_YOUNG);
	pause(20, 51, 30, 12, ROLE_YOUNG);
	is(0, 0, 0);
	model_release(&model);
}

TEST(verdicts)
{
	static const struct {
		struct filling f;
		enum filling_verdict verdict;
	} rows[] = {
		{{.spans = 0, .sampled = 1}, FILLING_FITS},
		{{.spans = 1, .bytes = 100, .sampled = 105}, FILLING_FITS},
		{{.spans = 1, .bytes = 100, .sampled = 105.1}, FILLING_OVER},
		{{.spans = 1, .bytes = 100, .sampled = 108, .chance = 3}, FILLING_FITS},
		{{.spans = 1, .bytes = 100, .sampled = 108.1, .chance = 3}, FILLING_OVER},
		{{.spans = 1, .bytes = 100, .sampled = 118, .chance = 3, .coarse = 10},
			FILLING_FITS},
		{{.spans = 1, .bytes = 100, .sampled = 118.1, .chance = 3, .coarse = 10},
			FILLING_OVER},
		{{.spans = 1, .bytes = 100, .sampled = 85}, FILLING_FITS},
		{{.spans = 1, .bytes = 100, .sampled = 84.9}, FILLING_UNDER},
		{{.spans = 1, .bytes = 100, .sampled = 82, .chance = 3}, FILLING_FITS},
		{{.spans = 1, .bytes = 100, .sampled = 81.9, .chance = 3}, FILLING_UNDER},
	};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		EXPECT_INT(rows[i].verdict, filling_verdict(&rows[i].f));
}

TEST(what_may_be_chance_and_what_regions_hide)
{
	begin("G1");
	fact("follow.max", "500");
	pause(10, 30, 30, 10, ROLE_YOUNG);
	pause(20, 51, 30, 12, ROLE_YOUNG);
	pause(30, 70, 32, 11, ROLE_YOUNG);
	struct filling f = filling_of(&model);
	EXPECT_NEAR(2 * 2 * 1000, f.coarse, 0);
	EXPECT_NEAR(3 * 63245.55, f.chance, 1); /* of 400 000 samples of 100 bytes */
	model_release(&model);
}
