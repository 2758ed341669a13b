#include "support/event_trace.h"

#include <stdio.h>
#include <string.h>

#include "support/tap.h"

enum { SITES = SIM_SITES, CLASSES = 12, METHODS = 20, STEP_NS = 10000000, HEAP_USED = 30000 };

uint64_t event_trace_time(uint64_t gc)
{
	return gc * STEP_NS;
}

static void put(struct event_trace *t, const struct record *r)
{
	EXPECT_INT(0, writer_put(&t->writer, r));
}

/* -- Definitions: strings 1 … CLASSES are the classes' names, then come the methods' -- */

static void put_string(struct event_trace *t, uint64_t id, const char *text)
{
	struct record r = {.kind = RECORD_string};
	r.string.id = id;
	r.string.text = slice_str(text);
	put(t, &r);
}

static void put_names(struct event_trace *t)
{
	static const char *const arrays[CLASSES / 3] = {
		"byte[]", "int[]", "java.lang.Object[]", "char[]"};
	static const char *const classes[CLASSES / 3 * 2] = {"com.acme.Order", "java.lang.String",
		"com.acme.Line", "java.util.HashMap$Node", "com.acme.Price", "java.lang.Long",
		"com.acme.Cache$Entry", "com.acme.Customer"};
	for (uint64_t i = 0; i < CLASSES; i++)
		put_string(t, i + 1, i % 3 ? classes[i / 3 * 2 + i % 3 - 1] : arrays[i / 3]);
	for (uint64_t i = 0; i < METHODS; i++) {
		char name[32];
		snprintf(name, sizeof(name), "step%d", (int)i);
		put_string(t, CLASSES + 1 + i, name);
	}
	put_string(t, CLASSES + METHODS + 1, "main");
	put_string(t, CLASSES + METHODS + 2, "com.acme.shop.Shop");
	put_string(t, CLASSES + METHODS + 3, "Allocation Failure");
}

static void put_classes(struct event_trace *t)
{
	for (uint64_t i = 0; i < CLASSES; i++) {
		struct record r = {.kind = RECORD_class};
		r.class = (struct record_class){i + 1, i + 1, i % 3 ? 0 : CLASS_ARRAY, 0};
		put(t, &r);
	}
	for (uint64_t i = 0; i < METHODS; i++) {
		struct record r = {.kind = RECORD_method};
		r.method.id = i + 1;
		r.method.class_name = CLASSES + METHODS + 2;
		r.method.name = CLASSES + 1 + i;
		put(t, &r);
	}
}

/* The site's id modulo 3 is its class's number less 1, as in sim_heap_size. */
static void put_sites(struct event_trace *t)
{
	for (uint64_t i = 1; i <= SITES; i++) {
		uint64_t sim = i + EVENT_TRACE_SITE;
		struct record r = {.kind = RECORD_frame};
		r.frame.id = i;
		r.frame.method = i * i % METHODS + 1;
		r.frame.line = 10 + i;
		put(t, &r);
		r = (struct record){.kind = RECORD_site};
		r.site.id = i;
		r.site.class = sim % 3 + 1 + 3 * (sim / 3 * 7 % (CLASSES / 3));
		r.site.frame = i;
		r.site.flags = SITE_EXACT;
		put(t, &r);
	}
}

static void put_fact(struct event_trace *t, const char *key, const char *value)
{
	struct record r = {.kind = RECORD_fact};
	r.fact.key = slice_str(key);
	r.fact.value = slice_str(value);
	put(t, &r);
}

static void put_facts(struct event_trace *t)
{
	static const char *const names[] = {
		[HEAP_SERIAL] = "Serial", [HEAP_PARALLEL] = "Parallel", [HEAP_G1] = "G1"};
	struct record r = {.kind = RECORD_collector};
	put_fact(t, "engine", "exact");
	put_fact(t, "exact", t->sim.setting.rules.survivors ? "survivors" : "events");
	put_fact(t, "jdk.version", "21.0.8");
	put_fact(t, "gc", names[t->sim.setting.rules.collector]);
	put_fact(t, "deaths", "collection");
	for (uint64_t i = 1; i <= 2; i++) {
		r.collector.id = i;
		r.collector.name = 1;
		r.collector.role = i == 1 ? ROLE_YOUNG : ROLE_FULL;
		put(t, &r);
	}
}

static void put_threads(struct event_trace *t)
{
	while (t->threads < t->sim.heap.thread_ids) {
		struct record r = {.kind = RECORD_thread};
		r.thread.id = ++t->threads;
		r.thread.name = CLASSES + METHODS + 1;
		put(t, &r);
	}
}

/* -- Steps -- */

static void put_gc(struct event_trace *t, bool full, uint64_t young)
{
	struct record r = {.kind = RECORD_gc};
	uint64_t end = event_trace_time(++t->gcs);
	r.gc = (struct record_gc){.start = end - 1000000,
		.end = end,
		.number = t->gcs,
		.collector = full ? 2 : 1,
		.cause = CLASSES + METHODS + 3,
		.young = young,
		.heap_after = HEAP_USED,
		.pause = 1000000};
	put(t, &r);
}

static void on_chunk(void *arg, enum block_kind kind, uint32_t events, struct slice payload)
{
	struct event_trace *t = arg;
	put_threads(t);
	if (t->ahead && !t->begun)
		put_gc(t, false, t->gcs + 1); /* the clock moves with each, from 0 */
	t->begun = t->ahead;
	EXPECT_INT(0, writer_put_block(&t->writer, kind, payload, events));
}

static uint64_t trace_site(void *arg, uint32_t site)
{
	(void)arg;
	return site - EVENT_TRACE_SITE;
}

/* Births since the last collection, by site. */
static void put_births(struct event_trace *t, uint64_t young, struct record_exact_gc *sum)
{
	for (uint32_t i = 1; i <= SITES; i++) {
		struct record r = {.kind = RECORD_site_births};
		struct sim_births *b = &t->sim.heap.births[i + EVENT_TRACE_SITE];
		r.site_births.young = young;
		r.site_births.site = i;
		r.site_births.objects = b->objects;
		r.site_births.bytes = b->bytes;
		r.site_births.outside_objects = b->outside;
		r.site_births.outside_bytes = b->outside_bytes;
		sum->births += b->objects;
		sum->birth_bytes += b->bytes;
		if (b->objects)
			put(t, &r);
		*b = (struct sim_births){0};
	}
}

/* Who outlived it by site is not told. */
static void put_account(struct event_trace *t)
{
	struct record r = {.kind = RECORD_exact_gc};
	r.exact_gc = (struct record_exact_gc){.time = event_trace_time(t->gcs),
		.young = t->sim.young,
		.kind = t->accounted ? 0 : 3};
	put_births(t, t->sim.young, &r.exact_gc);
	put(t, &r);
}

static void put_collection(struct event_trace *t, bool full)
{
	if (!t->begun)
		put_gc(t, full, t->sim.young);
	t->begun = false;
	if (!t->skipping || t->gcs % 2 == 0)
		put_account(t);
}

static void put_end(struct event_trace *t)
{
	struct record_exact_gc sum = {0};
	struct record r = {.kind = RECORD_end};
	put_births(t, t->sim.young + 1, &sum);
	if (t->accounted) /* so that a file can be cut there */
		EXPECT_INT(0, writer_flush(&t->writer));
	r.end.time = event_trace_time(t->gcs + 1);
	put(t, &r);
}

static void put_lost(struct event_trace *t)
{
	struct record r = {.kind = RECORD_lost};
	uint64_t now = t->sim.follow.totals.lost_intervals;
	r.lost.time = event_trace_time(t->gcs + 1);
	r.lost.what = LOST_INTERVALS;
	r.lost.count = now - t->lost;
	if (now > t->lost)
		put(t, &r);
	t->lost = now;
}

static void on_step(void *arg, enum sim_step step)
{
	struct event_trace *t = arg;
	put_lost(t);
	if (step == SIM_CLOSED)
		put_end(t);
	else if (step != SIM_CLEANUP)
		put_collection(t, step == SIM_FULL);
	if (t->step)
		t->step(t->arg, step);
}

void event_trace_make(struct event_trace *t, const struct sim_follow_setting *s, uint64_t seed,
	int steps, const struct codec *codec, struct buf *out)
{
	EXPECT_INT(0, writer_init(&t->writer, sink_buf(out), codec, (struct ns){1}));
	t->gcs = t->threads = t->lost = 0;
	t->begun = false;
	sim_follow_init(&t->sim, s, seed);
	t->sim.chunk = on_chunk;
	t->sim.step = on_step;
	t->sim.site = trace_site;
	t->sim.arg = t;
	put_names(t);
	put_classes(t);
	put_sites(t);
	put_facts(t);
	for (int i = 0; i < steps; i++)
		sim_follow_step(&t->sim);
	sim_follow_close(&t->sim);
	EXPECT_INT(0, writer_release(&t->writer));
}

void event_trace_release(struct event_trace *t)
{
	sim_follow_release(&t->sim);
}
