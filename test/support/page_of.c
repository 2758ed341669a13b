#include "support/page_of.h"

#include "base/error.h"
#include "trace/reader.h"
#include "trace/writer.h"

static int put(void *arg, const struct record *r)
{
	return writer_put(arg, r);
}

int page_of_trace(struct buf *out, const struct sim *s)
{
	struct writer w;
	int err = writer_init(&w, sink_buf(out), NULL, (struct ns){1763712000123000000});
	if (err)
		return err;
	err = sim_run(s, put, &w);
	int close_err = writer_release(&w);
	return err ? err : close_err;
}

static int replay(struct page_of *p, struct slice trace)
{
	struct source source;
	struct reader reader;
	int err = source_open_memory(&source, trace);
	if (err)
		return err;
	err = reader_init(&reader, &source, NULL, NULL);
	if (!err) {
		struct listener listener = collect_listener(&p->collect);
		err = replay_run(&p->model, &reader, &listener, NULL);
	}
	reader_release(&reader);
	source_close(&source);
	err = err ? err : collect_settle(&p->collect, &p->model);
	return err ? err : notes_find(&p->notes, &p->model);
}

int page_of_bytes(struct page_of *p, struct slice trace, size_t samples, size_t gcs)
{
	*p = (struct page_of){.collect = collect_init(samples)};
	int err = model_init(&p->model);
	p->has_model = !err;
	err = err ? err : replay(p, trace);
	p->data = (struct data){.model = &p->model,
		.collect = &p->collect,
		.notes = &p->notes,
		.file = "orders.mfly"};
	err = err ? err : data_find(&p->data, gcs);
	p->has_data = !err;
	struct sink sink = sink_buf(&p->bytes);
	return err ? err : data_put(&p->data, &sink);
}

int page_of_sim(struct page_of *p, const struct sim *s, size_t samples, size_t gcs)
{
	struct buf trace = {0};
	*p = (struct page_of){0};
	int err = page_of_trace(&trace, s);
	err = err ? err : page_of_bytes(p, buf_slice(&trace), samples, gcs);
	buf_release(&trace);
	return err;
}

void page_of_release(struct page_of *p)
{
	if (p->has_data)
		data_release(&p->data);
	if (p->has_model)
		model_release(&p->model);
	collect_release(&p->collect);
	notes_release(&p->notes);
	buf_release(&p->bytes);
}
