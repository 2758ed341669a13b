#include "jvmstat/cycles.h"

#include <string.h>

#include "support/perfimage.h"
#include "support/tap.h"

enum { MB = 1 << 20 };

struct vm {
	struct perfimage image;
	struct perfdata p;
	struct collectors collectors;
	struct heap_counters heap;
	struct cycle_mark mark;
	struct cycles cycles;
	uint32_t invocations[3], last, old;
};

static void begin(struct vm *v, const char *const names[3], const int64_t *at)
{
	*v = (struct vm){0};
	perfimage_init(&v->image);
	for (int n = 0; n < 3; n++)
		if (names[n])
			v->invocations[n] =
				perfimage_collector(&v->image, n, names[n], at ? at[n] : 0);
	v->last = perfimage_text(&v->image, "sun.gc.lastCause", "No GC", PERFIMAGE_TEXT);
	v->old = perfimage_long(&v->image, "sun.gc.generation.1.space.0.used", 0);
	EXPECT_INT(0, perfdata_borrow(&v->p, v->image.bytes.at, v->image.bytes.len, NULL));
	collectors_find(&v->collectors, &v->p);
	heap_counters_find(&v->heap, &v->p);
	EXPECT_INT(
		0, cycle_mark_place(&v->mark, v->image.bytes.at + v->last, PERFIMAGE_TEXT, NULL));
	cycles_init(&v->cycles, &v->collectors, &v->heap, &v->mark);
}

static void end(struct vm *v)
{
	cycle_mark_release(&v->mark);
	perfimage_release(&v->image);
}

static void add(struct vm *v, int collector, int64_t n)
{
	if (!v->invocations[collector])
		return;
	int64_t now;
	memcpy(&now, v->image.bytes.at + v->invocations[collector], sizeof(now));
	perfimage_set_long(&v->image, v->invocations[collector], now + n);
}

static void cause(struct vm *v)
{
	perfimage_set_text(&v->image, v->last, "Allocation Rate", PERFIMAGE_TEXT);
}

static struct gc_counts pause(struct vm *v, int collector, int64_t n)
{
	cycles_start(&v->cycles);
	add(v, collector, n);
	return cycles_finish(&v->cycles);
}

static const char *const serial[3] = {"Copy", "MSC", NULL};
static const char *const g1[3] = {
	"G1 young collection pauses", "G1 full collection pauses", "G1 concurrent cycle pauses"};
static const char *const z[3] = {NULL, NULL, "Z concurrent cycle pauses"};
static const char *const zgen[3] = {
	"ZGC minor collection pauses", NULL, "ZGC major collection pauses"};
static const char *const none[3] = {NULL, NULL, NULL};

/* Serial and Parallel up to 21: System.gc() is a young and a full in one pause. */
TEST(two_collections_in_one_pause)
{
	struct vm v;
	begin(&v, serial, (const int64_t[]){10, 20, 0});
	EXPECT_INT(1, pause(&v, 0, 1).young);
	cycles_start(&v.cycles);
	add(&v, 0, 1);
	add(&v, 1, 1);
	struct gc_counts n = cycles_finish(&v.cycles);
	EXPECT_INT(1, n.young);
	EXPECT_INT(1, n.full);
	EXPECT_INT(2, v.cycles.total.young);
	EXPECT_INT(3, gc_counts_total(&v.cycles.total));
	end(&v);
}

/* What a tool asks Serial and Parallel for is told by no event; G1 tells of all, and has counted a
 * Remark before its Start. */
TEST(collections_without_events)
{
	struct vm v;
	begin(&v, serial, NULL);
	EXPECT_INT(1, pause(&v, 0, 1).young);
	add(&v, 0, 1);
	add(&v, 1, 2);
	struct gc_counts silent = cycles_start(&v.cycles);
	add(&v, 0, 1);
	struct gc_counts n = cycles_finish(&v.cycles);
	EXPECT_INT(1, silent.young);
	EXPECT_INT(2, silent.full);
	EXPECT_INT(1, gc_counts_total(&n));
	add(&v, 1, 1);
	EXPECT_INT(1, cycles_silent(&v.cycles).full);
	EXPECT_INT(3, v.cycles.total.young);
	EXPECT_INT(3, v.cycles.total.full);
	end(&v);
	begin(&v, g1, NULL);
	add(&v, 2, 1);
	silent = cycles_start(&v.cycles);
	EXPECT_INT(0, gc_counts_total(&silent));
	EXPECT_INT(1, cycles_finish(&v.cycles).concurrent);
	end(&v);
}

/* "y": the old generation grows; "m": it shrinks; "r": Remark or Cleanup; "f": full. */
static void play_g1(struct vm *v, const char *pauses)
{
	int64_t old = 100 * MB;
	for (; *pauses; pauses++) {
		perfimage_set_long(&v->image, v->old, old);
		if (*pauses == 'r') { /* counted before Start */
			add(v, 2, 1);
			pause(v, 0, 0);
			continue;
		}
		cycles_start(&v->cycles);
		add(v, *pauses == 'f' ? 1 : 0, 1);
		old += *pauses == 'y' ? MB : *pauses == 'm' ? -4 * MB : 0;
		perfimage_set_long(&v->image, v->old, old);
		cycles_finish(&v->cycles);
	}
}

static const struct {
	const char *pauses;
	uint64_t young, mixed, full, concurrent;
} g1_runs[] = {
	{"yyyy", 4, 0, 0, 0},
	{"yryyry", 4, 0, 0, 1},
	{"yryrymmmyy", 8, 3, 0, 1}, /* the first after Cleanup is never mixed */
	{"yryrmmyy", 6, 1, 0, 1},
	{"ymyy", 4, 0, 0, 0},         /* shrank, but after no marking: humongous objects died */
	{"yrfyryrymy", 6, 1, 1, 2},   /* a full in mid-marking: the next r is a Remark again */
	{"yrfryryry", 4, 0, 1, 2},    /* the Cleanup of the one given up comes all the same */
	{"yfryryry", 4, 0, 1, 2},     /* its Remark does */
	{"yrffryry", 3, 0, 2, 2},     /* two fulls: still that one's Cleanup */
	{"yryrymyymryr", 8, 1, 0, 2}, /* mixing ends with the first that does not shrink */
	{"rrrr", 0, 0, 0, 2},
};

TEST(g1_by_remark_and_cleanup)
{
	for (size_t n = 0; n < ARRAY_SIZE(g1_runs); n++) {
		struct vm v;
		begin(&v, g1, NULL);
		play_g1(&v, g1_runs[n].pauses);
		const struct gc_counts *t = &v.cycles.total;
		bool ok = t->young == g1_runs[n].young && t->mixed == g1_runs[n].mixed &&
			  t->full == g1_runs[n].full && t->concurrent == g1_runs[n].concurrent;
		tap_check(ok, __FILE__, __LINE__, "%s: %d young %d mixed %d full %d concurrent",
			g1_runs[n].pauses, (int)t->young, (int)t->mixed, (int)t->full,
			(int)t->concurrent);
		end(&v);
	}
}

TEST(g1_attached_between_remark_and_cleanup)
{
	struct vm v;
	begin(&v, g1, (const int64_t[]){9, 0, 3});
	play_g1(&v, "yrymyryr");
	EXPECT_INT(1, v.cycles.total.concurrent);
	EXPECT_INT(1, v.cycles.total.mixed);
	end(&v);
}

static void cycle(struct vm *v, int pauses)
{
	cause(v);
	for (int i = 0; i < pauses; i++) {
		struct gc_counts n = pause(v, 2, 1);
		EXPECT_INT(i == 0, n.cycle);
	}
	cause(v);
}

/* A cycle has 3 pauses on Z, 4 on Shenandoah, more or fewer of both at times. */
TEST(cycles_of_any_number_of_pauses)
{
	struct vm v;
	begin(&v, z, (const int64_t[]){0, 0, 7});
	for (int pauses = 1; pauses < 8; pauses++)
		cycle(&v, pauses);
	EXPECT_INT(7, v.cycles.total.cycle);
	end(&v);
}

TEST(no_collectors_in_the_counters)
{
	struct vm v;
	begin(&v, none, NULL);
	EXPECT_INT(GC_UNKNOWN, v.collectors.gc);
	cycle(&v, 3);
	cycle(&v, 3);
	EXPECT_INT(2, v.cycles.total.cycle);
	end(&v);
}

TEST(epsilon_never_collects)
{
	struct vm v;
	begin(&v, none, NULL);
	v.collectors.gc = GC_EPSILON;
	cycle(&v, 0);
	EXPECT_INT(0, gc_counts_total(&v.cycles.total));
	pause(&v, 0, 0);
	EXPECT_INT(0, gc_counts_total(&v.cycles.total));
	end(&v);
}

TEST(without_a_mark_pauses_are_all_there_is)
{
	struct vm v;
	begin(&v, z, NULL);
	cycles_init(&v.cycles, &v.collectors, &v.heap, NULL);
	for (int i = 0; i < 3; i++)
		pause(&v, 2, 1);
	EXPECT_INT(3, v.cycles.total.cycle);
	end(&v);
}

/*
 * As seen on 25. S E R: mark start, mark end, relocate start, upper case a major's young part,
 * lower a minor's; O P: the old part's, o p the same while a minor runs, which count as the
 * minor's; a blank: a collection ends or begins and sets the cause.
 */
static void play_zgen(struct vm *v, const char *pauses)
{
	for (; *pauses; pauses++) {
		if (*pauses == ' ')
			cause(v);
		else
			pause(v, strchr("serop", *pauses) ? 0 : 2, 1);
	}
}

static const struct {
	const char *pauses;
	uint64_t minor, major;
} zgen_runs[] = {
	{" SEROP  ser  ser ", 2, 1}, {" SEROP  SEROP  SEROP ", 0, 3},
	{" SERSEROP  ser ", 1, 1},        /* System.gc(): the young part twice */
	{" SER soer P  ser  ser ", 3, 1}, /* a minor from before mark end of the old */
	{" SER seor P  ser ", 2, 1}, {" SER ser O  ser  ser P  ser ", 4, 1},
	{" SER ser  soer P  SEROP ", 2, 2}, {" SEEROP  seer  ser ", 2, 1}, /* mark end twice */
};

TEST(minors_inside_majors)
{
	for (size_t n = 0; n < ARRAY_SIZE(zgen_runs); n++) {
		struct vm v;
		begin(&v, zgen, NULL);
		play_zgen(&v, zgen_runs[n].pauses);
		const struct gc_counts *t = &v.cycles.total;
		tap_check(t->minor == zgen_runs[n].minor && t->major == zgen_runs[n].major,
			__FILE__, __LINE__, "%s: %d minor %d major", zgen_runs[n].pauses,
			(int)t->minor, (int)t->major);
		end(&v);
	}
}

/*
 * As seen on 25: each pause is the number of phases since the one before. A capital letter before
 * it says that it finds the mark gone, and what for: C "Concurrent GC", A "Allocation Failure", S
 * "System.gc()".
 */
static void play_shengen(struct vm *v, uint32_t text, const char *pauses)
{
	for (; *pauses; pauses++) {
		if (strchr("CAS", *pauses)) {
			perfimage_set_text(&v->image, text,
				*pauses == 'C'   ? "Concurrent GC"
				: *pauses == 'A' ? "Allocation Failure"
						 : "System.gc()",
				PERFIMAGE_TEXT);
			cause(v);
		} else if (*pauses != ' ') {
			add(v, 1, *pauses - '0');
			pause(v, 1, 0);
		}
	}
}

static const struct {
	const char *pauses;
	uint64_t minor, major, old;
} shengen_runs[] = {
	{"C3463 C5463 C5463", 3, 0, 0},
	{"C3463 S5373 C6463", 2, 1, 0},
	{"C4463 C4 C5463", 2, 0, 1},           /* the first one marks the old generation too */
	{"C3463 C6463 C54 C6 C5463", 4, 0, 1}, /* nothing to move: no more after Final Mark */
	{"C34 C7463 C84 C7463", 4, 0, 0},
	{"C3463 C54 A4 C5463 A3 C5463", 6, 0, 0}, /* degenerated: young, as far as is known */
	/* a VM that counts phases otherwise: wrong once, and nothing lost */
	{"C3463 C4463 C4463 C4 C5463", 5, 0, 1},
	{"C3463 S4373 C4 C4", 2, 1, 1},
	{"C3463 C4 S5373 C5463 C4 C5463", 3, 1, 2},
};

TEST(generational_shenandoah_by_causes_and_phases)
{
	static const char *const names[3] = {"Shenandoah partial", "Shenandoah full", NULL};
	for (size_t n = 0; n < ARRAY_SIZE(shengen_runs); n++) {
		struct vm v;
		begin(&v, names, NULL);
		uint32_t text = perfimage_text(&v.image, "sun.gc.cause", "No GC", PERFIMAGE_TEXT);
		EXPECT_INT(0, perfdata_borrow(&v.p, v.image.bytes.at, v.image.bytes.len, NULL));
		collectors_find(&v.collectors, &v.p);
		v.collectors.gc = GC_SHENGEN;
		EXPECT_INT(0,
			cycle_mark_place(&v.mark, v.image.bytes.at + v.last, PERFIMAGE_TEXT, NULL));
		cycles_init(&v.cycles, &v.collectors, &v.heap, &v.mark);
		play_shengen(&v, text, shengen_runs[n].pauses);
		const struct gc_counts *t = &v.cycles.total;
		tap_check(t->minor == shengen_runs[n].minor && t->major == shengen_runs[n].major &&
				  t->concurrent == shengen_runs[n].old && !t->cycle,
			__FILE__, __LINE__, "%s: %d minor %d major %d old", shengen_runs[n].pauses,
			(int)t->minor, (int)t->major, (int)t->concurrent);
		end(&v);
	}
}
