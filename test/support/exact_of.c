#include "support/exact_of.h"

#include "base/error.h"
#include "trace/reader.h"

#define MAIN "com.acme.Main.main:1"
#define GROW "java.util.Arrays.copyOf:3", "java.util.List.grow:2"
static const struct sim_site sites[] = {
	{"byte[]", {"com.acme.Pool.get:1", "com.acme.A.a:2", MAIN}, 1024, 50, 95, 1, 12},
	{"byte[]", {"com.acme.Pool.get:1", "com.acme.B.b:3", MAIN}, 512, 30, 5, 2, 3},
	{"byte[]", {"com.acme.Pool.put:9", "com.acme.B.b:4", MAIN}, 64, 20, 5, 2, 3},
	{"java.lang.String", {"com.acme.C.c:4", MAIN}, 24, 40, 100, 0, 0},
	{"com.acme.Kept", {"com.acme.D.d:5", MAIN}, 48, 10, 0, SIM_FOREVER, 0},
	{"java.lang.Object[]", {GROW, "com.acme.E.e:6", MAIN}, 256, 20, 100, 0, 0},
	{"java.lang.Object[]", {GROW, "com.acme.F.f:7", MAIN}, 256, 20, 10, 6, 9},
	{"long[]", {"com.acme.G.g:8", MAIN}, 128, 4, 50, 1, 30},
};
static const struct sim_text facts[] = {{"engine", "exact"}, {"exact", "header"}, {"gc", "Serial"},
	{"jdk.version", "21.0.8"}, {"deaths", "collection"}, {NULL, NULL}};

struct exact_sim exact_of_program(uint64_t seed)
{
	return (struct exact_sim){.sim = {.sites = sites,
					  .count = ARRAY_SIZE(sites),
					  .facts = facts,
					  .seed = seed,
					  .samples = EXACT_OF_OBJECTS,
					  .interval = 300,
					  .gc_bytes = EXACT_OF_OBJECTS * 300 / 40,
					  .promote = 6,
					  .young_role = 1,
					  .full_role = 2,
					  .threads = 3,
					  .bytes_per_s = 1000000},
		.interval = 4096};
}

int exact_of_again(const struct exact_of *o, struct model *m, const struct listener *l)
{
	struct source source;
	struct reader reader;
	int err = model_init(m);
	err = err ? err : source_open_memory(&source, buf_slice(&o->bytes));
	if (err)
		return err;
	err = reader_init(&reader, &source, NULL, NULL);
	err = err ? err : replay_run(m, &reader, l, NULL);
	reader_release(&reader);
	source_close(&source);
	return err;
}

int exact_of_sim(struct exact_of *o, const struct exact_sim *x, const struct listener *l)
{
	*o = (struct exact_of){0};
	int err = exact_sim_write(x, &o->bytes, &o->truth);
	return err ? err : exact_of_again(o, &o->model, l);
}

void exact_of_release(struct exact_of *o)
{
	model_release(&o->model);
	exact_truth_release(&o->truth);
	buf_release(&o->bytes);
}

struct exact_fate exact_fate_of(const struct exact_truth *t, const struct exact_object *o)
{
	uint64_t seen = t->gcs.count - o->born;
	struct exact_fate f = {.met = seen > 0};
	while (f.copies < seen && f.copies < o->age && !f.promoted)
		f.promoted = f.copies++ == t->promote;
	f.died = !f.promoted && f.copies < seen;
	return f;
}
