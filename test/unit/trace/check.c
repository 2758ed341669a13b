#include "trace/check.h"

#include "base/crc32c.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"
#include "support/trace_file.h"

/* Collects what the listener is told. */
struct told {
	struct buf text;
	uint64_t offset; /* of the last */
};

static void tell(void *arg, uint64_t offset, const char *text)
{
	struct told *t = arg;
	buf_put_str(&t->text, text);
	buf_put_u8(&t->text, '\n');
	t->offset = offset;
}

static int check(struct slice bytes, struct told *told, struct check_result *result, struct diag *d)
{
	struct source source;
	struct check_listener listener = {tell, told};
	EXPECT_INT(0, source_open_memory(&source, bytes));
	int err = check_run(&source, NULL, &listener, result, d);
	source_close(&source);
	return err;
}

static void write_trace(struct buf *out, const struct record *r, size_t count)
{
	struct writer w;
	EXPECT_INT(0, writer_init(&w, sink_buf(out), NULL, (struct ns){0}));
	for (size_t i = 0; i < count; i++)
		EXPECT_INT(0, writer_put(&w, &r[i]));
	EXPECT_INT(0, writer_release(&w));
}

/* The trace of these records breaks exactly the rules that `want` names, a line each. */
static void expect_problems(const char *want, const struct record *r, size_t count)
{
	struct buf b = {0};
	struct told told = {{0}, 0};
	struct check_result result;
	struct diag d = {""};
	write_trace(&b, r, count);
	int err = check(buf_slice(&b), &told, &result, &d);
	EXPECT_INT(*want ? ERR_CORRUPT : 0, err);
	EXPECT_STR(want, buf_text(&told.text));
	EXPECT_INT(count, result.records);
	EXPECT_INT(b.len, result.bytes);
	EXPECT((*want != '\0') == (strstr(d.text, "the first: block at offset 32: ") != NULL));
	buf_release(&told.text);
	buf_release(&b);
}

#define R(name_, ...)                                                                              \
	{                                                                                          \
		.kind = RECORD_##name_, .name_ = { __VA_ARGS__ }                                   \
	}
#define CONFIG R(config, .id = 1, .walk = 1, .track = 1)
#define RULE(name, want, ...)                                                                      \
	TEST(name)                                                                                 \
	{                                                                                          \
		static const struct record records[] = {__VA_ARGS__};                              \
		expect_problems(want, records, ARRAY_SIZE(records));                               \
	}

RULE(good, "", CONFIG, R(birth, .object = 9, .config = 1), R(death, .object = 9, .young = 1),
	R(birth, .object = 9, .config = 1), R(gc, .start = 5, .end = 5),
	R(pause, .start = 1, .end = 2),
	R(end, .samples = 3, .walked = 2, .tracked = 2, .died = 1, .alive = 1))

/* Ids: all rules are tested with ids.c; here, that they are asked. */
RULE(an_undefined_id, "alloc uses site 7, which is not defined\n", CONFIG,
	R(alloc, .site = 7, .config = 1))
RULE(a_sample_without_config, "alloc without a config\n", R(alloc, .site = 0))
RULE(an_id_left_out, "configuration 2 is defined where 1 is the next\n",
	R(config, .id = 2, .walk = 1, .track = 1))
RULE(an_id_redefined, "configuration 1 is defined again, otherwise\n", CONFIG,
	R(config, .id = 1, .walk = 2, .track = 1))

static const uint8_t key[FACT_KEY_MAX + 1] = "k";
RULE(fact_keys,
	"fact: a key of 0 bytes, 1 to 64 are allowed\n"
	"fact: a key of 65 bytes, 1 to 64 are allowed\n",
	R(fact, .key = {key, 0}), R(fact, .key = {key, 65}), R(fact, .key = {key, 64}))
RULE(config_walk, "configuration 1: walk and track must be at least 1\n",
	R(config, .id = 1, .walk = 0, .track = 1))
RULE(config_track, "configuration 1: walk and track must be at least 1\n",
	R(config, .id = 1, .walk = 1, .track = 0))
RULE(gc_ends_before, "gc 3: it ends before it starts\n", R(gc, .start = 9, .end = 8, .number = 3))
RULE(pause_ends_before, "pause: it ends before it starts\n", R(pause, .start = 9, .end = 8))

#define STEPS_BACK(name, record, field)                                                            \
	RULE(name, #record ": " #field " steps back from 5 to 4\n", R(record, .field = 4),         \
		R(record, .field = 5), R(record, .field = 5), R(record, .field = 4))
STEPS_BACK(gc_alloc, gc, alloc)
STEPS_BACK(gc_young, gc, young)
STEPS_BACK(gc_full, gc, full)
STEPS_BACK(tick_time, tick, time)
STEPS_BACK(tick_alloc, tick, alloc)
STEPS_BACK(tick_samples, tick, samples)
STEPS_BACK(tick_walked, tick, walked)
STEPS_BACK(tick_tracked, tick, tracked)
STEPS_BACK(tick_lost, tick, lost)
STEPS_BACK(tick_young, tick, young)
STEPS_BACK(tick_full, tick, full)
RULE(others_may_step_back, "", R(tick, .live = 5, .heap_used = 9), R(tick, .live = 4),
	R(lost, .time = 9, .what = 2), R(lost, .time = 8, .what = 2))

RULE(born_twice, "birth: object 4 is alive already\n", CONFIG, R(birth, .object = 4, .config = 1),
	R(birth, .object = 4, .config = 1))
RULE(never_born, "deaths and untracks of objects never born: 2, births lost: 1\n",
	R(death, .object = 4), R(untrack, .object = 5), R(lost, .what = LOST_BIRTHS, .count = 1))
RULE(births_were_lost, "", R(death, .object = 4), R(lost, .what = LOST_BIRTHS, .count = 1))
RULE(dies_twice, "deaths and untracks of objects never born: 1, births lost: 0\n", CONFIG,
	R(birth, .object = 4, .config = 1), R(untrack, .object = 4), R(death, .object = 4))

#define CLOCK(name, field)                                                                         \
	RULE(name,                                                                                 \
		"death: object 4 has a clock less than at its birth\n"                             \
		"untrack: object 5 has a clock less than at its birth\n",                          \
		CONFIG, R(birth, .object = 4, .config = 1, .field = 7),                            \
		R(birth, .object = 5, .config = 1, .field = 7),                                    \
		R(birth, .object = 6, .config = 1, .field = 7), R(death, .object = 4, .field = 6), \
		R(untrack, .object = 5, .field = 6), R(death, .object = 6, .field = 7))
CLOCK(clock_time, time)
CLOCK(clock_alloc, alloc)
CLOCK(clock_young, young)
CLOCK(clock_full, full)

#define LIFE                                                                                       \
	CONFIG, R(birth, .object = 1, .config = 1), R(birth, .object = 2, .config = 1),            \
		R(death, .object = 2), R(birth, .object = 3, .config = 1),                         \
		R(untrack, .object = 3), R(alloc, .config = 1),                                    \
		R(lost, .what = LOST_SAMPLES, .count = 2)
RULE(end_right, "", LIFE,
	R(end, .samples = 9, .walked = 4, .tracked = 3, .died = 1, .untracked = 1, .alive = 1,
		.lost = 2))
RULE(end_samples, "end: more samples walked and lost than there were\n", LIFE,
	R(end, .samples = 5, .walked = 4, .tracked = 3, .died = 1, .untracked = 1, .alive = 1,
		.lost = 2))
RULE(end_samples_walked, "end: more samples walked and lost than there were\n", LIFE,
	R(end, .samples = 3, .walked = 4, .tracked = 3, .died = 1, .untracked = 1, .alive = 1,
		.lost = 2))
RULE(end_sum, "end: tracked is not the sum of died, untracked and alive\n", LIFE,
	R(end, .samples = 9, .walked = 4, .tracked = 3, .died = 1, .untracked = 1, .alive = 2,
		.lost = 2))
RULE(end_walked, "end: it says 3 walked, the trace has 4\n", LIFE,
	R(end, .samples = 9, .walked = 3, .tracked = 3, .died = 1, .untracked = 1, .alive = 1,
		.lost = 2))
RULE(end_tracked, "end: it says 4 tracked, the trace has 3\n", LIFE,
	R(end, .samples = 9, .walked = 4, .tracked = 4, .died = 1, .untracked = 1, .alive = 2,
		.lost = 2))
RULE(end_died, "end: it says 2 died, the trace has 1\n", LIFE,
	R(end, .samples = 9, .walked = 4, .tracked = 3, .died = 2, .untracked = 1, .alive = 0,
		.lost = 2))
RULE(end_untracked, "end: it says 2 untracked, the trace has 1\n", LIFE,
	R(end, .samples = 9, .walked = 4, .tracked = 3, .died = 1, .untracked = 2, .alive = 0,
		.lost = 2))
RULE(end_lost, "end: it says 1 lost, the trace has 2\n", LIFE,
	R(end, .samples = 9, .walked = 4, .tracked = 3, .died = 1, .untracked = 1, .alive = 1,
		.lost = 1))
RULE(after_the_end, "pause stands after the end record\n", R(end, .time = 1), R(pause, .end = 1))

/* -- Rules of blocks -- */

static const uint8_t PAUSE[] = {RECORD_pause, 2, 10, 10};

static void put_pause(struct buf *b, uint32_t sequence, uint64_t last)
{
	struct block_header h = {.kind = BLOCK_RECORDS,
		.stored_len = 4,
		.raw_len = 4,
		.records = 1,
		.sequence = sequence,
		.last_time = last,
		.payload_crc = crc32c(0, PAUSE, 4)};
	block_header_put(b, &h);
	buf_put(b, PAUSE, 4);
}

static void expect_block_problem(struct buf *b, const char *want, uint64_t offset)
{
	struct told told = {{0}, 0};
	struct check_result result;
	EXPECT_INT(*want ? ERR_CORRUPT : 0, check(buf_slice(b), &told, &result, NULL));
	EXPECT_STR(want, buf_text(&told.text));
	EXPECT_INT(offset, told.offset);
	buf_release(&told.text);
	buf_release(b);
}

TEST(sequence_and_last_time)
{
	struct buf b = {0};
	file_header_put(&b, (struct ns){0});
	put_pause(&b, 0, 10);
	put_pause(&b, 1, 10);
	expect_block_problem(&b, "", 0);
	file_header_put(&b, (struct ns){0});
	put_pause(&b, 0, 10);
	put_pause(&b, 3, 10);
	put_pause(&b, 4, 10);
	expect_block_problem(&b, "blocks missing before it: 2\n", 84);
	file_header_put(&b, (struct ns){0});
	put_pause(&b, 0, 10);
	put_pause(&b, 0, 10);
	expect_block_problem(&b, "its sequence number 0 stands after 0\n", 84);
	file_header_put(&b, (struct ns){0});
	put_pause(&b, 0, 11);
	expect_block_problem(&b, "its header says that the last time is 11, it is 10\n", 32);
}

TEST(blocks_of_other_kinds_have_no_such_rules)
{
	struct buf b = {0};
	struct block_header h = {.kind = 9,
		.codec = 9,
		.stored_len = 3,
		.raw_len = 4,
		.records = 5,
		.sequence = 1,
		.last_time = 77,
		.payload_crc = crc32c(0, "abc", 3)};
	file_header_put(&b, (struct ns){0});
	put_pause(&b, 0, 10);
	block_header_put(&b, &h);
	buf_put_str(&b, "abc");
	expect_block_problem(&b, "", 0);
}

TEST(a_block_after_the_end)
{
	struct buf b = {0};
	static const struct record end = R(end, .time = 1);
	write_trace(&b, &end, 1);
	uint64_t offset = b.len;
	put_pause(&b, 1, 10);
	expect_block_problem(
		&b, "it stands after the end record\npause stands after the end record\n", offset);
}

TEST(a_whole_trace)
{
	struct draw draw = draw_seed(tap_seed());
	struct trace_file f;
	struct told told = {{0}, 0};
	struct check_result r;
	EXPECT_INT(0, trace_file_make(&f, &draw, 20000, 3000, NULL));
	EXPECT_INT(0, check(buf_slice(&f.bytes), &told, &r, NULL));
	EXPECT_STR("", buf_text(&told.text));
	EXPECT_INT(f.records.list.count, r.records);
	EXPECT_INT(f.bytes.len, r.bytes);
	EXPECT(r.complete && !r.cut);
	const struct record_end *end = &f.records.list.at[f.records.list.count - 1].end;
	EXPECT_INT(end->walked, r.samples);
	EXPECT_INT(end->tracked, r.births);
	EXPECT_INT(end->died, r.deaths);
	EXPECT_INT(end->untracked, r.untracked);
	EXPECT_INT(end->lost, r.lost);
	EXPECT(r.births && r.deaths && r.untracked && r.lost && r.gcs && r.blocks > 5);
	EXPECT_INT(0, check(slice(f.bytes.at, f.bytes.len - 1), &told, &r, NULL));
	EXPECT(r.cut && !r.complete);
	buf_release(&told.text);
	trace_file_release(&f);
}

TEST(fails_at_each_allocation)
{
	struct draw draw = draw_seed(tap_seed());
	struct trace_file f;
	EXPECT_INT(0, trace_file_make(&f, &draw, 500, 100, NULL));
	struct source source;
	EXPECT_INT(0, source_open_memory(&source, buf_slice(&f.bytes)));
	uint64_t held = mem_held();
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n++) {
		struct check_result r;
		struct diag d = {""};
		mem_fail_at(n);
		err = check_run(&source, NULL, NULL, &r, &d);
		mem_fail_at(0);
		EXPECT(err == ERR_NOMEM || err == 0);
		EXPECT(err == 0 || strstr(d.text, "out of memory"));
		EXPECT(n < 1000);
		EXPECT_INT(held, mem_held());
	}
	source_close(&source);
	trace_file_release(&f);
}
