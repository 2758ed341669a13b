/*
 * The memory in which a HotSpot VM keeps its performance counters ("hsperfdata"), version 2.x:
 *
 *   prologue, 32 bytes: magic ca fe c0 c0, byte order, major, minor, accessible, used,
 *   overflow, time stamp (8), offset of the first entry, number of entries;
 *   entry: length, offset of the name, vector length (each 4), type, flags, unit, variability
 *   (each 1), offset of the value (4); then the name and the value inside the entry's length.
 *
 * The VM appends entries for as long as it starts (and a few later), and never moves or removes
 * one: each lookup walks what is there now, so a counter not found yet may be found later, and
 * a handle once found stays good. Every length and offset is checked against the memory on
 * each walk; the memory is never written and nothing is allocated.
 */
#ifndef JVMSTAT_PERFDATA_H
#define JVMSTAT_PERFDATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"
#include "jvmstat/counter.h"

enum {
	PERFDATA_PROLOGUE = 32,
	PERFDATA_ENTRY = 20,
	PERFDATA_MAX = 64 << 20,  /* -XX:PerfDataMemorySize is at most 32 MiB */
	PERFDATA_NAME_MAX = 512,  /* the longest of a JDK 25 has 58 bytes */
	PERFDATA_TEXT_MAX = 65536 /* java.rt.vmArgs and the command line can be long */
};

struct perfdata {
	const volatile uint8_t *at; /* 8-byte aligned; NULL when closed */
	size_t size;
	void *mapping; /* owned; NULL when the memory is the caller's */
};

/* One counter as the walk sees it; the pointers point into the VM's memory. */
struct perfdata_entry {
	uint32_t at, next; /* offsets of this entry and of the one after it */
	uint32_t index;    /* 0 for the first */
	const volatile uint8_t *name;
	size_t name_len;
	char type;    /* 'J': eight-byte value; 'B': text */
	uint8_t unit; /* 1 none, 2 bytes, 3 ticks, 4 events, 5 string, 6 hertz */
	const volatile uint8_t *value;
	size_t value_len;
};

/*
 * Maps the file, read-only, and checks its head. The file must be a regular file (no symbolic
 * link) that belongs to `owner`. The mapping outlives the file: the VM deletes it as it exits.
 * ERR_NOT_FOUND, ERR_DENIED (not the owner's, or not readable), ERR_FORMAT (not a counter file),
 * ERR_TRUNCATED, ERR_VERSION, ERR_UNSUPPORTED (byte order), ERR_LIMIT, ERR_IO. Only the owner can
 * shrink the file under the mapping, which would be a SIGBUS.
 */
int perfdata_open(struct perfdata *p, const char *path, uid_t owner, struct diag *d);

/* As perfdata_open, but p->mapping may be written: only for a process's own counters
 * (cycle_mark.h). */
int perfdata_open_writable(struct perfdata *p, const char *path, uid_t owner, struct diag *d);

/* The same checks on memory that stays the caller's, 8-byte aligned, for as long as p is used. */
int perfdata_borrow(struct perfdata *p, const void *memory, size_t size, struct diag *d);

void perfdata_release(struct perfdata *p);

/*
 * Steps through the entries: start with a zeroed e. 1: e is the next entry; 0: the end;
 * ERR_CORRUPT: the entry at offset e->at does not hold together, and the walk ends there.
 * Sees only entries that are complete.
 */
int perfdata_next(const struct perfdata *p, struct perfdata_entry *e);

/* The eight-byte counter of that name, or one with no `at`. Walks all entries (some 200): tens of
 * microseconds. */
struct counter perfdata_counter(const struct perfdata *p, const char *name);

/* The text of that name, or one with no `at`. */
struct counter_text perfdata_text(const struct perfdata *p, const char *name);

/* perfdata_counter and perfdata_text for names made by a printf format, cut to PERFDATA_NAME_MAX.
 */
struct counter perfdata_counterf(const struct perfdata *p, const char *format, ...) MF_PRINTF(2, 3);
struct counter_text perfdata_textf(const struct perfdata *p, const char *format, ...)
	MF_PRINTF(2, 3);

/* Whether the VM says that it has made those that it makes as it starts. On 11 it does so only
 * after VMInit. */
bool perfdata_ready(const struct perfdata *p);

/* Entries that the VM has finished making; grows while it starts. */
uint32_t perfdata_count(const struct perfdata *p);

#endif
