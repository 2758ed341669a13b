/*
 * The collectors of a VM, and what they say of themselves. Their `invocations` are collections on
 * Serial, Parallel and G1's young and full; elsewhere they count pauses or phases, and cycles.h
 * makes collections of them.
 */
#ifndef JVMSTAT_COLLECTORS_H
#define JVMSTAT_COLLECTORS_H

#include "base/types.h"
#include "jvmstat/perfdata.h"

enum { COLLECTORS_MAX = 4, COLLECTOR_NAME_MAX = 64, GC_CAUSE_MAX = 81 };

enum gc {
	GC_UNKNOWN,
	GC_SERIAL,
	GC_PARALLEL,
	GC_G1,
	GC_Z,
	GC_ZGEN,
	GC_SHENANDOAH,
	GC_SHENGEN, /* generational; see collectors_find_mode */
	GC_EPSILON,
	GC_KINDS,
};

enum collector_kind {
	COLLECTOR_UNKNOWN,
	COLLECTOR_YOUNG,
	COLLECTOR_FULL,
	COLLECTOR_CONCURRENT, /* G1 marking: a Remark and a Cleanup pause each */
	COLLECTOR_MINOR,
	COLLECTOR_MAJOR,
	COLLECTOR_CYCLE, /* the whole heap, mostly while the program runs */
	COLLECTOR_NEVER, /* a counter that no VM increments */
};

enum collector_counts {
	COUNTS_UNKNOWN,
	COUNTS_COLLECTIONS,
	COUNTS_PAUSES,
	COUNTS_PHASES,
};

struct collector {
	char name[COLLECTOR_NAME_MAX];
	enum collector_kind kind;
	enum collector_counts counts;
	struct counter invocations;
	struct counter time;          /* ticks spent */
	struct counter entered, left; /* ticks since the VM began; entered > left: under way */
};

struct collectors {
	struct collector
		at[COLLECTORS_MAX]; /* Z numbers its from 0 and 2: order kept, gaps closed */
	unsigned count;
	enum gc gc;
	struct counter_text cause, last_cause;
	struct counter frequency; /* ticks a second */
};

/* Finds what there is. Z on 11 and Epsilon are told by the name of their one generation: they have
 * no collectors in the counters. Call again (cheap, not hot) until count stays: the VM makes them
 * as it starts. */
void collectors_find(struct collectors *c, const struct perfdata *p);

/* What the VM makes last, behind VMInit: the frequency of its clock. Looks for it while it is not
 * there: some 30 µs. */
void collectors_find_rest(struct collectors *c, const struct perfdata *p);

/*
 * Of the VM that this process is: makes GC_SHENGEN of GC_SHENANDOAH where there is the thread that
 * only its generational mode has; the counters are the same in both. For JDK 24 and later: before,
 * builds that had that mode had the thread in all modes. proc is where procfs is mounted, "/proc"
 * outside tests.
 */
void collectors_find_mode(struct collectors *c, const struct perfdata *p, const char *proc);

/* The collector of that kind, or NULL. */
const struct collector *collectors_kind(const struct collectors *c, enum collector_kind kind);

/* Ticks of this VM's clock as time; 0 when its frequency is not known. */
struct ns collectors_ticks(const struct collectors *c, uint64_t ticks);

/*
 * Why the collection under way, or the one that just ended, was made: right at JVMTI's
 * GarbageCollectionFinish on 11 to 25. At GarbageCollectionStart of Serial and Parallel on 21 and
 * before, it is still the one of the collection before. Returns the length; 0 when none is known.
 */
size_t collectors_cause(const struct collectors *c, char *out, size_t size);

/* Why the one was made that ended last; not in a pause. As collectors_cause. */
size_t collectors_last_cause(const struct collectors *c, char *out, size_t size);

/* "young", "full", … for a person. Never NULL. */
const char *collector_kind_name(enum collector_kind kind);

/* "Serial", "G1", …; "" for GC_UNKNOWN. */
const char *gc_name(enum gc gc);

#endif
