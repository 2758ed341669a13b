#include "trace/writer.h"

#include "base/error.h"
#include "base/mem.h"
#include "support/tap.h"
#include "support/trace_file.h"

TEST(what_is_written_is_read)
{
	struct draw draw = draw_seed(tap_seed());
	struct trace_file f;
	EXPECT_INT(0, trace_file_make(&f, &draw, 60000, UINT32_MAX, NULL));
	struct trace_walk w = trace_walk(buf_slice(&f.bytes), NULL, &f.records);
	EXPECT_INT(0, w.err);
	EXPECT(w.prefix && w.ended && !w.cut);
	EXPECT_INT(f.records.list.count, w.records);
	EXPECT(w.blocks > 2); /* filled, not flushed */
	EXPECT_INT(0, w.missing);
	trace_file_release(&f);
}

TEST(nothing_written_is_a_header)
{
	struct buf b = {0};
	struct writer w;
	EXPECT_INT(0, writer_init(&w, sink_buf(&b), NULL, (struct ns){5}));
	EXPECT_INT(0, writer_flush(&w));
	EXPECT_INT(0, writer_release(&w));
	EXPECT_INT(FILE_HEADER, b.len);
	buf_release(&b);
}

TEST(a_refused_record_stays)
{
	static uint8_t text[TEXT_MAX + 1];
	struct buf b = {0};
	struct writer w;
	struct record r = {.kind = RECORD_string, .string = {1, slice(text, sizeof(text))}};
	EXPECT_INT(0, writer_init(&w, sink_buf(&b), NULL, (struct ns){5}));
	EXPECT_INT(ERR_LIMIT, writer_put(&w, &r));
	r.string.text.len = 1;
	EXPECT_INT(ERR_LIMIT, writer_put(&w, &r));
	EXPECT_INT(ERR_LIMIT, writer_flush(&w));
	EXPECT_INT(ERR_LIMIT, writer_release(&w));
	buf_release(&b);
}

TEST(fails_at_each_allocation)
{
	uint64_t held = mem_held();
	int err = ERR_NOMEM;
	for (uint64_t n = 1; err; n++) {
		struct draw draw = draw_seed(tap_seed());
		struct trace_file f;
		mem_fail_at(n);
		err = trace_file_make(&f, &draw, 300, 50, NULL);
		mem_fail_at(0);
		EXPECT(err == 0 || err == ERR_NOMEM);
		EXPECT(n < 1000);
		trace_file_release(&f);
		EXPECT_INT(held, mem_held());
	}
}

/* A sink that fails at the n-th write. */
struct failing {
	struct buf bytes;
	int left;
};

static int write_failing(void *arg, const void *bytes, size_t len)
{
	struct failing *f = arg;
	if (f->left-- <= 0)
		return ERR_IO;
	buf_put(&f->bytes, bytes, len);
	return f->bytes.failed;
}

static int put(void *arg, const struct record *r)
{
	struct writer *w = arg;
	int err = writer_put(w, r);
	return err ? err : writer_flush(w);
}

TEST(fails_at_each_write)
{
	int err = ERR_IO, n = 0;
	for (; err; n++) {
		struct draw draw = draw_seed(tap_seed());
		struct failing f = {.left = n};
		struct gen_records want = {0};
		struct writer w;
		gen_trace(&draw, 20, gen_keep, &want);
		draw = draw_seed(tap_seed());
		err = writer_init(&w, (struct sink){write_failing, &f}, NULL, (struct ns){0});
		if (!err)
			err = gen_trace(&draw, 20, put, &w);
		EXPECT_INT(err, writer_release(&w));
		EXPECT(err == 0 || err == ERR_IO);
		struct trace_walk walk = trace_walk(buf_slice(&f.bytes), NULL, &want);
		EXPECT(walk.prefix);
		if (n > 0)
			EXPECT_INT(n - 1, walk.records); /* one a write, after the file header */
		buf_release(&f.bytes);
		vec_release(&want.list);
		if (n > 1000)
			break;
	}
	EXPECT(n > 50 && n < 1000);
}
