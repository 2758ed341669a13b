#include "support/export_of.h"

#include "base/error.h"
#include "model/fan.h"
#include "trace/reader.h"
#include "trace/writer.h"

/* clang-format off */
static const struct sim_site hostile_sites[] = {
	{"<script>alert('\"x\"')</script>", {"a.B.c:1", "a.Main.main:2"}, 64, 5, 90, 1, 4},
	{"a,\"b\"\\;c", {"a.'; DROP TABLE sites; --.d:3", "a.Main.main:2"}, 320, 3, 10, 1, 40},
	{"line\nbreak\x1b[31m", {"a.b.C.e:4"}, 48, 1, 0, SIM_FOREVER, 0},
	{"\xff\xfe\xc0\x80 Gr\xc3\xb6\xc3\x9f" "e", {"a.b.C.e:4", "a.Main.main:2"}, 4096, 2, 50, 2, 20},
	{"byte[]", {NULL}, 16, 1, 100, 0, 0},
};
/* clang-format on */
static const struct sim_text hostile_facts[] = {{"deaths", "collection"}, {"tenuring.max", "15"},
	{"command", "java -Dx=\"</script>\n\""}, {NULL, NULL}};

const struct sim export_of_hostile = {.sites = hostile_sites,
	.count = ARRAY_SIZE(hostile_sites),
	.facts = hostile_facts,
	.seed = 1,
	.samples = 400,
	.interval = 1000,
	.track = 2,
	.gc_bytes = 20000,
	.full_every = 7,
	.promote = 15,
	.young_role = ROLE_YOUNG,
	.full_role = ROLE_FULL,
	.bytes_per_s = 1000000,
	.untrack = 10,
	.threads = 3};

static int put(void *arg, const struct record *r)
{
	return writer_put(arg, r);
}

static int record_sim(struct buf *trace, const struct sim *s)
{
	struct writer w;
	int err = writer_init(&w, sink_buf(trace), NULL, (struct ns){1763712000123000000});
	if (err)
		return err;
	err = sim_run(s, put, &w);
	int close_err = writer_release(&w);
	return err ? err : close_err;
}

static int replay(struct export_of *x, struct slice trace, const struct listener *also)
{
	struct source source;
	struct reader reader;
	struct fan fan = {
		.to = {ledger_listener(&x->ledger), cells_listener(&x->cells)}, .count = 2};
	if (also)
		fan.to[fan.count++] = *also;
	struct listener all = fan_listener(&fan);
	int err = source_open_memory(&source, trace);
	if (err)
		return err;
	err = reader_init(&reader, &source, NULL, NULL);
	if (!err)
		err = replay_run(&x->model, &reader, &all, NULL);
	reader_release(&reader);
	source_close(&source);
	err = err ? err : ledger_settle(&x->ledger, &x->model);
	return err ? err : notes_find(&x->notes, &x->model);
}

int export_of_sim(
	struct export_of *x, const struct sim *s, bool by_thread, const struct listener *also)
{
	struct buf trace = {0};
	*x = (struct export_of){.ledger = {.by_thread = by_thread, .clocks = CLOCKS_ALL},
		.cells = {.by_thread = by_thread}};
	int err = model_init(&x->model);
	x->has_model = !err;
	err = err ? err : record_sim(&trace, s);
	err = err ? err : replay(x, buf_slice(&trace), also);
	buf_release(&trace);
	return err;
}

void export_of_release(struct export_of *x)
{
	if (x->has_model)
		model_release(&x->model);
	ledger_release(&x->ledger);
	cells_release(&x->cells);
	notes_release(&x->notes);
}
