#include "jvmstat/cycles.h"

#include <string.h>

#include "base/compiler.h"

/* Where a G1 heap is between two markings. */
enum { G1_IDLE, G1_REMARKED, G1_CLEANED, G1_MIXING };

/*
 * G1: a Remark or Cleanup that waited while a full collection gave its marking up comes behind it
 * all the same, and does nothing. The next marking begins with a young collection.
 */
enum { GIVEN_UP_NONE, GIVEN_UP_REMARK, GIVEN_UP_CLEANUP };

/* Generational Shenandoah: whether the last pause was taken for the end of an old mark. */
enum { OLD_MARK_WATCH, OLD_MARK_TAKEN, OLD_MARK_UNKNOWN };

enum {
	MIXED_FALL = 1 << 20, /* the smallest region: what a mixed collection frees at least */
	MINOR_PAUSES = 3,     /* mark start, mark end (at times twice), relocate start */
	MAJOR_RUN = 3,        /* the same three of a major's young part: no minor comes between */
};

static uint64_t invocations(const struct cycles *c, unsigned i)
{
	return counter_read_u64(c->collectors->at[i].invocations);
}

void cycles_init(struct cycles *c, const struct collectors *collectors,
	const struct heap_counters *heap, struct cycle_mark *mark)
{
	*c = (struct cycles){
		.collectors = collectors,
		.heap = heap,
		.mark = mark,
		.minor_pauses = MINOR_PAUSES,
	};
	for (unsigned i = 0; i < collectors->count; i++) {
		c->seen[i] = invocations(c, i);
		if (collectors->at[i].kind == COLLECTOR_CONCURRENT && c->seen[i] % 2)
			c->marking = G1_REMARKED;
	}
}

void cycles_again(struct cycles *c)
{
	struct gc_counts total = c->total;
	cycles_init(c, c->collectors, c->heap, c->mark);
	c->total = total;
}

/* What a collector's counter has gone up by since this was last asked. */
static uint64_t taken(struct cycles *c, enum collector_kind kind)
{
	for (unsigned i = 0; i < c->collectors->count; i++) {
		if (c->collectors->at[i].kind != kind)
			continue;
		uint64_t now = invocations(c, i), before = c->seen[i];
		c->seen[i] = now;
		return now > before ? now - before : 0;
	}
	return 0;
}

static struct gc_counts stop_the_world(struct cycles *c)
{
	return (struct gc_counts){
		.young = taken(c, COLLECTOR_YOUNG),
		.full = taken(c, COLLECTOR_FULL),
	};
}

/* Only some collections after a Cleanup are mixed, the first of them never: the log's Prepare
 * Mixed. */
static uint64_t g1_mixed(struct cycles *c)
{
	uint64_t now = counter_read_u64(c->heap->old_used);
	if (c->marking == G1_CLEANED) {
		c->marking = G1_MIXING;
		return 0;
	}
	if (c->marking != G1_MIXING)
		return 0;
	if (now + MIXED_FALL <= c->old_before.v)
		return 1;
	c->marking = G1_IDLE;
	return 0;
}

/* Remark and Cleanup by turns; each Remark is one marking. */
static uint64_t g1_markings(struct cycles *c, uint64_t pauses)
{
	if (pauses == 0)
		return 0;
	uint64_t turn = c->marking != G1_REMARKED;
	c->marking = (turn + pauses) % 2 ? G1_CLEANED : G1_REMARKED;
	return (pauses + turn) / 2;
}

static void give_up(struct cycles *c)
{
	if (c->given_up == GIVEN_UP_NONE)
		c->given_up = c->marking == G1_REMARKED ? GIVEN_UP_CLEANUP : GIVEN_UP_REMARK;
	c->marking = G1_IDLE;
}

/* One of the pauses may be what is left of a marking given up: whether it is a Remark. */
static uint64_t left_behind(struct cycles *c, uint64_t *pauses)
{
	uint64_t remark = c->given_up == GIVEN_UP_REMARK;
	if (*pauses == 0 || c->given_up == GIVEN_UP_NONE)
		return 0;
	c->given_up = GIVEN_UP_NONE;
	--*pauses;
	return remark;
}

static struct gc_counts g1(struct cycles *c)
{
	struct gc_counts n = stop_the_world(c);
	uint64_t pauses = taken(c, COLLECTOR_CONCURRENT);
	if (n.young) {
		n.mixed = g1_mixed(c);
		c->given_up = GIVEN_UP_NONE;
	}
	if (n.full)
		give_up(c);
	n.concurrent = left_behind(c, &pauses);
	n.concurrent += g1_markings(c, pauses);
	return n;
}

/*
 * Minors run while a major marks and moves the old generation, both set the cause, and an old
 * pause during a minor is counted as the minor's. But a minor begins with the mark gone, and
 * only a major's beginning has three major pauses in a row with the mark gone at the first.
 */
static struct gc_counts z_generational(struct cycles *c)
{
	uint64_t minor = taken(c, COLLECTOR_MINOR), major = taken(c, COLLECTOR_MAJOR);
	struct gc_counts n = {0};
	if (minor) {
		n.minor = c->fresh && c->minor_pauses >= MINOR_PAUSES;
		c->minor_pauses = (n.minor ? 0 : c->minor_pauses) + (unsigned)minor;
		c->major_run = 0;
	}
	if (major) {
		c->major_run = c->fresh ? 1 : c->major_run ? c->major_run + 1 : 0;
		n.major = c->major_run == MAJOR_RUN;
	}
	return n;
}

static struct gc_counts one_driver(struct cycles *c)
{
	return (struct gc_counts){.cycle = (uint64_t)c->fresh};
}

/* What young and old cycles of generational Shenandoah are made for; all others look at the whole
 * heap. */
static const char planned[] = "Concurrent GC";

static bool may_be_young(const char *cause)
{
	static const char *const causes[] = {planned, "", "Allocation Failure",
		"Allocation Failure During Evacuation", "Humongous Allocation Failure"};
	for (size_t i = 0; i < ARRAY_SIZE(causes); i++)
		if (strcmp(cause, causes[i]) == 0)
			return true;
	return false;
}

/*
 * The pause that ends the marking of the old generation finds the mark gone, like one that begins a
 * cycle, but fewer phases have gone by since the pause before: after the last of a cycle (which has
 * three behind it) 4 and not 5 or more; after a Final Mark with nothing to move (4) 6 and not 7 or
 * more.
 */
static bool ends_old_mark(const char *cause, unsigned before, uint64_t phases)
{
	bool fewer = (before == 3 && phases == 4) || (before == 4 && phases == 6);
	return fewer && strcmp(cause, planned) == 0;
}

/* Should a cycle go on after what was taken for the end of an old mark, then this VM counts phases
 * otherwise: it was the beginning of a cycle, and the rule is of no use here. */
static struct gc_counts further_pause(struct cycles *c, unsigned phases)
{
	struct gc_counts n = {.minor = c->old_mark == OLD_MARK_TAKEN};
	if (n.minor)
		c->old_mark = OLD_MARK_UNKNOWN;
	c->phases = phases;
	return n;
}

static struct gc_counts shenandoah_generational(struct cycles *c)
{
	char cause[GC_CAUSE_MAX];
	uint64_t phases = taken(c, COLLECTOR_CYCLE);
	unsigned before = c->phases;
	if (!c->fresh)
		return further_pause(c, (unsigned)phases);
	collectors_cause(c->collectors, cause, sizeof(cause));
	c->phases = 0;
	bool whole = !may_be_young(cause), known = c->old_mark != OLD_MARK_UNKNOWN;
	bool old = known && ends_old_mark(cause, before, phases);
	if (known)
		c->old_mark = old ? OLD_MARK_TAKEN : OLD_MARK_WATCH;
	return (struct gc_counts){.minor = !whole && !old, .major = whole, .concurrent = old};
}

static struct gc_counts never(struct cycles *c)
{
	(void)c;
	return (struct gc_counts){0};
}

static struct gc_counts (*const rules[])(struct cycles *) = {
	[GC_UNKNOWN] = one_driver,
	[GC_SERIAL] = stop_the_world,
	[GC_PARALLEL] = stop_the_world,
	[GC_G1] = g1,
	[GC_Z] = one_driver,
	[GC_ZGEN] = z_generational,
	[GC_SHENANDOAH] = one_driver,
	[GC_SHENGEN] = shenandoah_generational,
	[GC_EPSILON] = never,
};

static struct gc_counts add_up(struct cycles *c, struct gc_counts n)
{
	c->total.young += n.young;
	c->total.mixed += n.mixed;
	c->total.full += n.full;
	c->total.concurrent += n.concurrent;
	c->total.minor += n.minor;
	c->total.major += n.major;
	c->total.cycle += n.cycle;
	return n;
}

/* Others tell of each pause; and G1 has counted a Remark before its Start. */
struct gc_counts cycles_silent(struct cycles *c)
{
	enum gc gc = c->collectors->gc;
	bool silent = gc == GC_SERIAL || gc == GC_PARALLEL;
	return silent ? add_up(c, stop_the_world(c)) : never(c);
}

struct gc_counts cycles_start(struct cycles *c)
{
	c->fresh = !c->mark || cycle_mark_gone(c->mark);
	c->old_before.v = counter_read_u64(c->heap->old_used);
	return cycles_silent(c);
}

struct gc_counts cycles_finish(struct cycles *c)
{
	return add_up(c, rules[c->collectors->gc](c));
}

uint64_t gc_counts_total(const struct gc_counts *n)
{
	return n->young + n->full + n->concurrent + n->minor + n->major + n->cycle;
}
