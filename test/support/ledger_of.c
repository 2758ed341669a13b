#include "support/ledger_of.h"

#include "base/error.h"
#include "trace/reader.h"

static int put(void *arg, const struct record *r)
{
	struct ledger_of *l = arg;
	return writer_put(&l->writer, r);
}

static int keep(void *arg, const struct record *r)
{
	struct ledger_of *l = arg;
	int err = vec_push(&l->records, *r);
	return err ? err : put(l, r);
}

static int replay(struct ledger_of *l)
{
	struct source source;
	struct reader reader;
	int err = source_open_memory(&source, buf_slice(&l->bytes));
	if (err)
		return err;
	err = reader_init(&reader, &source, NULL, NULL);
	struct listener listener = ledger_listener(&l->ledger);
	if (!err)
		err = replay_run(&l->model, &reader, &listener, NULL);
	reader_release(&reader);
	source_close(&source);
	return err ? err : ledger_settle(&l->ledger, &l->model);
}

static int of_sim(struct ledger_of *l, const struct sim *s, bool by_thread, sim_put *to)
{
	*l = (struct ledger_of){.ledger = {.by_thread = by_thread, .clocks = CLOCKS_ALL}};
	int err = model_init(&l->model);
	if (err)
		return err;
	err = writer_init(&l->writer, sink_buf(&l->bytes), NULL, (struct ns){1});
	if (err)
		return err;
	err = sim_run(s, to, l);
	int close_err = writer_release(&l->writer);
	err = err ? err : close_err;
	return err ? err : replay(l);
}

int ledger_of_sim(struct ledger_of *l, const struct sim *s, bool by_thread)
{
	return of_sim(l, s, by_thread, put);
}

int ledger_and_records_of_sim(struct ledger_of *l, const struct sim *s, bool by_thread)
{
	return of_sim(l, s, by_thread, keep);
}

void ledger_of_release(struct ledger_of *l)
{
	model_release(&l->model);
	ledger_release(&l->ledger);
	vec_release(&l->records);
	buf_release(&l->bytes);
}
