/*
 * A reader that runs ahead of its user: a thread of its own reads, checks, decompresses and decodes
 * the next records while the user works on those before. What comes out is what reader_next gives,
 * errors and their sentences included. Memory is bounded: AHEAD_BATCHES batches.
 */
#ifndef TRACE_AHEAD_H
#define TRACE_AHEAD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "trace/reader.h"
#include "trace/record.h"

enum {
	AHEAD_BATCHES = 4,
	AHEAD_LEAST = sizeof(struct record) + 2ul * TEXT_MAX, /* any one record with its texts */
	AHEAD_ROOM = 96 * 1024, /* so that all of them stay in the processor's cache */
};

/* Decoded records, one after the other from the front; their texts from the back. */
struct ahead_batch {
	uint8_t *at; /* owned */
	size_t count;
	int got; /* of the reader after the last of them: 1 there may be more, 0 the end, <0 */
};

struct ahead {
	struct reader *reader; /* borrowed; only the thread uses it while there is one */
	size_t room;           /* of a batch, bytes */
	struct ahead_batch ring[AHEAD_BATCHES];
	struct diag diag; /* of the batch with an error, which is the last */
	pthread_t thread;
	bool threaded;
	pthread_mutex_t lock;
	pthread_cond_t moved; /* one of the three below, which the lock protects */
	/* Batches so far. Those from `emptied` on are the user's, the one at `filled` the thread's.
	 */
	uint64_t filled, emptied;
	bool stop;
	/* The user's own: */
	const struct ahead_batch *hand; /* NULL before the first */
	const uint8_t *next;
	size_t left; /* records of `hand` from `next` on */
};

/*
 * Begins with what the reader would give next. `room`: bytes of a batch, at least AHEAD_LEAST;
 * AHEAD_ROOM but in tests. A trace of one batch needs no thread, and gets none; where none can be
 * had it reads in the user's. 0 or ERR_IO (no lock to be had).
 */
int ahead_init(struct ahead *a, struct reader *reader, size_t room);
/* Ends the thread; the reader is the caller's again, past the records that were read ahead. */
void ahead_release(struct ahead *a);
/* As reader_next; the record and its texts live until the next call. After 0 or an error that is
 * the answer from then on. */
int ahead_next(struct ahead *a, const struct record **out, struct diag *d);

#endif
