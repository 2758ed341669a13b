#include "jvmstat/collectors.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/perfimage.h"
#include "support/tap.h"

struct vm {
	struct perfimage image;
	struct perfdata p;
	struct collectors c;
};

static void find(struct vm *v)
{
	EXPECT_INT(0, perfdata_borrow(&v->p, v->image.bytes.at, v->image.bytes.len, NULL));
	collectors_find(&v->c, &v->p);
}

TEST(g1_on_17)
{
	struct vm v;
	perfimage_init(&v.image);
	perfimage_collector(&v.image, 0, "G1 young collection pauses", 5);
	perfimage_collector(&v.image, 1, "G1 full collection pauses", 6);
	perfimage_collector(&v.image, 2, "G1 concurrent cycle pauses", 7);
	find(&v);
	EXPECT_INT(3, v.c.count);
	EXPECT_INT(GC_G1, v.c.gc);
	const struct collector *full = collectors_kind(&v.c, COLLECTOR_FULL);
	EXPECT(full && counter_read(full->invocations) == 6 && full->counts == COUNTS_COLLECTIONS);
	const struct collector *marking = collectors_kind(&v.c, COLLECTOR_CONCURRENT);
	EXPECT(marking && marking->counts == COUNTS_PAUSES);
	EXPECT(collectors_kind(&v.c, COLLECTOR_MINOR) == NULL);
	perfimage_release(&v.image);
}

/* Which of the two it is, the flag UseParallelOldGC says. */
TEST(parallel_on_11_has_either_of_two_full_ones)
{
	static const char *const names[] = {"PSParallelCompact", "PSMarkSweep"};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct vm v;
		perfimage_init(&v.image);
		perfimage_collector(&v.image, 0, "PSScavenge", 5);
		perfimage_collector(&v.image, 1, names[i], 6);
		find(&v);
		EXPECT_INT(GC_PARALLEL, v.c.gc);
		const struct collector *full = collectors_kind(&v.c, COLLECTOR_FULL);
		EXPECT(full && counter_read(full->invocations) == 6 &&
			full->counts == COUNTS_COLLECTIONS);
		perfimage_release(&v.image);
	}
}

/* Z numbers them 0 and 2. */
TEST(a_gap_in_the_numbers)
{
	struct vm v;
	perfimage_init(&v.image);
	perfimage_collector(&v.image, 0, "ZGC minor collection pauses", 1);
	perfimage_collector(&v.image, 2, "ZGC major collection pauses", 2);
	find(&v);
	EXPECT_INT(2, v.c.count);
	EXPECT_INT(GC_ZGEN, v.c.gc);
	const struct collector *major = collectors_kind(&v.c, COLLECTOR_MAJOR);
	EXPECT(major && counter_read(major->invocations) == 2);
	perfimage_release(&v.image);
}

TEST(found_as_the_vm_makes_them)
{
	struct vm v;
	perfimage_init(&v.image);
	find(&v);
	EXPECT_INT(0, v.c.count);
	EXPECT_INT(GC_UNKNOWN, v.c.gc);
	perfimage_collector(&v.image, 0, "Copy", 1);
	find(&v);
	EXPECT_INT(1, v.c.count);
	EXPECT_INT(GC_SERIAL, v.c.gc);
	perfimage_release(&v.image);
}

static enum gc nameless(const char *generation0, const char *generation1)
{
	struct vm v;
	perfimage_init(&v.image);
	if (generation0)
		perfimage_text(&v.image, "sun.gc.generation.0.name", generation0, 8);
	if (generation1)
		perfimage_text(&v.image, "sun.gc.generation.1.name", generation1, 8);
	find(&v);
	enum gc gc = v.c.gc;
	perfimage_release(&v.image);
	return gc;
}

/* As dumped from a JDK 11 with Z, and from 11 to 25 with Epsilon. */
TEST(by_its_one_generation_where_no_collector_is_named)
{
	EXPECT_INT(GC_Z, nameless(NULL, "old"));
	EXPECT_INT(GC_EPSILON, nameless(NULL, "Heap"));
	EXPECT_INT(GC_UNKNOWN, nameless("Young", "old"));
	EXPECT_INT(GC_UNKNOWN, nameless(NULL, "ol"));
	EXPECT_INT(GC_UNKNOWN, nameless(NULL, NULL));
}

/* A procfs whose process has one thread of that name; NULL: none. */
static enum gc mode(int64_t jvm_version, const char *collector, const char *thread)
{
	char proc[] = "/tmp/collectors.XXXXXX", path[64], command[64];
	struct vm v;
	EXPECT(mkdtemp(proc) != NULL);
	snprintf(command, sizeof(command), "mkdir -p %s/self/task/7", proc);
	EXPECT_INT(0, system(command));
	snprintf(path, sizeof(path), "%s/self/task/7/comm", proc);
	FILE *f = fopen(path, "w");
	EXPECT(f != NULL);
	if (f) {
		fprintf(f, "%s\n", thread);
		fclose(f);
	}
	perfimage_init(&v.image);
	perfimage_collector(&v.image, 1, collector, 5);
	perfimage_long(&v.image, "sun.rt.jvmVersion", jvm_version);
	find(&v);
	collectors_find_mode(&v.c, &v.p, proc);
	perfimage_release(&v.image);
	snprintf(command, sizeof(command), "rm -r %s", proc);
	EXPECT_INT(0, system(command));
	return v.c.gc;
}

/* The versions are 25.0.2's and 21.0.8's. */
TEST(generational_shenandoah_by_its_regulator)
{
	const int64_t jdk25 = 0x19000002, jdk21 = 0x15000008;
	EXPECT_INT(GC_SHENGEN, mode(jdk25, "Shenandoah full", "Shenandoah Regu"));
	EXPECT_INT(GC_SHENANDOAH, mode(jdk25, "Shenandoah full", "Shenandoah Cont"));
	EXPECT_INT(GC_SHENANDOAH, mode(jdk21, "Shenandoah full", "Shenandoah Regu"));
	EXPECT_INT(GC_SERIAL, mode(jdk25, "Copy", "Shenandoah Regu"));
}

TEST(a_collector_of_the_future)
{
	struct vm v;
	perfimage_init(&v.image);
	perfimage_collector(&v.image, 1, "Quantum collection pauses", 3);
	find(&v);
	EXPECT_INT(1, v.c.count);
	EXPECT_INT(GC_UNKNOWN, v.c.gc);
	EXPECT_INT(COLLECTOR_UNKNOWN, v.c.at[0].kind);
	EXPECT_STR("Quantum collection pauses", v.c.at[0].name);
	perfimage_release(&v.image);
}

static const struct {
	const char *cause, *last, *want;
} causes[] = {
	{"G1 Evacuation Pause", "No GC", "G1 Evacuation Pause"},
	{"System.gc()", "G1 Evacuation Pause", "System.gc()"},
	{"No GC", "Allocation Failure", "Allocation Failure"},
	{"No GC", "No GC", ""},
	{"", "System.gc()", "System.gc()"},
};

TEST(cause_of_this_collection)
{
	for (size_t n = 0; n < ARRAY_SIZE(causes); n++) {
		struct vm v;
		perfimage_init(&v.image);
		perfimage_text(&v.image, "sun.gc.cause", causes[n].cause, PERFIMAGE_TEXT);
		perfimage_text(&v.image, "sun.gc.lastCause", causes[n].last, PERFIMAGE_TEXT);
		find(&v);
		char out[GC_CAUSE_MAX] = "x";
		EXPECT_INT(strlen(causes[n].want), collectors_cause(&v.c, out, sizeof(out)));
		EXPECT_STR(causes[n].want, out);
		const char *last = strcmp(causes[n].last, "No GC") ? causes[n].last : "";
		EXPECT_INT(strlen(last), collectors_last_cause(&v.c, out, sizeof(out)));
		EXPECT_STR(last, out);
		perfimage_release(&v.image);
	}
	struct collectors none = {0};
	char out[4] = "x";
	EXPECT_INT(0, collectors_cause(&none, out, sizeof(out)));
	EXPECT_STR("", out);
}

TEST(ticks_in_any_frequency)
{
	int64_t hertz = 0;
	struct collectors c = {.frequency = {&hertz}};
	EXPECT_INT(0, collectors_ticks(&c, 5).v);
	hertz = 1000000000;
	EXPECT_INT(5, collectors_ticks(&c, 5).v);
	EXPECT(collectors_ticks(&c, UINT64_MAX).v == UINT64_MAX);
	hertz = 2000000;
	EXPECT_INT(2500, collectors_ticks(&c, 5).v);
	hertz = INT64_MAX;
	EXPECT_INT(0, collectors_ticks(&c, 5).v);
}

TEST(every_kind_and_gc_has_a_name)
{
	for (int kind = COLLECTOR_UNKNOWN; kind <= COLLECTOR_NEVER; kind++)
		EXPECT(collector_kind_name((enum collector_kind)kind)[0] != '\0');
	for (int gc = GC_SERIAL; gc < GC_KINDS; gc++)
		EXPECT(gc_name((enum gc)gc)[0] != '\0');
	EXPECT_STR("", gc_name(GC_UNKNOWN));
}
