/*
 * What is alive, by site: once, at the end of a collection, when it is asked for. The writer thread
 * asks and later reads; in between the tables belong to the pause. All objects are walked, in both
 * generations, and counted by the site in their mark; those without one by their class.
 *
 * A full collection makes new marks, but keeps those with an identity hash. So, in one that is
 * forced for this, each old object that has a site and no hash gets one for the time of the
 * pause: at its Start, and at its Finish it is taken away again, so that later full collections
 * are not made dearer. Such an object is told by its age, which means nothing in the old generation
 * (no collector of 11 to 25 reads it there): ours have the greatest, and the program's own hashes
 * are given a lesser age at Start. The program stands all along, so it never sees a hash of ours.
 *
 * Where marks have no room for sites, objects are followed, and who follows them knows
 * (heap_followed.h): then nothing is stamped, and a full collection that was followed loses none.
 *
 * The functions of the pause allocate nothing.
 */
#ifndef EXACT_HEAP_COUNT_H
#define EXACT_HEAP_COUNT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "exact/births.h"
#include "exact/census.h"
#include "hotspot/region_walk.h"

enum {
	HEAP_CLASSES = 1 << 14,
	HEAP_NAMES = 4 << 20, /* bytes */
	HEAP_NAME = 1028,     /* of one, with its NUL: longer ones are cut */
};

enum heap_count_state {
	HEAP_COUNT_IDLE,
	HEAP_COUNT_WANTED,
	HEAP_COUNT_BUSY, /* a pause is at it */
	HEAP_COUNT_READY
};

/* As in the trace (doc/trace-format.md, 8.1). */
enum heap_count_flag {
	HEAP_FORCED = 1,
	HEAP_GARBAGE = 2,
	HEAP_OLD_UNREAD = 4,
	HEAP_YOUNG_UNREAD = 8,
	HEAP_SITES_LOST = 16
};

/* Index i of young: survived i + 1 collections. */
struct heap_count_row {
	struct census_cell young[CENSUS_AGES], old;
};

/* Objects without a site. */
struct heap_class {
	uintptr_t klass; /* 0: an empty slot */
	uint32_t name;   /* where it is in `names`, with a NUL */
	struct census_cell cell;
};

struct heap_counted {
	uint64_t time; /* ns, clock_now */
	uint64_t young, full, kind, flags;
	struct census_cell known, unknown;
	uint64_t used, unread; /* bytes */
	uint64_t stamped, unstamped;
	uint64_t cost; /* ns */
};

struct heap_count;

/* Who knows which objects have a site, where marks don't tell. Of these the walk meets some, each
 * once; behind it those are told of, by heap_count_tell. */
struct heap_known {
	void *arg;
	void (*begin)(void *arg);
	bool (*meet)(void *arg, uintptr_t address); /* whether it is one of them */
	void (*end)(void *arg, const struct heap_regions *after, struct heap_count *to);
};

/* What the pause knows. */
struct heap_sight {
	struct region_walk walk;
	const struct heap_regions *before, *after;
	enum heap_pause pause;
	uint64_t kind; /* as in the trace */
};

struct heap_count {
	_Atomic int state; /* enum heap_count_state */
	bool forced;
	uint64_t stamps_most;
	struct heap_count_row *rows; /* [SITE_NUMBERS] by site; owned, while not IDLE */
	uint32_t first;              /* number of this recording: lesser ones are of earlier ones */
	struct heap_class *classes;  /* [HEAP_CLASSES], open addressing; owned */
	struct census_cell others;   /* of classes beyond that */
	char *names;                 /* owned */
	uint32_t names_used;
	uint32_t class_count;
	bool stamping; /* the pause that is on began with stamps */
	const struct vm_objects *objects;
	struct heap_known known; /* its owner's to set; `meet` NULL: marks have the sites */
	struct heap_counted result;
};

/*
 * Asks for the next collection, or with `forced` for a full one, which is to be forced then.
 * stamps_most: old objects that may be given a hash (the VM keeps 16 bytes of each that lives).
 * IDLE before. 0 or ERR_NOMEM.
 */
int heap_count_ask(struct heap_count *h, bool forced, uint64_t stamps_most);
/* Nobody wants it any more. Whether it is idle; else a pause is at it. */
bool heap_count_cancel(struct heap_count *h);
/* Gives the tables back; READY before, or no pause can come. */
void heap_count_release(struct heap_count *h);

/* At the ends of a pause. */
void heap_count_start(struct heap_count *h, const struct heap_sight *s);
/* young, full: the clocks after it. Whether it took time. Before anything else looks at what the
 * collection did. */
bool heap_count_finish(
	struct heap_count *h, const struct heap_sight *s, uint64_t young, uint64_t full);
/* survived: collections, one at least. */
void heap_count_tell(
	struct heap_count *h, uint32_t site, uint32_t survived, bool old, uint64_t bytes);
/* The pause could not be read. */
void heap_count_miss(struct heap_count *h);

#endif
