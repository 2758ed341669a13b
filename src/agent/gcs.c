#include "agent/gcs.h"

#include <string.h>

#include "agent/collector_flag.h"
#include "agent/recorder_names.h"
#include "base/clock.h"
#include "base/compiler.h"
#include "base/error.h"
#include "base/mem.h"
#include "hotspot/perf_memory.h"
#include "hotspot/region.h"
#include "hotspot/vm_constants.h"
#include "hotspot/vm_flags.h"

#define FULL 0.75 /* of the heap: with less in use there is room for all that is young */

/* Beyond it a look at them takes too much of a pause: half a millisecond. */
enum { REGIONS_READ_MOST = 16384 };

/* What a collection of each kind does to the clocks. */
static const struct {
	enum collector_role role;
	bool young, full;
} effects[GCS_KINDS] = {
	[COLLECTOR_UNKNOWN] = {ROLE_UNKNOWN, true, false},
	[COLLECTOR_YOUNG] = {ROLE_YOUNG, true, false},
	[COLLECTOR_FULL] = {ROLE_FULL, true, true},
	[COLLECTOR_CONCURRENT] = {ROLE_OLD_CONCURRENT, false, true},
	[COLLECTOR_MINOR] = {ROLE_YOUNG_CONCURRENT, true, false},
	[COLLECTOR_MAJOR] = {ROLE_WHOLE_CONCURRENT, true, true},
	[COLLECTOR_CYCLE] = {ROLE_WHOLE_CONCURRENT, true, true},
};

/* Which count of a pause belongs to which kind, in the order in which they happen in it. */
static const struct {
	enum collector_kind kind;
	size_t offset;
} parts[] = {
	{COLLECTOR_YOUNG, offsetof(struct gc_counts, young)},
	{COLLECTOR_FULL, offsetof(struct gc_counts, full)},
	{COLLECTOR_CONCURRENT, offsetof(struct gc_counts, concurrent)},
	{COLLECTOR_MINOR, offsetof(struct gc_counts, minor)},
	{COLLECTOR_MAJOR, offsetof(struct gc_counts, major)},
	{COLLECTOR_CYCLE, offsetof(struct gc_counts, cycle)},
};

/* Where there is no file: they may be in the VM's memory all the same. */
static bool borrow_counters(struct gcs *g)
{
	g->memory = perf_memory_find(&g->structs);
	if (g->memory.at && perfdata_borrow(&g->perf, g->memory.at, g->memory.size, NULL))
		g->memory.at = NULL;
	return g->memory.at != NULL;
}

static bool find_mark(struct gcs *g)
{
	if (g->memory.at)
		return cycle_mark_open_memory(&g->mark, g->memory.at, g->memory.size, NULL) ==
		       ERR_NONE;
	return g->counters && cycle_mark_open_self(&g->mark, NULL) == ERR_NONE;
}

static void find_counters(struct gcs *g, const struct vm_flags *f)
{
	struct diag d = {""};
	g->counters = perffile_open_self(&g->perf, &d) == ERR_NONE || borrow_counters(g);
	if (!g->counters) {
		recorder_note(g->recorder, NOTE_WARNING,
			vm_flags_bool(f, "UsePerfData", true)
				? d.text
				: "the VM keeps no counters (-XX:-UsePerfData): how much of the "
				  "heap was in use is not known");
		return;
	}
	collectors_find(&g->collectors, &g->perf);
	collectors_find_mode(&g->collectors, &g->perf, "/proc");
	heap_counters_find(&g->heap, &g->perf);
	g->unloaded = perfdata_counter(&g->perf, "java.cls.unloadedClasses");
	tenuring_find(&g->tenuring, &g->perf);
}

/* What the counters tell, and the flags where they do not. */
static void find_collector(struct gcs *g, const void *inside)
{
	struct vm_constants constants = vm_constants_of(inside);
	struct vm_flags flags = vm_flags_of(&g->structs, &constants);
	find_counters(g, &flags);
	g->gc = g->collectors.gc ? g->collectors.gc : collector_flag(&flags);
}

/* Collectors that the VM's counters have no name of their own for. */
static const struct {
	enum gc gc;
	enum collector_kind kind;
	const char *name;
	enum collector_role role;
} unnamed[] = {
	{GC_UNKNOWN, COLLECTOR_CYCLE, "pauses", ROLE_UNKNOWN},
	{GC_Z, COLLECTOR_CYCLE, "Z cycles", ROLE_WHOLE_CONCURRENT}, /* JDK 11 */
	{GC_SHENGEN, COLLECTOR_MINOR, "Shenandoah young", ROLE_YOUNG_CONCURRENT},
	{GC_SHENGEN, COLLECTOR_CONCURRENT, "Shenandoah old", ROLE_OLD_CONCURRENT},
	{GC_SHENGEN, COLLECTOR_MAJOR, "Shenandoah global", ROLE_WHOLE_CONCURRENT},
};

static void define_collectors(struct gcs *g)
{
	for (unsigned i = 0; i < g->collectors.count; i++) {
		const struct collector *c = &g->collectors.at[i];
		g->ids[c->kind] = recorder_collector(g->recorder, c->name, effects[c->kind].role);
	}
	for (size_t i = 0; i < ARRAY_SIZE(unnamed); i++)
		if (unnamed[i].gc == g->collectors.gc && !g->ids[unnamed[i].kind])
			g->ids[unnamed[i].kind] =
				recorder_collector(g->recorder, unnamed[i].name, unnamed[i].role);
}

static void note_spent(struct gcs *g)
{
	for (unsigned i = 0; i < g->collectors.count; i++)
		g->spent[g->collectors.at[i].kind] = counter_read_u64(g->collectors.at[i].time);
}

/* What the collector of that kind has spent since. 0: unknown. */
static struct ns taken(const struct gcs *g, enum collector_kind kind)
{
	const struct collector *c = collectors_kind(&g->collectors, kind);
	uint64_t ticks = c ? counter_read_u64(c->time) - g->spent[kind] : 0;
	return collectors_ticks(&g->collectors, ticks);
}

static bool counts_late(const struct gcs *g)
{
	return g->collectors.gc == GC_SERIAL || g->collectors.gc == GC_PARALLEL;
}

static void find_spaces(struct gcs *g, const void *inside)
{
	struct diag d;
	if (heap_layout_open(&g->layout, inside, &d) || heap_regions_init(&g->spaces, &g->layout))
		g->spaces = (struct heap_regions){.count = 0};
}

static bool read_spaces(struct gcs *g)
{
	return g->spaces.room && !heap_regions_read(&g->layout, &g->spaces);
}

/* UINT64_MAX: not known. */
static uint64_t old_in_use(struct gcs *g)
{
	return read_spaces(g) ? heap_regions_used(&g->spaces, REGION_OLD) : UINT64_MAX;
}

/* They are to be read anew. */
static void keep_spaces(struct gcs *g)
{
	struct heap_regions spare = g->past;
	if (!spare.room)
		return;
	g->past = g->spaces;
	g->spaces = spare;
}

/* Since the pause began, which is over. UINT64_MAX: not known. */
static uint64_t promoted(struct gcs *g)
{
	keep_spaces(g);
	uint64_t before = g->old_before, now = g->old_before = old_in_use(g);
	if (before == UINT64_MAX || now == UINT64_MAX)
		return UINT64_MAX;
	return now > before ? now - before : 0;
}

static void find_more(const struct gcs *g, struct heap_regions *r)
{
	if (heap_regions_init(r, &g->layout))
		*r = (struct heap_regions){.count = 0};
}

void gcs_measure_promoted(struct gcs *g, const void *inside)
{
	if (g->collectors.gc == GC_G1)
		find_spaces(g, inside);
	if (g->spaces.room > REGIONS_READ_MOST)
		heap_regions_release(&g->spaces);
	if (g->collectors.gc == GC_G1 && g->spaces.room) {
		find_more(g, &g->begun);
		find_more(g, &g->past);
	}
	g->old_before = old_in_use(g);
}

int gcs_init(struct gcs *g, struct recorder *r, uint32_t capacity, const void *inside)
{
	memset(g, 0, sizeof(*g));
	g->recorder = r;
	g->pending = mem_alloc(capacity * sizeof(*g->pending));
	if (!g->pending)
		return ERR_NOMEM;
	g->pending_room = capacity;
	teller_init(&g->teller, "/proc/self/task");
	g->structs = vm_structs_of(inside);
	find_collector(g, inside);
	note_spent(g);
	cycles_init(&g->cycles, &g->collectors, &g->heap, find_mark(g) ? &g->mark : NULL);
	define_collectors(g);
	g->old_before = UINT64_MAX;
	if (counts_late(g))
		find_spaces(g, inside);
	return ERR_NONE;
}

void gcs_give_up_memory(struct gcs *g)
{
	if (g->memory.at)
		g->mark = (struct cycle_mark){0};
}

void gcs_release(struct gcs *g)
{
	cycle_mark_release(&g->mark);
	if (g->counters)
		perfdata_release(&g->perf);
	mem_free(g->pending);
	heap_regions_release(&g->spaces);
	heap_regions_release(&g->begun);
	heap_regions_release(&g->past);
	memset(g, 0, sizeof(*g));
}

void gcs_heap(const struct gcs *g, uint64_t *used, uint64_t *committed)
{
	struct heap_usage usage;
	heap_counters_read(&g->heap, &usage);
	*used = usage.used.v;
	*committed = usage.committed.v;
}

void gcs_threshold(struct gcs *g, const uint32_t *at)
{
	atomic_store(&g->threshold, at);
}

static bool asked_for(const char *cause)
{
	static const char *const causes[] = {"System.gc()", "JvmtiEnv ForceGarbageCollection",
		"Heap Inspection Initiated GC", "Heap Dump Initiated GC", "Diagnostic Command",
		"WhiteBox Initiated Young GC", "WhiteBox Initiated Full GC"};
	for (size_t i = 0; i < ARRAY_SIZE(causes); i++)
		if (strcmp(cause, causes[i]) == 0)
			return true;
	return false;
}

static void read_tenuring(const struct gcs *g, struct record_gc *gc)
{
	struct tenuring t;
	tenuring_read(&g->tenuring, &t);
	const uint32_t *own = atomic_load(&g->threshold);
	gc->tenuring = own ? __atomic_load_n(own, __ATOMIC_RELAXED) : t.threshold;
	if (g->tenuring.ages == 0)
		return;
	gc->ages.count = TENURING_AGES - 1;
	for (int age = 1; age < TENURING_AGES; age++)
		gc->ages.at[age - 1] = t.age[age].v;
}

bool gcs_counts_collections(const struct gcs *g)
{
	static const bool by_invocations[GC_KINDS] = {
		[GC_SERIAL] = true, [GC_PARALLEL] = true, [GC_G1] = true};
	enum gc gc = g->collectors.gc;
	return gc != GC_UNKNOWN && (by_invocations[gc] || g->mark.at);
}

static uint64_t flags_of(const struct gcs *g, const char *cause)
{
	return (asked_for(cause) ? (uint64_t)GC_FORCED : 0) |
	       (gcs_counts_collections(g) ? 0 : (uint64_t)GC_FROM_PAUSES);
}

static void set_clocks(const struct gcs *g, struct record_gc *gc)
{
	gc->young = atomic_load(&g->recorder->young);
	gc->full = atomic_load(&g->recorder->full);
}

/* The old generation shrinks in most mixed ones; its regions tell of all. */
static bool is_mixed(const struct gcs *g, const struct gc_counts *n, uint64_t promoted_bytes)
{
	if (!g->past.room || promoted_bytes == UINT64_MAX)
		return n->mixed;
	return !n->full && heap_regions_took_old(&g->past, &g->spaces);
}

/* One record a collection; a young one that turned into a full one in the same pause makes two,
 * with what both promoted. */
static void tell(struct gcs *g, enum collector_kind kind, const struct gc_counts *n, struct ns end,
	struct ns pause, uint64_t promoted_bytes, bool more)
{
	char cause[GC_CAUSE_MAX] = "";
	struct heap_usage usage;
	struct collection c = {.begin = g->begin,
		.end = end,
		.cause = cause,
		.young = kind == COLLECTOR_YOUNG,
		.full = kind == COLLECTOR_FULL,
		.more = more};
	collectors_cause(&g->collectors, cause, sizeof(cause));
	heap_counters_read(&g->heap, &usage);
	bool mixed = kind == COLLECTOR_YOUNG && is_mixed(g, n, promoted_bytes);
	c.gc.collector = g->ids[kind];
	set_clocks(g, &c.gc);
	c.gc.flags = (mixed ? (uint64_t)GC_MIXED : 0) | flags_of(g, cause) | g->seen;
	c.gc.pause = pause.v;
	c.gc.heap_before = g->used_before;
	c.gc.heap_after = usage.used.v;
	c.gc.heap_committed = usage.committed.v;
	c.gc.old_after = usage.old_used.v;
	c.young_bytes = usage.eden_committed.v + usage.survivor_committed.v;
	c.promoted = promoted_bytes;
	c.survivors = g->past.room ? heap_regions_used(&g->spaces, REGION_SURVIVOR) : 0;
	c.failed = kind == COLLECTOR_YOUNG && heap_regions_failed(&g->begun, &g->spaces);
	if (kind == COLLECTOR_YOUNG)
		read_tenuring(g, &c.gc);
	recorder_collection(g->recorder, &c);
}

static uint64_t part(const struct gc_counts *n, size_t i)
{
	uint64_t count;
	memcpy(&count, (const char *)n + parts[i].offset, sizeof(count));
	return count;
}

/* Up to its last one. */
static size_t parts_of(const struct gc_counts *n)
{
	size_t last = ARRAY_SIZE(parts);
	while (last && !part(n, last - 1))
		last--;
	return last;
}

/* A pause moves each clock by one at most: an object that it finds dead has survived none of its
 * parts. Whether the young one did. */
static bool move_clocks(struct gcs *g, const struct gc_counts *n)
{
	bool young = false, full = false;
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		bool happened = part(n, i) > 0;
		young = young || (happened && effects[parts[i].kind].young);
		/* Nobody knows what kind an unknown collector's was. */
		full = full ||
		       (happened && effects[parts[i].kind].full && g->collectors.gc != GC_UNKNOWN);
	}
	if (young)
		atomic_fetch_add(&g->recorder->young, 1);
	if (full)
		atomic_fetch_add(&g->recorder->full, 1);
	return young;
}

/* Collections that no event told of. */

/* When it was is not known, nor how much was in use: it is told as it is noticed. */
static void tell_silent(
	struct gcs *g, enum collector_kind kind, struct ns now, struct ns pause, bool more)
{
	char cause[GC_CAUSE_MAX] = "";
	struct collection c = {.begin = now,
		.end = now,
		.cause = cause,
		.young = kind == COLLECTOR_YOUNG,
		.full = kind == COLLECTOR_FULL,
		.more = more,
		.promoted = UINT64_MAX};
	collectors_last_cause(&g->collectors, cause, sizeof(cause));
	c.gc = (struct record_gc){
		.collector = g->ids[kind], .flags = flags_of(g, cause), .pause = pause.v};
	set_clocks(g, &c.gc);
	recorder_collection(g->recorder, &c);
}

/* all: those that are told at once; each has its share of what its collector spent on them. */
static void tell_one(
	struct gcs *g, const struct gc_counts *n, const struct gc_counts *all, struct ns now)
{
	size_t last = parts_of(n);
	move_clocks(g, n);
	for (size_t i = 0; i < last; i++)
		if (part(n, i))
			tell_silent(g, parts[i].kind, now,
				(struct ns){taken(g, parts[i].kind).v / part(all, i)},
				i + 1 < last);
}

static bool may_fail(const struct gcs *g)
{
	uint64_t used, committed;
	gcs_heap(g, &used, &committed);
	return (double)used > FULL * (double)committed;
}

/* There may be thousands. */
static void look_at_young(struct gcs *g)
{
	g->begun.count = 0;
	if (g->begun.room && may_fail(g) && heap_regions_read(&g->layout, &g->begun))
		g->begun.count = 0;
}

/* Each is a full one; a young one may come with it. Where there are no counters the heap's own
 * count does, of full ones. */
static void tell_missed(struct gcs *g, struct gc_counts n, uint64_t missed, struct ns now)
{
	if (!gcs_counts_collections(g))
		n.cycle = missed;
	uint64_t pauses = n.full ? n.full : n.cycle ? n.cycle : n.young > 0;
	n.young = n.young < pauses ? n.young : pauses;
	for (uint64_t i = 0; i < pauses; i++) {
		const struct gc_counts one = {
			.young = i < n.young, .full = i < n.full, .cycle = i < n.cycle};
		tell_one(g, &one, &n, now);
	}
}

/* 0: unknown. */
static uint64_t in_use(struct gcs *g)
{
	uint64_t used = 0, committed;
	if (!counts_late(g))
		gcs_heap(g, &used, &committed);
	else if (read_spaces(g))
		for (size_t i = 0; i < g->spaces.count; i++)
			used += g->spaces.at[i].top - g->spaces.at[i].bottom;
	return used;
}

/* G1's old regions stay as the last pause left them, and there may be thousands; Serial and
 * Parallel make large objects in theirs. */
static void look_at_old(struct gcs *g, bool missed)
{
	if (counts_late(g) || missed)
		g->old_before = old_in_use(g);
}

void gcs_again(struct gcs *g)
{
	cycles_again(&g->cycles);
	teller_again(&g->teller);
	note_spent(g);
	look_at_old(g, true);
}

void gcs_start(struct gcs *g, uint64_t missed)
{
	g->on = true;
	g->seen = teller_seen(&g->teller);
	g->begin = clock_now();
	g->used_before = in_use(g);
	if (g->collectors.gc == GC_G1)
		recorder_pause_begins(g->recorder);
	collectors_find_rest(&g->collectors, &g->perf);
	struct gc_counts silent = cycles_start(&g->cycles);
	look_at_old(g, gc_counts_total(&silent));
	look_at_young(g);
	tell_missed(g, silent, missed, g->begin);
	g->pending_count = 0;
	atomic_store_explicit(&g->pause_thread, (uintptr_t)pthread_self(), memory_order_relaxed);
}

void gcs_settle(struct gcs *g, uint64_t missed, bool dies)
{
	if (dies && g->memory.at)
		return;
	collectors_find_rest(&g->collectors, &g->perf);
	tell_missed(g, cycles_silent(&g->cycles), missed, clock_now());
}

/* Each collection has as much of the pause as its collector spent, the last one the rest. */
static void tell_parts(struct gcs *g, const struct gc_counts *n, struct ns end)
{
	uint64_t rest = end.v - g->begin.v, moved = promoted(g);
	size_t last = parts_of(n);
	for (size_t i = 0; i < last; i++) {
		if (!part(n, i))
			continue;
		uint64_t own = i + 1 < last ? taken(g, parts[i].kind).v : rest;
		own = own < rest ? own : rest;
		tell(g, parts[i].kind, n, end, (struct ns){own}, moved, i + 1 < last);
		rest -= own;
	}
}

/* What the counters say of a pause that both events told of. */
static void finish(struct gcs *g)
{
	struct ns end = clock_now();
	struct gc_counts n = cycles_finish(&g->cycles);
	atomic_store_explicit(&g->pause_thread, 0, memory_order_relaxed);
	bool young = move_clocks(g, &n);
	if (gc_counts_total(&n) == 0)
		recorder_pause(g->recorder, g->begin, end, 0);
	tell_parts(g, &n, end);
	for (uint32_t i = 0; i < g->pending_count; i++)
		recorder_death(g->recorder, g->pending[i]);
	g->pending_count = 0;
	if (young)
		teller_collected(&g->teller);
	note_spent(g);
}

void gcs_finish(struct gcs *g)
{
	if (g->on)
		finish(g);
	else
		gcs_again(g);
	g->on = false;
}

void gcs_death(struct gcs *g, int64_t tag)
{
	uintptr_t thread = atomic_load_explicit(&g->pause_thread, memory_order_relaxed);
	bool inside = thread == (uintptr_t)pthread_self();
	if (inside && g->pending_count < g->pending_room)
		g->pending[g->pending_count++] = tag;
	else
		recorder_death(g->recorder, tag);
	if (!inside)
		teller_tells(&g->teller);
}

const char *gcs_name(const struct gcs *g)
{
	const char *name = gc_name(g->gc);
	return *name ? name : "unknown";
}

uint64_t gcs_follow_max(const struct gcs *g)
{
	return g->gc == GC_G1 ? region_bytes(&g->structs) / 2 : UINT64_MAX;
}

const char *gcs_clock(const struct gcs *g)
{
	return g->gc == GC_EPSILON ? "none" : gcs_counts_collections(g) ? "counters" : "pauses";
}

const char *gcs_deaths(const struct gcs *g)
{
	return g->gc == GC_EPSILON ? "none" : g->collectors.gc == GC_ZGEN ? "old" : "collection";
}
