/*
 * Chunks of the exact engine's events (doc/trace-format.md, section 8.2): one thread's births in an
 * interval, or what the step that ends it did. Four bytes an event where the next object lies
 * within 32 kB behind the last. Addresses are multiples of 8.
 */
#ifndef TRACE_EVENTS_H
#define TRACE_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/compiler.h"
#include "base/cursor.h"
#include "base/diag.h"

enum event_flag { EVENTS_CLOSED = 1, EVENTS_OF_GC = 2 };
/* What a chunk holds; births where it is not of a collection. */
enum event_kind {
	EVENT_BIRTHS = 0,
	EVENT_SWEPT = 1, /* ranges: what is in one and in no other event is dead */
	EVENT_MOVES = 2,
	EVENT_STAYS = 3,
	EVENT_FORGOTTEN = 4, /* ranges: what is in one is followed no more */
	EVENT_STANDS = 5,    /* of a checkpoint: the object stands there */
	EVENT_SIZES = 6,     /* of the array that stood there, in blocks of their own */
	EVENT_SIZED = 7,     /* as EVENT_STANDS, and of an array how large it is */
	EVENT_MET = 8,       /* born in the interval, and told of only now: it has outlived it */
	EVENT_MET_SIZED = 9, /* the same of an array, with its size */
	EVENT_PASSED = 10,   /* the same, and it is followed no further */
	EVENT_KINDS = 11,
};
/* An event's word, in the trace and in the agent's memory. */
enum {
	EVENT_SITE_BITS = 20, /* the high ones; the others are the distance */
	EVENT_SITE_ESCAPE = (1 << EVENT_SITE_BITS) - 1,
	EVENT_DISTANCE_BITS = 12,
	EVENT_DISTANCE_MAX = (1 << EVENT_DISTANCE_BITS) - 1,
};
enum {
	EVENT_SURVIVED_MAX = 255, /* of what stands: or more */
	EVENT_SURVIVED_BITS = 8,  /* of EVENT_SIZED; its bytes / 8 are above */
};

struct event {
	uint64_t site;
	uint64_t address;
	/* Of a move: where the object is now; of a range: its end; of what stands: 8 times the
	 * collections survived (EVENT_SURVIVED_MAX), of EVENT_SIZED with the size above; of a size,
	 * and of EVENT_MET_SIZED: bytes; else 0. */
	uint64_t to;
};

struct event_chunk {
	uint64_t thread, interval; /* thread: of a checkpoint, its objects in all chunks */
	uint64_t young;            /* the clock when the interval began */
	uint64_t flags;            /* enum event_flag */
	uint64_t base;             /* an address that the first distance counts from */
	enum event_kind kind;
};

struct event_writer {
	struct buf *out; /* borrowed */
	uint64_t last;   /* address >> 3 */
	enum event_kind kind;
};

/* Whether events of the kind have a `to`. */
static inline bool event_has_to(enum event_kind kind)
{
	return kind != EVENT_BIRTHS && kind != EVENT_STAYS && kind != EVENT_MET &&
	       kind != EVENT_PASSED;
}

/* Whether it is an address. */
static inline bool event_to_is_address(enum event_kind kind)
{
	return kind == EVENT_SWEPT || kind == EVENT_MOVES || kind == EVENT_FORGOTTEN;
}

/* Whether the object is told of for the first time, where it stands after the step. */
static inline bool event_met(enum event_kind kind)
{
	return kind == EVENT_MET || kind == EVENT_MET_SIZED || kind == EVENT_PASSED;
}

/* Whether they are a checkpoint's. */
static inline bool event_stands(enum event_kind kind)
{
	return kind == EVENT_STANDS || kind == EVENT_SIZED;
}

/* A base from which the first event needs no escape. address > 0. */
uint64_t event_base(uint64_t address);
/* Writes the head. Failures are out->failed. */
struct event_writer event_writer_begin(struct buf *out, const struct event_chunk *chunk);
void event_writer_put(struct event_writer *w, const struct event *event);

struct event_reader {
	struct event_chunk chunk;
	struct cursor c;
	uint64_t last; /* address >> 3 */
	bool has_to;
};

/* Reads the head. 0; ERR_TRUNCATED or ERR_FORMAT; ERR_UNSUPPORTED: of a kind or with a flag that is
 * not known (thread, interval and young are, then). */
int event_reader_begin(struct event_reader *r, struct slice chunk, struct diag *d) MF_MUST_USE;
int event_reader_far(struct event_reader *r, struct event *out, struct diag *d) MF_MUST_USE;

/* 1: *out is the next event; 0: the end; ERR_TRUNCATED or ERR_FORMAT (an address over 64 bits). */
static inline MF_MUST_USE int event_reader_next(
	struct event_reader *r, struct event *out, struct diag *d)
{
	const uint8_t *b = r->c.at;
	if (r->c.end - b < 4 || r->has_to)
		return event_reader_far(r, out, d);
	uint32_t word =
		(uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
	uint64_t distance = word & EVENT_DISTANCE_MAX, at = r->last + distance;
	uint32_t site = word >> EVENT_DISTANCE_BITS;
	if (!distance || site == EVENT_SITE_ESCAPE || at > UINT64_MAX >> 3)
		return event_reader_far(r, out, d);
	r->c.at += 4;
	r->last = at;
	*out = (struct event){site, at << 3, 0};
	return 1;
}

#endif
