#include "trace/ahead.h"

#include <glob.h>
#include <stdio.h>

#include "base/error.h"
#include "support/tap.h"
#include "support/trace_file.h"

enum { EVENTS = 3000, ROUNDS = 40 };

/* Batches of one record, of a few, and as in use. */
static const size_t rooms[] = {AHEAD_LEAST, AHEAD_LEAST + 400, AHEAD_ROOM};

/* Calls `take` with each record and how many came before it, until it says no. */
struct taker {
	bool (*take)(void *arg, size_t nth, const struct record *r);
	void *arg;
};

static void read_ahead(struct trace_walk *w, struct reader *r, size_t room, struct taker t)
{
	struct ahead a;
	const struct record *record;
	EXPECT_INT(0, ahead_init(&a, r, room));
	while ((w->err = ahead_next(&a, &record, &w->diag)) > 0)
		if (!t.take(t.arg, w->records++, record))
			break;
	for (int i = 0; w->err <= 0 && i < 2; i++) {
		struct diag again = {""};
		EXPECT_INT(w->err, ahead_next(&a, &record, &again));
		EXPECT_STR(w->diag.text, again.text);
	}
	ahead_release(&a);
	w->cut = r->cut;
	w->ended = r->ended;
	w->blocks = r->blocks;
	w->unknown = r->unknown_records;
	w->skipped = r->skipped_blocks;
	w->missing = r->missing_blocks;
}

/* As trace_walk, ahead. */
static struct trace_walk walk(
	struct slice bytes, const struct codec *codec, size_t room, struct taker t)
{
	struct trace_walk w = {0};
	struct source source;
	struct reader r;
	w.err = source_open_memory(&source, bytes);
	if (w.err)
		return w;
	w.err = reader_init(&r, &source, codec, &w.diag);
	if (!w.err)
		read_ahead(&w, &r, room, t);
	reader_release(&r);
	source_close(&source);
	return w;
}

struct wanted {
	const struct gen_records *records;
	bool same;
};

static bool compare(void *arg, size_t nth, const struct record *r)
{
	struct wanted *w = arg;
	w->same = w->same && nth < w->records->list.count &&
		  record_equal(r, &w->records->list.at[nth]);
	return true;
}

static bool dump(void *arg, size_t nth, const struct record *r)
{
	(void)nth;
	record_dump(arg, r);
	return true;
}

static void expect_equal(const struct trace_walk *want, const struct trace_walk *got)
{
	EXPECT_INT(want->err, got->err);
	EXPECT_INT(want->records, got->records);
	EXPECT_INT(want->blocks, got->blocks);
	EXPECT_INT(want->unknown, got->unknown);
	EXPECT_INT(want->skipped, got->skipped);
	EXPECT_INT(want->missing, got->missing);
	EXPECT(want->cut == got->cut && want->ended == got->ended);
	EXPECT_STR(want->diag.text, got->diag.text);
}

static void expect_as_reader(struct slice bytes, const struct gen_records *records)
{
	struct trace_walk want = trace_walk(bytes, NULL, records);
	for (size_t i = 0; i < ARRAY_SIZE(rooms); i++) {
		struct wanted wanted = {records, true};
		struct trace_walk got =
			walk(bytes, NULL, rooms[i], (struct taker){compare, &wanted});
		expect_equal(&want, &got);
		EXPECT(wanted.same == want.prefix);
	}
}

static struct trace_file make(unsigned per_block)
{
	struct trace_file f;
	struct draw d = draw_seed(tap_seed());
	EXPECT_INT(0, trace_file_make(&f, &d, EVENTS, per_block, NULL));
	return f;
}

TEST(gives_what_the_reader_gives)
{
	struct trace_file f = make(700);
	expect_as_reader(buf_slice(&f.bytes), &f.records);
	trace_file_release(&f);
}

TEST(cut_and_damaged_traces_end_the_same)
{
	struct trace_file f = make(100);
	struct draw d = draw_seed(tap_seed() + 1);
	for (int i = 0; i < ROUNDS; i++) {
		struct slice bytes = buf_slice(&f.bytes);
		uint8_t *at = &f.bytes.at[draw_below(&d, bytes.len)], flip = *at;
		bytes.len = (size_t)draw_below(&d, bytes.len + 1);
		expect_as_reader(bytes, &f.records);
		*at ^= (uint8_t)(1 + draw_below(&d, 255));
		expect_as_reader(buf_slice(&f.bytes), &f.records);
		*at = flip;
	}
	trace_file_release(&f);
}

static bool take_some(void *arg, size_t nth, const struct record *r)
{
	(void)r;
	return nth < *(size_t *)arg;
}

TEST(ends_early_at_any_record)
{
	struct trace_file f = make(100);
	struct draw d = draw_seed(tap_seed() + 2);
	uint64_t held = mem_held();
	for (int i = 0; i < ROUNDS; i++) {
		size_t some = i ? (size_t)draw_below(&d, EVENTS) : 0;
		struct trace_walk w = walk(
			buf_slice(&f.bytes), NULL, rooms[i % 2], (struct taker){take_some, &some});
		EXPECT_INT(1, w.err);
		EXPECT_INT(some + 1, w.records);
		EXPECT_INT(held, mem_held());
	}
	trace_file_release(&f);
}

TEST(fails_at_each_allocation)
{
	struct trace_file f = make(1000);
	uint64_t held = mem_held();
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n++) {
		struct wanted wanted = {&f.records, true};
		mem_fail_at(n);
		struct trace_walk w = walk(
			buf_slice(&f.bytes), NULL, AHEAD_LEAST, (struct taker){compare, &wanted});
		mem_fail_at(0);
		err = w.err;
		EXPECT(err == ERR_NOMEM || err == 0);
		EXPECT(wanted.same);
		EXPECT(n < 100);
		EXPECT_INT(held, mem_held());
	}
	trace_file_release(&f);
}

/* -- The files of test/golden -- */

static void load(struct buf *out, const char *path)
{
	uint8_t part[4096];
	size_t n;
	FILE *f = fopen(path, "rb");
	tap_check(f != NULL, __FILE__, __LINE__, "%s: can't be read", path);
	while (f && (n = fread(part, 1, sizeof(part), f)) > 0)
		buf_put(out, part, n);
	if (f)
		fclose(f);
}

static void dump_plainly(struct buf *out, struct slice bytes, const struct codec *codec)
{
	static struct record record;
	struct source source;
	struct reader r;
	EXPECT_INT(0, source_open_memory(&source, bytes));
	if (reader_init(&r, &source, codec, NULL) == 0)
		while (reader_next(&r, &record, NULL) > 0)
			record_dump(out, &record);
	reader_release(&r);
	source_close(&source);
}

static void golden(const char *path, const struct codec *codec)
{
	struct buf file = {0};
	load(&file, path);
	struct slice bytes = slice(file.len ? file.at : (const uint8_t *)"", file.len);
	struct trace_walk want = trace_walk(bytes, codec, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(rooms); i++) {
		struct buf plain = {0}, ahead = {0};
		dump_plainly(&plain, bytes, codec);
		struct trace_walk got = walk(bytes, codec, rooms[i], (struct taker){dump, &ahead});
		expect_equal(&want, &got);
		EXPECT_STR(buf_text(&plain), buf_text(&ahead));
		buf_release(&plain);
		buf_release(&ahead);
	}
	buf_release(&file);
}

TEST(every_golden_file_reads_the_same)
{
	struct codec codec;
	glob_t files = {0};
	EXPECT_INT(0, codec_zstd_init(&codec, 1));
	EXPECT_INT(0, glob(GOLDEN_FOLDER "/v1/*.mfly", 0, NULL, &files));
	EXPECT_INT(0, glob(GOLDEN_FOLDER "/bad/*.mfly", GLOB_APPEND, NULL, &files));
	EXPECT(files.gl_pathc > 20);
	for (size_t i = 0; i < files.gl_pathc; i++)
		golden(files.gl_pathv[i], &codec);
	globfree(&files);
	codec_zstd_release(&codec);
}
