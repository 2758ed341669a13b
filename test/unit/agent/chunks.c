/* The trace's numbers of sites in chunks of single objects, as places come to be known. */
#include "agent/chunks.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "agent/recorder_names.h"
#include "base/clock.h"
#include "exact/event_log.h"
#include "exact/gc_chunk.h"
#include "support/tap.h"
#include "trace/events.h"
#include "trace/reader.h"

#define LINED (1u << 31) /* as in places.c */

enum { WORDS = 400, TOLD_MAX = 64, METHOD = 7 };

static struct recorder recorder;
static struct output output;
static struct births births;
static struct places places;
static struct told_sites told_sites;
static struct chunk_pool pool;
static struct chunks chunks;
static char path[64];
static uint64_t interval, objects;

static void begin(void)
{
	static struct options o; /* the recorder borrows its texts */
	struct diag d = {0};
	snprintf(path, sizeof(path), "/tmp/mayfly-test-XXXXXX");
	int fd = mkstemp(path);
	EXPECT(fd >= 0 && close(fd) == 0);
	options_init(&o);
	o.compress = false;
	snprintf(o.file, sizeof(o.file), "%s", path);
	EXPECT_INT(0, recorder_init(&recorder, &o, 16, clock_now(), NULL));
	EXPECT_INT(0, output_open(&output, &o, &d));
	EXPECT_INT(0, site_table_init(&births.sites, SITE_FIRST));
	places = (struct places){.recorder = &recorder, .births = &births};
	waiting_sites_init(&places.waiting);
	told_sites_init(&told_sites, &places);
	EXPECT_INT(0, chunk_pool_init(&pool, 16, 2, WORDS));
	EXPECT_INT(0, chunks_init(&chunks, &pool, &told_sites, false));
	static const struct method_facts method = {.vm_id = METHOD,
		.class_signature = "Lcom/acme/Shop;",
		.name = "sell",
		.descriptor = "()V"};
	EXPECT_INT(0, recorder_add_method(&recorder, &method));
	interval = objects = 0;
}

static void end(void)
{
	EXPECT_INT(0, slab_held(&pool.slab));
	chunks_release(&chunks);
	chunk_pool_release(&pool);
	waiting_sites_release(&places.waiting);
	site_table_release(&births.sites);
	output_close(&output);
	recorder_release(&recorder);
	unlink(path);
}

/* A site whose place is not known. */
static uint32_t new_site(const char *signature)
{
	int fresh = 0;
	uint32_t id = site_table_find(&births.sites, births.sites.count * 16, 1, SITES_MAX, &fresh);
	EXPECT(fresh);
	births.sites.at[id].class_id = recorder_class(&recorder, signature);
	return id;
}

/* Its number in the trace, once it is known. */
static uint32_t locate(uint32_t site)
{
	static const struct stack_frame frames[] = {{.vm_method = METHOD, .bci = 3}};
	struct exact_site *s = &births.sites.at[site];
	uint32_t id = recorder_exact_site(&recorder, s->class_id, frames, 1);
	atomic_store(&s->site, id | LINED);
	return id;
}

/* What a thread made in an interval, in order, on its way to the writer. */
static void make(const uint32_t *sites, size_t count)
{
	struct event_log log = {0};
	event_log_own(&log, 1);
	for (size_t i = 0; i < count; i++)
		event_log_put(&log, &pool, sites[i], 0x7f0000000000 + 16 * ++objects);
	struct chunk *list = event_log_take(&log);
	for (struct chunk *c = list; c; c = c->next)
		c->interval = interval;
	interval++;
	chunk_pool_hand(&pool, list);
	chunks_take(&chunks);
}

static void write_all(void)
{
	chunks_write(&chunks, &recorder, &output, UINT64_MAX);
}

/* The sites of all events in the file. A site's definition stands before them. */
struct told {
	uint64_t site[TOLD_MAX], count;
	uint64_t defined;
};

static void tell(struct told *t, const struct reader *r)
{
	struct event_reader e;
	struct event event;
	struct diag d;
	EXPECT_INT(0, event_reader_begin(&e, (struct slice){r->raw.at, r->raw.len}, &d));
	while (event_reader_next(&e, &event, &d) > 0 && t->count < TOLD_MAX) {
		EXPECT(event.site <= t->defined);
		t->site[t->count++] = event.site;
	}
}

static struct told read_file(void)
{
	struct told t = {.count = 0};
	struct source source;
	struct reader r;
	struct record record;
	struct diag d = {0};
	EXPECT_INT(0, source_open_file(&source, path, &d));
	EXPECT_INT(0, reader_init(&r, &source, NULL, &d));
	while (reader_next_block(&r, &d) > 0) {
		while (reader_next_in_block(&r, &record, &d) > 0)
			if (record.kind == RECORD_site)
				t.defined = record.site.id;
		if (r.block.kind == BLOCK_EVENTS)
			tell(&t, &r);
	}
	reader_release(&r);
	source_close(&source);
	return t;
}

static void expect_told(const uint32_t *sites, size_t count)
{
	struct told t = read_file();
	EXPECT_INT(count, t.count);
	for (size_t i = 0; i < count && i < t.count; i++)
		EXPECT_INT(sites[i], t.site[i]);
}

TEST(each_site_has_its_number)
{
	begin();
	uint32_t a = new_site("Lcom/acme/A;"), b = new_site("Lcom/acme/B;");
	locate(new_site("Lcom/acme/C;")); /* or a would have the same number in both */
	uint32_t in_trace_b = locate(b), in_trace_a = locate(a);
	EXPECT(in_trace_a != in_trace_b && in_trace_a != a && in_trace_b != b);
	make((uint32_t[]){a, b, b, a}, 4);
	make((uint32_t[]){b}, 1);
	write_all();
	expect_told((uint32_t[]){in_trace_a, in_trace_b, in_trace_b, in_trace_a, in_trace_b}, 5);
	end();
}

/* One that waits has a number of its own, and keeps it. */
TEST(a_place_that_comes_later)
{
	begin();
	uint32_t a = new_site("Lcom/acme/A;"), b = new_site("Lcom/acme/B;");
	uint32_t by_class = recorder_exact_site(&recorder, births.sites.at[a].class_id, NULL, 0);
	uint32_t in_trace_b = locate(b);
	make((uint32_t[]){a, b}, 2);
	make((uint32_t[]){a}, 1);
	write_all();
	uint32_t in_trace_a = births.sites.at[a].told, place = locate(a);
	EXPECT(in_trace_a != by_class && in_trace_a != place);
	make((uint32_t[]){a, b}, 2);
	write_all();
	expect_told((uint32_t[]){in_trace_a, in_trace_b, in_trace_a, in_trace_a, in_trace_b}, 5);
	end();
}

/* Asking takes locks, and there are millions of events: once for each site. */
TEST(nobody_is_asked_twice)
{
	begin();
	uint32_t a = new_site("Lcom/acme/A;"), b = new_site("Lcom/acme/B;");
	uint32_t in_trace_b = locate(b);
	make((uint32_t[]){a, b, a}, 3);
	write_all();
	EXPECT_INT(0, chunks.unnamed_count);
	EXPECT_INT(births.sites.at[a].told, chunks.ids[a]);
	EXPECT_INT(in_trace_b, chunks.ids[b]);
	chunks.ids[b] = in_trace_b + 1; /* would be told, if it were asked */
	make((uint32_t[]){b}, 1);
	write_all();
	struct told t = read_file();
	EXPECT_INT(4, t.count);
	EXPECT(t.site[0] == t.site[2] && t.site[1] == in_trace_b && t.site[3] == in_trace_b + 1);
	end();
}

/* Without room for a definition events name none, and ask again in the next write. */
TEST(no_room_for_a_number)
{
	begin();
	uint32_t a = new_site("Lcom/acme/A;");
	make((uint32_t[]){a, a}, 2);
	recorder.journal.ended = true;
	write_all();
	EXPECT_INT(UINT32_MAX, chunks.ids[a]);
	recorder.journal.ended = false;
	uint32_t in_trace = locate(a);
	make((uint32_t[]){a}, 1);
	write_all();
	expect_told((uint32_t[]){0, 0, in_trace}, 3);
	end();
}

/* Where nobody asked for single objects their chunks go back, and no site is defined for them. */
TEST(mute)
{
	begin();
	uint32_t a = new_site("Lcom/acme/A;");
	chunks.mute = true;
	make((uint32_t[]){a, a}, 2);
	write_all();
	struct diag d;
	EXPECT_INT(0, output_drain(&output, &recorder, true, &d));
	struct told t = read_file();
	EXPECT(t.count == 0 && t.defined == 0);
	end();
}

static void hurry(double seconds)
{
	chunks.begun = 0;
	atomic_store(&chunks.until, clock_now().v + (uint64_t)(seconds * 1e9));
}

/* Of an interval as many events are told as there were, or none: where all would take longer than
 * there is time, at the speed so far. */
TEST(what_would_come_too_late)
{
	begin();
	uint32_t a = new_site("Lcom/acme/A;");
	locate(a);
	make((uint32_t[]){a, a}, 2);
	write_all();
	EXPECT_INT(2, chunks.events);
	EXPECT(chunks.spent > 0);
	chunks.spent = 2000000000; /* a second for each */
	make((uint32_t[]){a, a, a}, 3);
	hurry(60);
	write_all();
	EXPECT_INT(0, chunks.untold);
	EXPECT_INT(5, chunks.events);
	chunks.spent = 500000000000;
	make((uint32_t[]){a}, 1);
	hurry(60);
	write_all();
	EXPECT_INT(1, chunks.untold);
	end();
}

/* What a collection did, in an interval of its own. */
static void collect(enum event_kind kind, uint32_t site)
{
	struct gc_chunks g = {.pool = &pool};
	gc_chunks_put(&g, kind, site, 0x7f0000000000 + 16 * ++objects, 0x7f0000100000);
	struct chunk *list = gc_chunks_take(&g);
	list->interval = interval++;
	chunk_pool_hand(&pool, list);
	chunks_take(&chunks);
}

/* Where the program has ended and the disk is too slow: intervals with births count as lost, be
 * they told of when they happened or when they had outlived a collection; all that stands is
 * forgotten. */
TEST(what_comes_too_late)
{
	begin();
	uint32_t a = new_site("Lcom/acme/A;");
	locate(a);
	atomic_store(&chunks.until, 1);
	make((uint32_t[]){a}, 1);
	collect(EVENT_MOVES, a);
	collect(EVENT_MET, a);
	collect(EVENT_STAYS, a);
	collect(EVENT_MET_SIZED, a);
	write_all();
	EXPECT_INT(3, chunks.untold);
	expect_told((uint32_t[]){0}, 1); /* the range over all addresses */
	end();
}
