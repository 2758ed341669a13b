#include "support/trace_file.h"

#include "base/error.h"
#include "trace/reader.h"

static int mark_border(struct trace_file *f)
{
	struct trace_border b = {f->bytes.len, f->records.list.count};
	return vec_push(&f->borders, b);
}

static int put(void *arg, const struct record *r)
{
	struct trace_file *f = arg;
	int err = gen_keep(&f->records, r);
	if (!err)
		err = writer_put(&f->writer, r);
	if (err || f->records.list.count % f->per_block)
		return err;
	err = writer_flush(&f->writer);
	return err ? err : mark_border(f);
}

static int fill(struct trace_file *f, struct draw *d, unsigned events, const struct codec *codec)
{
	int err = writer_init(&f->writer, sink_buf(&f->bytes), codec, (struct ns){1700000000});
	if (!err)
		err = mark_border(f);
	if (!err)
		err = gen_trace(d, events, put, f);
	if (!err)
		err = writer_flush(&f->writer);
	return err ? err : mark_border(f);
}

int trace_file_make(struct trace_file *f, struct draw *d, unsigned events, unsigned per_block,
	const struct codec *codec)
{
	*f = (struct trace_file){.per_block = per_block};
	int err = fill(f, d, events, codec);
	int late = writer_release(&f->writer);
	return err ? err : late;
}

void trace_file_release(struct trace_file *f)
{
	buf_release(&f->bytes);
	vec_release(&f->records.list);
	vec_release(&f->borders);
}

static void read_all(struct trace_walk *w, struct reader *r, const struct gen_records *want)
{
	static struct record
		record; /* kept between calls, so that nothing relies on it being clear */
	w->prefix = true;
	while ((w->err = reader_next(r, &record, &w->diag)) > 0) {
		if (want)
			w->prefix = w->prefix && w->records < want->list.count &&
				    record_equal(&record, &want->list.at[w->records]);
		w->records++;
	}
	w->cut = r->cut;
	w->ended = r->ended;
	w->blocks = r->blocks;
	w->unknown = r->unknown_records;
	w->skipped = r->skipped_blocks;
	w->missing = r->missing_blocks;
}

struct trace_walk trace_walk(
	struct slice bytes, const struct codec *codec, const struct gen_records *want)
{
	struct trace_walk w = {.prefix = true};
	struct source source;
	struct reader r;
	w.err = source_open_memory(&source, bytes);
	if (w.err)
		return w;
	w.err = reader_init(&r, &source, codec, &w.diag);
	if (!w.err)
		read_all(&w, &r, want);
	reader_release(&r);
	source_close(&source);
	return w;
}

void trace_file_events(struct buf *out, enum event_kind kind)
{
	const struct event_chunk head = {
		.flags = kind ? EVENTS_OF_GC : 0, .base = event_base(800), .kind = kind};
	struct event_writer w = event_writer_begin(out, &head);
	for (uint64_t i = 0; i < 100; i++)
		event_writer_put(&w,
			&(const struct event){i * i % 7, 800 + 16 * i, 80000 + 8 * (i + i / 9)});
}
