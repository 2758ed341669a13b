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
RULE(round_young, "round: young steps back from 5 to 4\n", R(round, .round = 1, .young = 5),
	R(round, .round = 2, .young = 4))

/* Tenure: all rules are tested with tenure_check.c; here, that they are asked. */
RULE(rounds_in_order, "round 2 stands behind round 2\n", R(round, .round = 2), R(round, .round = 2))
RULE(a_lever_not_known, "decision after round 1: there is no lever 4\n", R(round, .round = 1),
	R(decision, .round = 1, .lever = 4))
RULE(a_place_not_defined, "decision uses site 3, which is not defined\n", R(round, .round = 1),
	R(decision, .round = 1, .site = 3))
RULE(a_whole_story, "", R(decision, .round = 0, .lever = 1), R(round, .round = 1, .young = 16),
	R(decision, .round = 1, .site = 0), R(outcome, .round = 1, .lever = 1))
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

/* -- Accounts of the exact engine -- */

#define NAMES                                                                                      \
	R(string, .id = 1), R(class, .id = 1, .name = 1),                                          \
		R(site, .id = 1, .class = 1, .flags = 4), R(site, .id = 2, .class = 1, .flags = 4)
#define BORN(n, site_, objects_)                                                                   \
	R(site_births, .young = (n), .site = (site_), .objects = (objects_),                       \
		.bytes = 8 * (objects_))
#define LIST(...)                                                                                  \
	{                                                                                          \
		sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),                              \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

TEST(accounts_that_add_up)
{
	static const struct record r[] = {NAMES, BORN(1, 1, 10), BORN(1, 1, 5), BORN(1, 2, 7),
		R(site_ages, .young = 1, .site = 1, .objects = LIST(4), .bytes = LIST(32),
			.promoted_objects = LIST(2), .promoted_bytes = LIST(16)),
		R(audit, .young = 1, .walked = 23, .seen = 22, .attributed = 21),
		R(exact_gc, .young = 1, .births = 22, .birth_bytes = 176, .survivors = 4,
			.survivor_bytes = 32, .promoted = 2, .promoted_bytes = 16),
		BORN(2, 2, 1),
		R(site_ages, .young = 2, .site = 1, .objects = LIST(0, 4), .bytes = LIST(0, 32)),
		R(exact_gc, .young = 2, .births = 1, .birth_bytes = 8, .survivors = 4,
			.survivor_bytes = 32),
		/* After one that was missed anything may be there. */
		R(site_ages, .young = 4, .site = 2, .objects = LIST(3, 9), .bytes = LIST(24, 72)),
		R(exact_gc, .young = 4, .survivors = 12, .survivor_bytes = 96), BORN(5, 2, 3)};
	expect_problems("", r, ARRAY_SIZE(r));
}

TEST(sums_of_the_exact_engine)
{
	static const struct record births[] = {
		NAMES, BORN(1, 1, 10), R(exact_gc, .young = 1, .births = 11, .birth_bytes = 80)};
	expect_problems(
		"exact_gc 1: it says 11 births, its sites have 10\n", births, ARRAY_SIZE(births));
	static const struct record bytes[] = {NAMES, BORN(1, 1, 10),
		R(site_ages, .young = 1, .site = 1, .promoted_objects = LIST(3),
			.promoted_bytes = LIST(24)),
		R(exact_gc, .young = 1, .births = 10, .birth_bytes = 80, .promoted = 3,
			.promoted_bytes = 25)};
	expect_problems("exact_gc 1: it says 25 promoted_bytes, its sites have 24\n", bytes,
		ARRAY_SIZE(bytes));
}

TEST(a_counted_heap)
{
	static const struct record good[] = {NAMES,
		R(site_old, .young = 3, .site = 1, .objects = 5, .bytes = 40),
		R(site_young, .young = 3, .site = 2, .objects = LIST(1, 2), .bytes = LIST(8, 16)),
		R(class_older, .young = 3, .objects = 4, .bytes = 32),
		R(heap_count, .young = 3, .known = 8, .known_bytes = 64, .unknown = 4,
			.unknown_bytes = 32),
		R(heap_count, .young = 4)};
	expect_problems("", good, ARRAY_SIZE(good));
	static const struct record known[] = {NAMES,
		R(site_old, .young = 3, .site = 1, .objects = 5, .bytes = 40),
		R(heap_count, .young = 3, .known = 5, .known_bytes = 48)};
	expect_problems(
		"heap_count 3: it says 5 and 0 objects, its sites and classes have 5 and 0\n",
		known, ARRAY_SIZE(known));
	static const struct record unknown[] = {NAMES,
		R(class_older, .young = 3, .objects = 4, .bytes = 32),
		R(heap_count, .young = 3, .unknown = 5, .unknown_bytes = 32)};
	expect_problems(
		"heap_count 3: it says 0 and 5 objects, its sites and classes have 0 and 4\n",
		unknown, ARRAY_SIZE(unknown));
	static const struct record clocks[] = {NAMES,
		R(site_old, .young = 3, .site = 1, .objects = 5, .bytes = 40),
		R(heap_count, .young = 4, .known = 5, .known_bytes = 40)};
	expect_problems(
		"heap_count of collection 4 among those of 3\n", clocks, ARRAY_SIZE(clocks));
}

TEST(survivors_that_were_not_there)
{
	static const struct record born[] = {NAMES, BORN(1, 1, 2),
		R(site_ages, .young = 1, .site = 1, .objects = LIST(2), .bytes = LIST(16),
			.promoted_objects = LIST(1), .promoted_bytes = LIST(8)),
		R(exact_gc, .young = 1, .births = 2, .birth_bytes = 16, .survivors = 2,
			.survivor_bytes = 16, .promoted = 1, .promoted_bytes = 8)};
	expect_problems("exact_gc 1: 3 objects of a site survived 1 collections, 2 were there\n",
		born, ARRAY_SIZE(born));
	static const struct record outside[] = {NAMES,
		R(site_births, .young = 1, .site = 1, .objects = 2, .bytes = 16,
			.outside_objects = 1, .outside_bytes = 8),
		R(site_ages, .young = 1, .site = 1, .objects = LIST(2), .bytes = LIST(16)),
		R(exact_gc, .young = 1, .births = 2, .birth_bytes = 16, .survivors = 2,
			.survivor_bytes = 16)};
	expect_problems("exact_gc 1: 2 objects of a site survived 1 collections, 1 were there\n",
		outside, ARRAY_SIZE(outside));
	static const struct record older[] = {NAMES, BORN(1, 1, 2), BORN(1, 2, 9),
		R(site_ages, .young = 1, .site = 1, .objects = LIST(1), .bytes = LIST(8)),
		R(exact_gc, .young = 1, .births = 11, .birth_bytes = 88, .survivors = 1,
			.survivor_bytes = 8),
		R(site_ages, .young = 2, .site = 1, .objects = LIST(0, 2), .bytes = LIST(0, 16)),
		R(exact_gc, .young = 2, .survivors = 2, .survivor_bytes = 16)};
	expect_problems("exact_gc 2: 2 objects of a site survived 2 collections, 1 were there\n",
		older, ARRAY_SIZE(older));
}

TEST(records_of_one_collection)
{
	static const struct record mixed[] = {NAMES, BORN(1, 1, 2), BORN(2, 1, 3),
		R(exact_gc, .young = 2, .births = 5, .birth_bytes = 40)};
	expect_problems(
		"site_births of collection 2 stands among those of 1\n", mixed, ARRAY_SIZE(mixed));
	static const struct record back[] = {
		NAMES, R(exact_gc, .young = 3), R(exact_gc, .young = 2)};
	expect_problems("exact_gc of collection 2 stands behind 3\n"
			"exact_gc: young steps back from 3 to 2\n",
		back, ARRAY_SIZE(back));
	static const struct record audits[] = {NAMES, R(audit, .young = 1, .walked = 2, .seen = 3),
		R(audit, .young = 1, .walked = 3, .seen = 2, .attributed = 3),
		R(site_births, .young = 1, .site = 1, .objects = 1, .outside_objects = 2)};
	expect_problems("audit: more objects seen than there were\n"
			"audit: more objects attributed than seen\n"
			"site_births: more were born outside than in all\n",
		audits, ARRAY_SIZE(audits));
	static const struct record fillers[] = {NAMES,
		R(audit, .young = 1, .walked = 2, .seen = 5, .fillers = 3),
		R(audit, .young = 1, .walked = 2, .seen = 5, .fillers = 2),
		R(audit, .young = 1, .walked_bytes = 16, .seen_bytes = 40, .filler_bytes = 24),
		R(audit, .young = 1, .walked_bytes = 16, .seen_bytes = 40, .filler_bytes = 16),
		R(audit, .young = 1, .walked = 9, .seen = 8, .fillers = UINT64_MAX)};
	expect_problems("audit: more objects seen than there were\n"
			"audit: more objects seen than there were\n",
		fillers, ARRAY_SIZE(fillers));
	static const struct record ages[] = {
		NAMES, R(site_ages, .young = 1, .site = 1, .objects = {17, {0}})};
	expect_problems("site_ages: a list of 17 ages, there are 16\n", ages, ARRAY_SIZE(ages));
}

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
	EXPECT_INT(end->walked, r.walked);
	EXPECT_INT(end->samples, r.samples);
	EXPECT(r.samples > r.walked);
	EXPECT_INT(end->tracked, r.births);
	EXPECT_INT(end->died, r.deaths);
	EXPECT_INT(end->untracked, r.untracked);
	EXPECT_INT(end->lost, r.lost);
	uint64_t lost = 0;
	for (int why = 0; why <= LOST_REASONS; why++)
		lost += r.lost_as[LOST_SAMPLES][why];
	EXPECT_INT(end->lost, lost);
	EXPECT(r.births && r.deaths && r.untracked && r.lost && r.gcs && r.blocks > 5);
	EXPECT_INT(0, check(slice(f.bytes.at, f.bytes.len - 1), &told, &r, NULL));
	EXPECT(r.cut && !r.complete);
	buf_release(&told.text);
	trace_file_release(&f);
}

static void expect_samples(
	uint64_t samples, uint64_t walked, const struct record *records, size_t count)
{
	struct buf b = {0};
	struct told told = {{0}, 0};
	struct check_result r;
	write_trace(&b, records, count);
	EXPECT_INT(0, check(buf_slice(&b), &told, &r, NULL));
	EXPECT_INT(samples, r.samples);
	EXPECT_INT(walked, r.walked);
	buf_release(&told.text);
	buf_release(&b);
}

/* As ticks tell them, and no fewer than there are; the end has the last word. */
TEST(samples_without_a_record)
{
	static const struct record records[] = {CONFIG, R(tick, .samples = 3),
		R(alloc, .config = 1), R(alloc, .config = 1), R(alloc, .config = 1),
		R(alloc, .config = 1), R(end, .samples = 9, .walked = 4)};
	expect_samples(3, 0, records, 2);
	expect_samples(4, 4, records, 6);
	expect_samples(9, 4, records, 7);
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
