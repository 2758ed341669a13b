/*
 * Counts collections the way the VM's log does (one GC(n) each), inside the VM, out of JVMTI's
 * GarbageCollectionStart and Finish, which come once a pause, and of the counters.
 *
 * Serial, Parallel, G1: `invocations` are collections; a G1 marking cycle is a Remark and a
 * Cleanup pause. Z and Shenandoah count pauses or phases, and not the same number in each
 * cycle. But each of their cycles sets sun.gc.lastCause as it starts and as it ends, with strncpy,
 * which fills the whole field (81 bytes; causes have less than 50). So a byte written behind the
 * text is gone if and only if a cycle has started or ended since: struct cycle_mark. Which
 * generation one of generational Shenandoah's looks at is told by its cause and its phases.
 * doc/jvm.md, Counters, has what was measured.
 *
 * Not thread-safe: the VM calls GarbageCollectionStart and Finish of one environment one at a time.
 */
#ifndef JVMSTAT_CYCLES_H
#define JVMSTAT_CYCLES_H

#include "jvmstat/collectors.h"
#include "jvmstat/cycle_mark.h"
#include "jvmstat/heap_counters.h"

struct gc_counts {
	uint64_t young; /* mixed ones included */
	uint64_t mixed; /* G1: young collections seen to shrink the old generation; a lower bound */
	uint64_t full;
	uint64_t concurrent;   /* markings of the old generation: G1's that reached Remark,
				  Shenandoah's */
	uint64_t minor, major; /* generational Z and Shenandoah */
	uint64_t cycle;        /* Z and Shenandoah without generations, unknown collectors */
};

struct cycles {
	const struct collectors *collectors; /* the caller's */
	const struct heap_counters *heap;    /* the caller's */
	struct cycle_mark *mark; /* the caller's; NULL: none, and pauses are taken for cycles */
	uint64_t seen[COLLECTORS_MAX]; /* invocations at the last Finish */
	struct gc_counts total;
	struct bytes old_before; /* at Start */
	int fresh;               /* at Start: the mark was gone */
	unsigned marking;  /* G1: 0 none, 1 Remark seen, 2 Cleanup seen, 3 mixed ones may follow */
	unsigned given_up; /* G1: what a full collection has left of a marking; see cycles.c */
	unsigned minor_pauses; /* generational Z: pauses since the last minor began */
	unsigned major_run;    /* generational Z: major pauses in a row since the mark was gone */
	unsigned phases;   /* generational Shenandoah: before the last pause; 0: it began a cycle */
	unsigned old_mark; /* generational Shenandoah: see cycles.c */
};

/* Starts from the counters as they are, with totals of 0. */
void cycles_init(struct cycles *c, const struct collectors *collectors,
	const struct heap_counters *heap, struct cycle_mark *mark);
/* The same once more: what the counters have gone up by since counts for nothing. */
void cycles_again(struct cycles *c);

/*
 * From GarbageCollectionStart. Hot: loads only, and one byte stored. What the totals have gone up
 * by since the last Finish: collections that no event told of. Serial and Parallel have such, for a
 * tool's histogram or heap dump.
 */
struct gc_counts cycles_start(struct cycles *c);
/* The same where no pause begins, at the end. */
struct gc_counts cycles_silent(struct cycles *c);

/*
 * From GarbageCollectionFinish: what this pause added to the totals, all 0 when it is a further
 * pause of a cycle already counted. Serial and Parallel up to 21 may add a young and a full at
 * once.
 */
struct gc_counts cycles_finish(struct cycles *c);

/* All collections in it; mixed ones are young ones already. */
uint64_t gc_counts_total(const struct gc_counts *n);

#endif
