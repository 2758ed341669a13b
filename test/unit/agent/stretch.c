#include "agent/stretch.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/rng.h"
#include "base/vec.h"
#include "support/tap.h"
#include "trace/check.h"
#include "trace/reader.h"
#include "trace/source.h"
#include "trace/writer.h"

/*
 * A writer of blocks of random sizes, each of which holds its number, and an oracle that keeps all
 * that was written: after each step the file must be read as the last part of it, from the begin of
 * a segment on, and the disk must not hold more than the bound.
 */
enum {
	STEPS = 400,
	SLACK = 8 * 1024, /* of the file system, for its own tables */
	CUTS = 6,
};

struct written {
	uint64_t number, offset, end, time;
	bool begins; /* a segment */
};

struct rig {
	struct stretch stretch;
	char path[64];
	int fd;
	struct rng rng;
	struct block block;
	struct buf sealed;
	struct ns now;
	VEC(struct written) all;
	uint64_t forgot; /* blocks */
};

static struct rig rig;

static void begin(const char *folder, struct option_stretch o, uint64_t seed)
{
	struct diag d = {""};
	struct buf head = {0};
	rig = (struct rig){.rng = rng_init(seed)};
	snprintf(rig.path, sizeof(rig.path), "%s/mayfly-stretch-XXXXXX", folder);
	rig.fd = mkstemp(rig.path);
	file_header_put(&head, (struct ns){1});
	EXPECT_INT(head.len, write(rig.fd, head.at, head.len));
	EXPECT_INT(0, stretch_init(&rig.stretch, rig.fd, &o, head.len, &d));
	EXPECT_STR("", d.text);
	EXPECT_INT(0, block_init(&rig.block, BLOCK_RECORDS));
	buf_release(&head);
}

static void end(void)
{
	close(rig.fd);
	unlink(rig.path);
	block_release(&rig.block);
	buf_release(&rig.sealed);
	vec_release(&rig.all);
}

static uint64_t on_disk(void)
{
	struct stat st;
	EXPECT_INT(0, fstat(rig.fd, &st));
	return (uint64_t)st.st_blocks * 512;
}

/* -- Writing -- */

/* A number, and noise that no codec shrinks. */
static void seal(uint64_t number, size_t noise)
{
	static char text[TEXT_MAX];
	struct record r = {.kind = RECORD_pause, .pause = {.start = rig.now.v, .end = rig.now.v}};
	block_reset(&rig.block, rig.now);
	r.pause.kind = number;
	EXPECT_INT(0, block_append(&rig.block, &r));
	for (size_t i = 0; i < sizeof(text); i++)
		text[i] = (char)rng_below(&rig.rng, 256);
	r = (struct record){.kind = RECORD_fact, .fact = {.key = slice_str("noise")}};
	for (; noise; noise -= r.fact.value.len) {
		r.fact.value = slice(text, noise < sizeof(text) ? noise : sizeof(text));
		EXPECT_INT(0, block_append(&rig.block, &r));
	}
	EXPECT_INT(0, block_seal(&rig.block, rig.stretch.blocks, NULL, &rig.sealed));
}

static bool put(size_t noise, bool begins)
{
	struct written w = {.number = rig.all.count,
		.offset = rig.stretch.end,
		.time = rig.now.v,
		.begins = begins};
	seal(w.number, noise);
	int err = stretch_make_room(&rig.stretch, rig.sealed.len, rig.now);
	if (err) {
		EXPECT_INT(ERR_FULL, err);
		return false;
	}
	EXPECT_INT(rig.sealed.len,
		pwrite(rig.fd, rig.sealed.at, rig.sealed.len, (off_t)rig.stretch.end));
	stretch_wrote(&rig.stretch, rig.sealed.len, rig.block.last_time, false);
	w.end = rig.stretch.end;
	EXPECT_INT(0, vec_push(&rig.all, w));
	return true;
}

/* -- Reading -- */

struct seen {
	uint64_t first, last, count;
	struct forgotten forgotten;
	bool cut;
};

static struct seen read_source(struct source *source)
{
	struct seen s = {.first = UINT64_MAX};
	struct reader r;
	struct record record;
	struct diag d = {""};
	EXPECT_INT(0, reader_init(&r, source, NULL, &d));
	int got;
	while ((got = reader_next(&r, &record, &d)) > 0) {
		if (record.kind != RECORD_pause)
			continue;
		s.first = s.first == UINT64_MAX ? record.pause.kind : s.first;
		EXPECT_INT(s.first + s.count, record.pause.kind);
		s.last = record.pause.kind;
		s.count++;
	}
	EXPECT_INT(0, got);
	EXPECT_STR("", d.text);
	EXPECT_INT(0, r.missing_blocks);
	s.forgotten = r.forgotten;
	s.cut = r.cut;
	reader_release(&r);
	return s;
}

static struct seen read_file(void)
{
	struct source source;
	EXPECT_INT(0, source_open_file(&source, rig.path, NULL));
	struct seen s = read_source(&source);
	source_close(&source);
	return s;
}

static struct buf load(void)
{
	struct buf b = {0};
	struct stat st;
	EXPECT_INT(0, fstat(rig.fd, &st));
	EXPECT_INT(0, buf_reserve(&b, (size_t)st.st_size));
	EXPECT_INT(st.st_size, pread(rig.fd, b.at, (size_t)st.st_size, 0));
	b.len = (size_t)st.st_size;
	return b;
}

static struct seen read_bytes(const uint8_t *at, size_t len)
{
	struct source source;
	EXPECT_INT(0, source_open_memory(&source, slice(at, len)));
	struct seen s = read_source(&source);
	source_close(&source);
	return s;
}

/* -- Verifying -- */

/* All from a segment's begin on; the gap tells of all before. */
static void verify_seen(const struct seen *s)
{
	size_t n = rig.all.count;
	EXPECT(s->count > 0 && s->first + s->count == n);
	const struct written *first = &rig.all.at[s->first];
	EXPECT(first->begins || s->first == 0);
	EXPECT_INT(s->first, s->forgotten.blocks);
	EXPECT_INT(s->first ? first->offset - FILE_HEADER : 0, s->forgotten.bytes);
	EXPECT_INT(s->first ? rig.all.at[s->first - 1].time : 0, s->forgotten.last_time);
	EXPECT(!s->cut);
}

/* No more is forgotten than had to be. */
static void verify_bounds(const struct seen *s)
{
	const struct stretch *t = &rig.stretch;
	uint64_t held = stretch_held(t);
	if (t->bytes)
		EXPECT(held <= t->bytes);
	EXPECT(on_disk() <= held + SLACK);
	if (t->ns && s->first)
		EXPECT(rig.now.v - rig.all.at[s->first].time >= t->ns);
	if (t->ns && t->count > 1)
		EXPECT(rig.now.v - t->at[1].time < t->ns);
}

/* The process is killed before any of its writes is whole: of the gap's, of the hole's and of the
 * next block's, at any byte. */
static void verify_killed(const struct buf *before)
{
	struct buf now = load();
	const struct written *last = &rig.all.at[rig.all.count - 1];
	for (int i = 0; i < CUTS; i++) {
		uint64_t len = last->offset + rng_below(&rig.rng, last->end - last->offset);
		struct seen s = read_bytes(now.at, len);
		EXPECT(s.count + 1 + s.forgotten.blocks == rig.all.count);
		EXPECT_INT(len != last->offset || !s.count, s.cut);
	}
	if (before->len && memcmp(before->at + FILE_HEADER, now.at + FILE_HEADER, BLOCK_HEADER)) {
		/* The header is written, the hole is not made, the block is not there. */
		memcpy(before->at + FILE_HEADER, now.at + FILE_HEADER, BLOCK_HEADER);
		struct seen s = read_bytes(before->at, before->len);
		EXPECT_INT(rig.all.count - 1, s.forgotten.blocks + s.count);
	}
	buf_release(&now);
}

static void step(bool kill)
{
	struct buf before = kill ? load() : (struct buf){0};
	rig.now.v += rng_below(&rig.rng, 200000000);
	bool begins = (stretch_wants(&rig.stretch, rig.now) && rng_below(&rig.rng, 3) == 0) ||
		      stretch_must(&rig.stretch, rig.now);
	begins = begins && stretch_begin(&rig.stretch, rig.now);
	uint64_t top = 1ull << (5 + rng_below(&rig.rng, 13));
	if (!put(rng_below(&rig.rng, top), begins))
		return;
	if (begins)
		stretch_begun(&rig.stretch);
	struct seen s = read_file();
	verify_seen(&s);
	verify_bounds(&s);
	if (kill)
		verify_killed(&before);
	rig.forgot = s.forgotten.blocks;
	buf_release(&before);
}

TEST(the_file_is_the_last_of_what_was_written)
{
	static const struct option_stretch bounds[] = {
		{.bytes = 1 << 20}, {.bytes = 1500000}, {.ns = 1000000000}, {.ns = 7300000000}};
	for (uint64_t i = 0; i < ARRAY_SIZE(bounds); i++) {
		begin("/tmp", bounds[i], tap_seed() + i);
		for (int n = 0; n < STEPS; n++)
			step(n % 16 == 15);
		EXPECT(rig.forgot > STEPS / 3);
		EXPECT_INT(0, on_disk() > rig.stretch.end / 2);
		end();
	}
}

/* One segment is all that is left, and it is as large as may be. */
TEST(there_is_no_room)
{
	begin("/tmp", (struct option_stretch){.bytes = 1 << 20}, tap_seed());
	while (put(60000, false)) {
	}
	EXPECT(stretch_held(&rig.stretch) > (1 << 20) - 70000);
	EXPECT(stretch_must(&rig.stretch, rig.now));
	EXPECT_INT(ERR_FULL, stretch_forget(&rig.stretch));
	EXPECT(stretch_begin(&rig.stretch, rig.now));
	EXPECT(!stretch_begin(&rig.stretch, rig.now));
	EXPECT(put(60000, true));
	struct seen s = read_file();
	verify_seen(&s);
	EXPECT_INT(1, s.count);
	end();
}

/* What segments begin with is not to be more than half of the file. */
TEST(a_large_begin_makes_segments_rare)
{
	begin("/tmp", (struct option_stretch){.bytes = 16 << 20}, tap_seed());
	put(4 << 10, false);
	EXPECT(stretch_begin(&rig.stretch, rig.now));
	for (int i = 0; i < 30; i++)
		put(100000, i == 0);
	stretch_begun(&rig.stretch);
	uint64_t large = rig.stretch.end - rig.stretch.at[1].offset;
	EXPECT(large > (16 << 20) / STRETCH_PARTS);
	while (!stretch_wants(&rig.stretch, rig.now))
		put(100000, false);
	EXPECT(rig.stretch.end - rig.stretch.fixed >= large);
	EXPECT(!stretch_must(&rig.stretch, rig.now));
	end();
}

TEST(without_a_bound_nothing_is_forgotten)
{
	struct diag d = {""};
	EXPECT_INT(0, stretch_init(&rig.stretch, -1, &(struct option_stretch){.ns = 0}, 32, &d));
	EXPECT(!stretch_cyclic(&rig.stretch));
	stretch_wrote(&rig.stretch, 1 << 30, 5, false);
	EXPECT(!stretch_wants(&rig.stretch, (struct ns){UINT64_MAX}));
	EXPECT(!stretch_must(&rig.stretch, (struct ns){UINT64_MAX}));
}

TEST(a_file_system_that_takes_nothing_back)
{
	struct diag d = {""};
	const struct option_stretch o = {.ns = 2000000000, .text = "2s"};
	int fd = open("/proc/self/comm", O_RDWR);
	EXPECT_INT(ERR_UNSUPPORTED, stretch_init(&rig.stretch, fd, &o, 32, &d));
	EXPECT(strstr(d.text, "cyclic=2s needs a file system") != NULL);
	close(fd);
}
