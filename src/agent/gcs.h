/*
 * Collections as the VM's events and counters tell them, and the two GC clocks they drive
 * (doc/metrics.md, "Clocks"):
 *   young: collections that included the young generation, by whatever collector
 *   full:  collections that can find dead objects of the old generation
 * Called by the VM at GarbageCollectionStart and Finish, one at a time, in its VM thread or a
 * GC thread, while the program stands: no calls into the VM, no waiting but for the
 * recorder's lock, whose holders never wait for the VM.
 */
#ifndef AGENT_GCS_H
#define AGENT_GCS_H

#include <pthread.h>

#include "agent/recorder.h"
#include "agent/teller.h"
#include "base/vec.h"
#include "hotspot/heap_regions.h"
#include "hotspot/perf_memory.h"
#include "jvmstat/collectors.h"
#include "jvmstat/cycle_mark.h"
#include "jvmstat/cycles.h"
#include "jvmstat/heap_counters.h"
#include "jvmstat/perfdata.h"
#include "jvmstat/perffile.h"
#include "jvmstat/tenuring.h"

enum { GCS_KINDS = COLLECTOR_NEVER + 1 };

struct gcs {
	struct recorder *recorder; /* borrowed */
	bool counters;             /* the VM's counters are there */
	struct vm_structs structs;
	struct perfdata perf;
	struct perf_memory memory; /* what perf has borrowed; none: it is the file */
	struct collectors collectors;
	enum gc gc; /* as they say; where they say nothing, as the VM's flags do */
	struct heap_counters heap;
	struct counter unloaded; /* classes, by the VM */
	/* Serial and Parallel write their counters when a collection ends (and before 23 each 50 ms
	 * or so): what is in use when one begins is read off the spaces. No room: it can't be. */
	struct heap_layout layout;
	struct heap_regions spaces;
	/* In the old generation when a pause began, as heap_regions_used; UINT64_MAX: not known. */
	uint64_t old_before;
	/* G1, where what is promoted is measured: as it began, where it is so full that evacuation
	 * may fail; else of no regions. No room: it is not measured. */
	struct heap_regions begun;
	struct heap_regions past; /* likewise: `spaces` as they were at the end of the pause before,
				     or at the begin of this one */
	struct tenuring_counters tenuring;
	const uint32_t *_Atomic threshold; /* in the VM, as it goes by it; NULL: as counters say */
	struct cycle_mark mark;
	struct cycles cycles;
	uint32_t ids[GCS_KINDS]; /* collector ids in the trace, by kind */
	/* Of the pause that is on; touched only by the thread that the VM calls Start and Finish
	 * in. */
	bool on;       /* it has begun with a Start */
	uint64_t seen; /* of deaths that the one before found, as it began: teller_seen */
	struct ns begin;
	uint64_t used_before;
	uint64_t spent[GCS_KINDS]; /* by the collector of each kind up to the last Finish, in ticks
				    */
	struct teller teller;
	/* Deaths told inside a pause (JDK 11): they wait for its Finish, when the clocks are right.
	 */
	_Atomic uintptr_t pause_thread; /* the pthread_t in which a pause is on; 0: none is */
	int64_t *pending;               /* owned; room for every tag there can be */
	uint32_t pending_count, pending_room;
};

/* Finds the counters; from VMInit on. Where there are none it says so in the trace and counts
 * pauses. inside: any address in libjvm. 0 or ERR_NOMEM. */
int gcs_init(struct gcs *g, struct recorder *r, uint32_t capacity, const void *inside);
/* From now on each collection is told with what it promoted: right after gcs_init, where somebody
 * learns. inside: as there. */
void gcs_measure_promoted(struct gcs *g, const void *inside);
void gcs_release(struct gcs *g);
/* Where the VM keeps the threshold that it goes by: Parallel's counter tells it only where it moves
 * that by itself. NULL: not known. */
void gcs_threshold(struct gcs *g, const uint32_t *at);
/* Counts from now on: what has been collected so far is none of the recording's. Before any Start
 * (struct pause_gate). */
void gcs_again(struct gcs *g);
/* The VM's own memory may be gone: it is not touched any more. */
void gcs_give_up_memory(struct gcs *g);

/* missed: full collections since the last Finish that the heap knows of and no event told of; of
 * use where there are no counters that tell. 0: none is known. */
void gcs_start(struct gcs *g, uint64_t missed);
/* Without a Start: of a pause that was on when the recording began, and counts for nothing. */
void gcs_finish(struct gcs *g);
/* Nobody calls Start and Finish any more: what was collected since, as gcs_start. dies: the VM may
 * be gone, and its own memory with it. */
void gcs_settle(struct gcs *g, uint64_t missed, bool dies);
/* A death, from ObjectFree. */
void gcs_death(struct gcs *g, int64_t tag);

/* Heap used and committed by the counters, 0 where unknown. Any thread. */
void gcs_heap(const struct gcs *g, uint64_t *used, uint64_t *committed);
/* The collector's name for the `gc` fact. */
const char *gcs_name(const struct gcs *g);
/* Objects larger than this many bytes must not be followed (region.h). */
uint64_t gcs_follow_max(const struct gcs *g);
/* The facts clock.gc and deaths (doc/trace-format.md, section 4). */
const char *gcs_clock(const struct gcs *g);
const char *gcs_deaths(const struct gcs *g);
/* Whether collections are counted as the collector does, not pauses. */
bool gcs_counts_collections(const struct gcs *g);

#endif
