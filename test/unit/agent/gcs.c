#include "agent/gcs.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/learning.h"
#include "agent/recorder_lessons.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/mem.h"
#include "support/agent_trace.h"
#include "support/asleep.h"
#include "support/perfimage.h"
#include "support/tap.h"

enum { CAPACITY = 32, FILE_SIZE = 65536 };

/* A recorder, its collections, and the counters of a VM that this process seems to be. */
static struct {
	struct recorder recorder;
	struct gcs gcs;
	struct perfimage image;
	char folder[64], path[96];
	uint8_t *counters; /* the file, mapped; NULL: there is none */
	uint32_t young, full, third, used, now, cause;
} f;

static void make_counters(const char *const names[3], const char *generation)
{
	perfimage_init(&f.image);
	f.young = names[0] ? perfimage_collector(&f.image, 0, names[0], 5) : 0;
	f.full = names[1] ? perfimage_collector(&f.image, 1, names[1], 3) : 0;
	f.third = names[2] ? perfimage_collector(&f.image, 2, names[2], 0) : 0;
	if (generation)
		perfimage_text(&f.image, "sun.gc.generation.1.name", generation, 8);
	f.now = perfimage_text(&f.image, "sun.gc.cause", "No GC", PERFIMAGE_TEXT);
	f.cause =
		perfimage_text(&f.image, "sun.gc.lastCause", "Allocation Failure", PERFIMAGE_TEXT);
	f.used = perfimage_long(&f.image, "sun.gc.generation.0.space.0.used", 1000);
	perfimage_long(&f.image, "sun.gc.generation.0.space.0.capacity", 8192 + 8);
	snprintf(f.folder, sizeof(f.folder), "/tmp/hsperfdata_mayfly-test-%ld", (long)getpid());
	snprintf(f.path, sizeof(f.path), "%s/%ld", f.folder, (long)getpid());
	EXPECT_INT(0, mkdir(f.folder, 0700));
	int fd = open(f.path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	EXPECT_INT(0, ftruncate(fd, FILE_SIZE));
	f.counters = mmap(NULL, FILE_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	memcpy(f.counters, f.image.bytes.at, f.image.bytes.len);
	close(fd);
}

/* What a VM makes behind VMInit. */
static void make_the_rest(void)
{
	perfimage_long(&f.image, "sun.os.hrt.frequency", 1000000000);
	memcpy(f.counters, f.image.bytes.at, f.image.bytes.len);
}

static void begin_with(const char *const names[3], const char *generation)
{
	static struct options o; /* the recorder borrows its texts */
	options_init(&o);
	memset(&f, 0, sizeof(f));
	if (names)
		make_counters(names, generation);
	EXPECT_INT(0, recorder_init(&f.recorder, &o, CAPACITY, clock_now(), NULL));
	EXPECT_INT(0, gcs_init(&f.gcs, &f.recorder, CAPACITY, NULL));
	EXPECT_INT(names != NULL, f.gcs.counters);
	if (names)
		make_the_rest();
}

static void begin(const char *const names[3])
{
	begin_with(names, NULL);
}

static struct agent_totals end(struct agent_trace *t)
{
	struct agent_trace own = {0};
	t = t ? t : &own;
	gcs_release(&f.gcs);
	recorder_end(&f.recorder, END_STOPPED);
	agent_trace_drain(t, &f.recorder, true);
	struct agent_totals n = agent_trace_verify(t, true);
	agent_trace_release(&own);
	recorder_release(&f.recorder);
	if (f.counters) {
		munmap(f.counters, FILE_SIZE);
		unlink(f.path);
		EXPECT_INT(0, rmdir(f.folder));
		perfimage_release(&f.image);
	}
	return n;
}

static void add(uint32_t at, int64_t n)
{
	int64_t v;
	memcpy(&v, f.counters + at, sizeof(v));
	v += n;
	memcpy(f.counters + at, &v, sizeof(v));
}

/* One pause in which the counters go up by so much. */
static void stop_world(int64_t young, int64_t full)
{
	gcs_start(&f.gcs, 0);
	if (young)
		add(f.young, young);
	if (full)
		add(f.full, full);
	gcs_finish(&f.gcs);
}

static void expect_clocks(uint64_t young, uint64_t full)
{
	EXPECT_INT(young, atomic_load(&f.recorder.young));
	EXPECT_INT(full, atomic_load(&f.recorder.full));
}

static int64_t follow(void)
{
	struct sample s = {.size = 100, .follow = true, .config = 1};
	int64_t tag = 0;
	recorder_clock(&f.recorder, 100, recorder_interval(&f.recorder, 0));
	EXPECT_INT(OUTCOME_FOLLOWED, recorder_sample(&f.recorder, &s, &tag));
	return tag;
}

static const char *const serial[3] = {"Copy", "MSC", NULL};
static const char *const g1[3] = {
	"G1 young collection pauses", "G1 full collection pauses", "G1 concurrent cycle pauses"};
static const char *const zgen[3] = {
	"ZGC minor collection pauses", NULL, "ZGC major collection pauses"};

TEST(young_and_full)
{
	begin(serial);
	EXPECT_STR("Serial", gcs_name(&f.gcs));
	EXPECT_STR("collection", gcs_deaths(&f.gcs));
	stop_world(1, 0);
	expect_clocks(1, 0);
	stop_world(0, 1);
	expect_clocks(2, 1);
	stop_world(1, 1); /* a young one that became a full one: two records, each clock once */
	expect_clocks(3, 2);
	stop_world(0, 0);
	expect_clocks(3, 2);
	struct agent_totals n = end(NULL);
	EXPECT_INT(4, n.gcs);
	EXPECT_INT(1, n.pauses);
	EXPECT_INT(2, n.collectors);
}

/* A pause that was on when the events were turned on, and its counters read, has a Finish alone: it
 * counts for nothing, then or later. */
TEST(a_pause_astride_the_beginning)
{
	begin(serial);
	add(f.young, 1);
	add(f.full, 1);
	gcs_finish(&f.gcs);
	expect_clocks(0, 0);
	stop_world(1, 0);
	expect_clocks(1, 0);
	struct agent_totals n = end(NULL);
	EXPECT_INT(1, n.gcs);
	EXPECT_INT(0, n.pauses);
}

/* G1 has counted a Remark before its Finish: the Cleanup that follows is no Remark. */
TEST(a_remark_astride_the_beginning)
{
	begin(g1);
	add(f.third, 1);
	gcs_finish(&f.gcs);
	add(f.third, 1);
	stop_world(0, 0);
	expect_clocks(0, 0);
	add(f.third, 1);
	stop_world(0, 0);
	expect_clocks(0, 1);
	end(NULL);
}

/* G1's marking finds dead objects of the old generation and collects no young ones: one a Remark.
 */
TEST(g1_marking)
{
	begin(g1);
	EXPECT_STR("G1", gcs_name(&f.gcs));
	stop_world(1, 0);
	for (int i = 0; i < 2; i++) {
		gcs_start(&f.gcs, 0);
		add(f.third, 1);
		gcs_finish(&f.gcs);
		expect_clocks(1, 1);
	}
	struct agent_totals n = end(NULL);
	EXPECT_INT(2, n.gcs);
	EXPECT_INT(1, n.pauses);
}

TEST(generational_z_tells_old_deaths)
{
	begin(zgen);
	EXPECT_STR("old", gcs_deaths(&f.gcs));
	EXPECT_STR("counters", gcs_clock(&f.gcs));
	end(NULL);
}

/* A collector that has only the name of its one generation: Z on 11, Epsilon. */
static void begin_nameless(const char *generation)
{
	static const char *const none[3] = {NULL, NULL, NULL};
	begin_with(none, generation);
}

TEST(z_of_11_has_both_clocks)
{
	begin_nameless("old");
	EXPECT_STR("ZGC", gcs_name(&f.gcs));
	EXPECT_STR("counters", gcs_clock(&f.gcs));
	EXPECT_STR("collection", gcs_deaths(&f.gcs));
	for (uint64_t cycle = 1; cycle <= 3; cycle++) {
		memset(f.counters + f.cause, 0, PERFIMAGE_TEXT); /* as the VM does */
		for (int pause = 0; pause < 3; pause++) {
			stop_world(0, 0);
			expect_clocks(cycle, cycle);
		}
	}
	struct agent_totals n = end(NULL);
	EXPECT_INT(3, n.gcs);
	EXPECT_INT(6, n.pauses);
	EXPECT_INT(1, n.collectors);
}

TEST(epsilon_has_no_clock)
{
	begin_nameless("Heap");
	EXPECT_STR("Epsilon", gcs_name(&f.gcs));
	EXPECT_STR("none", gcs_clock(&f.gcs));
	EXPECT_STR("none", gcs_deaths(&f.gcs));
	struct agent_totals n = end(NULL);
	EXPECT_INT(0, n.gcs);
	EXPECT_INT(0, n.collectors);
}

/* Young, old and global, each with its own clocks. This process has no regulator, so told. */
TEST(generational_shenandoah)
{
	static const char *const names[3] = {NULL, "Shenandoah full", NULL};
	begin(names);
	EXPECT_STR("Shenandoah", gcs_name(&f.gcs));
	f.gcs.collectors.gc = GC_SHENGEN;
	static const struct {
		bool begins;
		int64_t phases;
		uint64_t young, full;
	} pauses[] = {{true, 4, 1, 0}, {false, 4, 1, 0}, {false, 6, 1, 0}, {false, 3, 1, 0},
		{true, 4, 1, 1}, {true, 5, 2, 1}};
	snprintf((char *)f.counters + f.now, PERFIMAGE_TEXT, "Concurrent GC");
	for (size_t i = 0; i < ARRAY_SIZE(pauses); i++) {
		if (pauses[i].begins)
			memset(f.counters + f.cause, 0, PERFIMAGE_TEXT);
		stop_world(0, pauses[i].phases);
		expect_clocks(pauses[i].young, pauses[i].full);
	}
	snprintf((char *)f.counters + f.now, PERFIMAGE_TEXT, "System.gc()");
	memset(f.counters + f.cause, 0, PERFIMAGE_TEXT);
	stop_world(0, 5);
	expect_clocks(3, 2);
	struct agent_totals n = end(NULL);
	EXPECT_INT(4, n.gcs);
	EXPECT_INT(3, n.pauses);
}

/* Without counters each pause counts as a young collection, and no more is known. */
TEST(no_counters)
{
	begin(NULL);
	EXPECT_STR("unknown", gcs_name(&f.gcs));
	EXPECT_STR("collection", gcs_deaths(&f.gcs));
	for (uint64_t i = 1; i <= 3; i++) {
		gcs_start(&f.gcs, 0);
		gcs_finish(&f.gcs);
		expect_clocks(i, 0);
	}
	uint64_t used = 1, committed = 1;
	gcs_heap(&f.gcs, &used, &committed);
	EXPECT_INT(0, used + committed);
	struct agent_totals n = end(NULL);
	EXPECT_INT(3, n.gcs);
	EXPECT_INT(1, n.notes);
	EXPECT_INT(1, n.collectors);
}

struct kept {
	struct record_gc gcs[8];
	struct record_death deaths[64];
	struct record_birth births[64];
	char text[64][64];
	size_t gc_count, death_count, birth_count;
	size_t gcs_before_deaths;
};

static void keep(void *arg, const struct record *r)
{
	struct kept *k = arg;
	if (r->kind == RECORD_gc)
		k->gcs[k->gc_count++] = r->gc;
	if (r->kind == RECORD_birth)
		k->births[k->birth_count++] = r->birth;
	if (r->kind == RECORD_death) {
		k->gcs_before_deaths = k->gc_count;
		k->deaths[k->death_count++] = r->death;
	}
	if (r->kind == RECORD_string)
		memcpy(k->text[r->string.id], r->string.text.at, r->string.text.len);
}

TEST(what_a_record_says)
{
	struct agent_trace t = {0};
	struct kept k = {0};
	begin(g1);
	gcs_start(&f.gcs, 0);
	add(f.young, 1);
	add(f.used, -600);
	gcs_finish(&f.gcs);
	snprintf((char *)f.counters + f.cause, PERFIMAGE_TEXT, "System.gc()");
	stop_world(0, 1);
	end(&t);
	EXPECT(agent_trace_each(&t, keep, &k) > 0);
	EXPECT_INT(2, k.gc_count);
	EXPECT_INT(1, k.gcs[0].number);
	EXPECT_INT(2, k.gcs[1].number);
	EXPECT_STR("Allocation Failure", k.text[k.gcs[0].cause]);
	EXPECT_STR("System.gc()", k.text[k.gcs[1].cause]);
	EXPECT_INT(0, k.gcs[0].flags);
	EXPECT_INT(GC_FORCED, k.gcs[1].flags);
	EXPECT_INT(1000, k.gcs[0].heap_before);
	EXPECT_INT(400, k.gcs[0].heap_after);
	EXPECT_INT(8192, k.gcs[0].heap_committed);
	EXPECT_INT(k.gcs[0].end - k.gcs[0].start, k.gcs[0].pause);
	EXPECT(k.gcs[0].collector && k.gcs[1].collector &&
		k.gcs[0].collector != k.gcs[1].collector);
	agent_trace_release(&t);
}

/* Where in the file the ticks are that a collector has spent. */
static uint32_t spent_at(unsigned collector)
{
	const volatile void *at = f.gcs.collectors.at[collector].time.at;
	return (uint32_t)((uintptr_t)at - (uintptr_t)f.gcs.perf.at);
}

/* A young collection that does nothing, and the full one in its place: one pause, of which each has
 * what its collector spent. */
TEST(two_collections_in_a_pause)
{
	struct agent_trace t = {0};
	struct kept k = {0};
	begin(serial);
	add(spent_at(0), 1 << 30); /* before this pause */
	stop_world(1, 0);
	gcs_start(&f.gcs, 0);
	add(f.young, 1);
	add(spent_at(0), 1);
	add(f.full, 1);
	add(spent_at(1), 1 << 30); /* the pause is what the events say */
	gcs_finish(&f.gcs);
	gcs_start(&f.gcs, 0);
	add(f.young, 1);
	add(spent_at(0), 1 << 30);
	add(f.full, 1);
	gcs_finish(&f.gcs);
	end(&t);
	EXPECT(agent_trace_each(&t, keep, &k) > 0);
	const struct record_gc *g = k.gcs;
	EXPECT_INT(5, k.gc_count);
	EXPECT(g[1].start == g[2].start && g[1].end == g[2].end);
	EXPECT_INT(1, g[1].pause);
	EXPECT_INT(g[1].end - g[1].start, g[1].pause + g[2].pause);
	EXPECT_INT(g[3].end - g[3].start, g[3].pause);
	EXPECT_INT(0, g[4].pause);
	agent_trace_release(&t);
}

/* A histogram of Serial's or Parallel's: no event told of it. It is told as it is noticed, with a
 * clock of its own, so that what comes next is not taken for the first since. */
TEST(silent_collections)
{
	struct agent_trace t = {0};
	struct kept k = {0};
	begin(serial);
	stop_world(1, 0);
	add(spent_at(0), 4000);
	add(spent_at(1), 6000);
	snprintf((char *)f.counters + f.cause, PERFIMAGE_TEXT, "Heap Inspection Initiated GC");
	add(f.young, 1);
	add(f.full, 2); /* two, one of which had a young one first */
	gcs_start(&f.gcs, 0);
	expect_clocks(3, 2);
	add(f.young, 1);
	gcs_finish(&f.gcs);
	expect_clocks(4, 2);
	add(f.full, 1);
	gcs_settle(&f.gcs, 7, true); /* of use without counters only */
	expect_clocks(5, 3);
	gcs_settle(&f.gcs, 0, false);
	end(&t);
	EXPECT(agent_trace_each(&t, keep, &k) > 0);
	const struct record_gc *g = k.gcs;
	EXPECT_INT(6, k.gc_count);
	static const uint64_t clocks[] = {1, 2, 2, 3, 4, 5};
	for (size_t i = 0; i < k.gc_count; i++)
		EXPECT_INT(clocks[i], g[i].young);
	EXPECT(g[1].collector == g[0].collector && g[2].collector == g[3].collector);
	EXPECT_INT(GC_FORCED, g[1].flags & g[2].flags & g[3].flags);
	EXPECT_STR("Heap Inspection Initiated GC", k.text[g[3].cause]);
	EXPECT(g[3].start == g[3].end && g[3].start == g[4].start);
	EXPECT_INT(4000, g[1].pause);
	EXPECT_INT(3000, g[2].pause);
	EXPECT_INT(3000, g[3].pause);
	EXPECT_INT(0, g[5].pause);
	agent_trace_release(&t);
}

/* The heap knows how many there were, where the VM keeps no counters. */
TEST(silent_collections_without_counters)
{
	begin(NULL);
	gcs_start(&f.gcs, 0);
	gcs_finish(&f.gcs);
	expect_clocks(1, 0);
	gcs_start(&f.gcs, 2);
	expect_clocks(3, 0);
	gcs_finish(&f.gcs);
	expect_clocks(4, 0);
	gcs_settle(&f.gcs, 1, true);
	expect_clocks(5, 0);
	struct agent_totals n = end(NULL);
	EXPECT_INT(5, n.gcs);
}

/* JDK 11 tells deaths within the pause: they get the clocks of after it, and stand behind its
 * record. */
TEST(deaths_inside_a_pause)
{
	struct agent_trace t = {0};
	struct kept k = {0};
	int64_t tags[CAPACITY];
	begin(serial);
	for (int i = 0; i < CAPACITY; i++)
		tags[i] = follow();
	gcs_start(&f.gcs, 0);
	for (int i = 0; i < CAPACITY; i++)
		gcs_death(&f.gcs, tags[i]);
	EXPECT_INT(CAPACITY, recorder_counts(&f.recorder).alive);
	add(f.young, 1);
	gcs_finish(&f.gcs);
	EXPECT_INT(0, recorder_counts(&f.recorder).alive);
	end(&t);
	EXPECT(agent_trace_each(&t, keep, &k) > 0);
	EXPECT_INT(CAPACITY, k.death_count);
	EXPECT_INT(1, k.gcs_before_deaths);
	for (int i = 0; i < CAPACITY; i++) {
		EXPECT_INT(1, k.deaths[i].young);
		EXPECT_INT(0, k.deaths[i].young - 1 - k.births[i].young); /* survived none */
	}
	agent_trace_release(&t);
}

/* More deaths than can be alive (stale tags among them): none is lost. */
TEST(more_deaths_than_room)
{
	begin(serial);
	int64_t tag = follow();
	gcs_start(&f.gcs, 0);
	for (int i = 0; i < 3 * CAPACITY; i++)
		gcs_death(&f.gcs, 1ll << 40 | i);
	gcs_death(&f.gcs, tag);
	add(f.young, 1);
	gcs_finish(&f.gcs);
	EXPECT_INT(1, end(NULL).deaths);
}

static void *tell(void *arg)
{
	gcs_death(&f.gcs, *(int64_t *)arg);
	return NULL;
}

/* The service thread of later JDKs tells at any time, in a pause as well: at once. */
TEST(deaths_from_another_thread)
{
	pthread_t thread;
	begin(serial);
	int64_t tag = follow();
	gcs_start(&f.gcs, 0);
	pthread_create(&thread, NULL, tell, &tag);
	pthread_join(thread, NULL);
	EXPECT_INT(0, recorder_counts(&f.recorder).alive);
	gcs_finish(&f.gcs);
	tag = follow();
	gcs_death(&f.gcs, tag); /* between pauses, by the same thread */
	EXPECT_INT(2, end(NULL).deaths);
}

/* Tells one, and sleeps until the other end is closed. */
static void *tell_and_sleep(void *arg)
{
	int64_t tag = follow();
	gcs_death(&f.gcs, tag);
	return (void *)read(*(int *)arg, &tag, 1);
}

/* As the third pause begins nothing was told since the second, and who tells it sleeps; the fourth
 * is of another kind, and the fifth again. */
TEST(nothing_was_to_tell)
{
	static const uint64_t seen[] = {0, 0, GC_NOTHING, GC_NOTHING};
	struct agent_trace t = {0};
	struct kept k = {0};
	pthread_t thread;
	int pipes[2];
	begin(g1);
	EXPECT_INT(0, pipe(pipes));
	stop_world(1, 0);
	pthread_create(&thread, NULL, tell_and_sleep, &pipes[0]);
	while (!atomic_load(&f.gcs.teller.thread))
		sched_yield();
	asleep_wait(atomic_load(&f.gcs.teller.tid));
	stop_world(1, 0);
	stop_world(1, 0);
	stop_world(0, 0);
	stop_world(1, 0);
	close(pipes[1]);
	pthread_join(thread, NULL);
	close(pipes[0]);
	end(&t);
	EXPECT(agent_trace_each(&t, keep, &k) > 0);
	EXPECT_INT(ARRAY_SIZE(seen), k.gc_count);
	for (size_t i = 0; i < ARRAY_SIZE(seen); i++)
		EXPECT_INT(seen[i], k.gcs[i].flags);
	agent_trace_release(&t);
}

/* A generation of a made-up Serial: three spaces, and pointers to them. */
struct made_space {
	uintptr_t bottom, top, end;
};

static struct made_heap {
	uint32_t collections[2];
	struct made_space spaces[4];
	const struct made_space *eden, *from, *to, *old;
	const void *young_generation, *old_generation;
} made = {.spaces = {{1000, 4000, 9000}, {9000, 9700, 9900}, {9900, 9900, 10800},
		  {20000, 20060, 1 << 20}},
	.eden = &made.spaces[0],
	.from = &made.spaces[1],
	.to = &made.spaces[2],
	.old = &made.spaces[3],
	.young_generation = &made,
	.old_generation = &made};

static uint64_t before_of_one(struct gcs *g)
{
	struct agent_trace t = {0};
	struct kept k = {0};
	gcs_start(g, 0);
	add(f.young, 1);
	gcs_finish(g);
	end(&t);
	EXPECT(agent_trace_each(&t, keep, &k) > 0);
	EXPECT_INT(1, k.gc_count);
	EXPECT_INT(1000, k.gcs[0].heap_after);
	agent_trace_release(&t);
	return k.gcs[0].heap_before;
}

/* Serial's and Parallel's counters still say what was in use after the last one. */
TEST(what_is_in_use_when_one_begins)
{
	begin(serial);
	EXPECT_INT(0, before_of_one(&f.gcs));
	begin(serial);
	f.gcs.layout = (struct heap_layout){.collector = HEAP_SERIAL,
		.heap = (uintptr_t)&made,
		.collections = offsetof(struct made_heap, collections),
		.young = (uintptr_t)&made.young_generation,
		.old = (uintptr_t)&made.old_generation,
		.eden = offsetof(struct made_heap, eden),
		.from = offsetof(struct made_heap, from),
		.to = offsetof(struct made_heap, to),
		.old_space = offsetof(struct made_heap, old),
		.space_bottom = offsetof(struct made_space, bottom),
		.space_top = offsetof(struct made_space, top),
		.space_end = offsetof(struct made_space, end)};
	EXPECT_INT(0, heap_regions_init(&f.gcs.spaces, &f.gcs.layout));
	EXPECT_INT(3760, before_of_one(&f.gcs));
}

/* Three of G1's regions: a large object's, an old one, a free one. */
struct made_region {
	uintptr_t bottom, top, end;
	int32_t tag;
};

static struct made_g1 {
	uint32_t collections[2];
	uintptr_t *table;
	uint64_t length;
	struct made_region region[3];
	uintptr_t at[3];
} made_g1 = {.table = made_g1.at,
	.length = 3,
	.region = {{1 << 20, 1 << 20, 2 << 20, 0}, {2 << 20, (2 << 20) + 500, 3 << 20, 8},
		{3 << 20, 3 << 20, 4 << 20, 0}},
	.at = {(uintptr_t)&made_g1.region[0], (uintptr_t)&made_g1.region[1],
		(uintptr_t)&made_g1.region[2]}};

static void begin_g1(struct learning *l)
{
	begin(g1);
	f.gcs.layout = (struct heap_layout){.collector = HEAP_G1,
		.heap = (uintptr_t)&made_g1,
		.collections = offsetof(struct made_g1, collections),
		.table_base = offsetof(struct made_g1, table),
		.table_length = offsetof(struct made_g1, length),
		.region_top = offsetof(struct made_region, top),
		.region_end = offsetof(struct made_region, end),
		.region_type = offsetof(struct made_region, tag),
		.eden_tag = 2,
		.survivor_tag = 3,
		.old_mask = 8,
		.humongous_mask = 4,
		.humongous_tag = 4,
		.region_bytes = 1 << 20};
	EXPECT_INT(0, heap_regions_init(&f.gcs.spaces, &f.gcs.layout));
	EXPECT_INT(0, heap_regions_init(&f.gcs.begun, &f.gcs.layout));
	EXPECT_INT(0, heap_regions_init(&f.gcs.past, &f.gcs.layout));
	EXPECT_INT(0, learning_init(l, CAPACITY, 1 << 19, THRESHOLD_MOST, 0));
	recorder_learn(&f.recorder, l);
	gcs_again(&f.gcs);
}

/* In each pause 300 bytes go into the old generation, that had 500 before the first. Before it a
 * large object comes, that goes in the second. */
TEST(what_a_pause_promoted)
{
	struct learning l;
	begin_g1(&l);
	for (int i = 0; i < 2; i++) {
		struct made_region *large = &made_g1.region[0];
		large->tag = 4;
		large->top = large->bottom + 700000;
		gcs_start(&f.gcs, 0);
		add(f.young, 1);
		made_g1.region[1].top += 300;
		large->tag = i ? 0 : 4;
		gcs_finish(&f.gcs);
		EXPECT_INT(300, l.round.collection[i].promoted);
	}
	/* Marking found dead what was there. */
	made_g1.region[1].tag = 0;
	stop_world(0, 0);
	made_g1.region[2].tag = 8;
	gcs_start(&f.gcs, 0);
	add(f.young, 1);
	made_g1.region[2].top += 200;
	gcs_finish(&f.gcs);
	EXPECT_INT(200, l.round.collection[2].promoted);
	recorder_learn(&f.recorder, NULL);
	learning_release(&l);
	end(NULL);
}

/* Eden stays where it was, and is old. Where most of the heap is free nobody looks. */
static void fail_to_evacuate(struct learning *l)
{
	struct made_region *eden = &made_g1.region[0];
	eden->tag = 2;
	eden->top = eden->bottom + 700000;
	gcs_start(&f.gcs, 0);
	add(f.young, 1);
	eden->tag = 8;
	gcs_finish(&f.gcs);
	EXPECT_INT(1, l->round.count);
}

TEST(what_could_not_be_evacuated_is_not_promoted)
{
	struct learning l;
	begin_g1(&l);
	fail_to_evacuate(&l);
	EXPECT_INT(0, l.round.spilt);
	round_clear(&l.round);
	made_g1.region[0].tag = 0;
	stop_world(0, 0);
	add(f.used, 6000);
	fail_to_evacuate(&l);
	EXPECT_INT(1, l.round.spilt);
	EXPECT_INT(0, l.round.collection[0].promoted);
	recorder_learn(&f.recorder, NULL);
	learning_release(&l);
	end(NULL);
}

/* By the counters of 11 it would be a whole one. */
TEST(what_survivor_regions_have_in_use)
{
	struct learning l;
	made_g1.region[0].tag = 0;
	begin_g1(&l);
	add(f.used, 10 << 20);
	gcs_start(&f.gcs, 0);
	add(f.young, 1);
	made_g1.region[0].tag = 3;
	made_g1.region[0].top = made_g1.region[0].bottom + 1200;
	gcs_finish(&f.gcs);
	EXPECT_INT(1200, l.round.collection[0].survivors);
	recorder_learn(&f.recorder, NULL);
	learning_release(&l);
	end(NULL);
}

/* What goes into the old generation is more than what is freed in it: the counters say that it
 * grew. In the next pause nothing is taken. */
TEST(a_mixed_collection_that_promotes_more_than_it_frees)
{
	struct learning l;
	made_g1.region[0].tag = made_g1.region[2].tag = 0;
	made_g1.region[1].tag = 8;
	made_g1.region[1].top = made_g1.region[1].bottom + 500;
	begin_g1(&l);
	for (int i = 0; i < 2; i++) {
		gcs_start(&f.gcs, 0);
		add(f.young, 1);
		made_g1.region[1].tag = 0;
		made_g1.region[2].tag = 8;
		made_g1.region[2].top = made_g1.region[2].bottom + 600 + (uintptr_t)i * 100;
		gcs_finish(&f.gcs);
	}
	EXPECT_INT(0, l.round.collection[0].promoted); /* not 100 */
	EXPECT_INT(100, l.round.collection[1].promoted);
	recorder_learn(&f.recorder, NULL);
	learning_release(&l);
	end(NULL);
}

TEST(out_of_memory)
{
	uint64_t held = mem_held();
	static struct options o; /* the recorder borrows its texts */
	options_init(&o);
	memset(&f, 0, sizeof(f));
	EXPECT_INT(0, recorder_init(&f.recorder, &o, CAPACITY, clock_now(), NULL));
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, gcs_init(&f.gcs, &f.recorder, CAPACITY, NULL));
	mem_fail_at(0);
	recorder_release(&f.recorder);
	EXPECT_INT(held, mem_held());
}
