/*
 * A growing trace, read again and again from its start: a thread of its own reads what there is,
 * while the caller goes on with the reading before. All that is shown is settled at the end of a
 * replay (analyze/ledger.h), so reading on from where the last one ended would be a copy of
 * everything each time; and a trace of an hour is read in a moment. The pauses keep it to a third
 * of a processor.
 */
#ifndef CLI_FOLLOW_H
#define CLI_FOLLOW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/types.h"
#include "cli/advising.h"
#include "cli/load.h"

enum { FOLLOW_REST = 2 }; /* times as long as reading took of processor time: the least pause */

/* What one reading gave: the model, the ledger with lives on every clock, advice and notes. */
struct reading {
	struct load load;
	bool opened; /* `load` is */
	struct advising advising;
	struct notes notes;
	bool by_thread; /* the ledger tells threads apart */
};

struct follow {
	const char *path; /* borrowed */
	int done;         /* readable when a reading is to be taken */
	pthread_t thread;
	bool running;
	atomic_bool cancelled;
	bool by_thread;
	uint64_t cost; /* processor time of the last reading that was taken, ns */
	/* The thread's own until it is joined. */
	struct {
		struct reading *reading;
		int err;
		struct diag diag;
		uint64_t cost;
	} made;
	/* Of the file before the last reading: what has neither changed has nothing new. */
	uint64_t size, changed;
};

/* 0 or ERR_IO with a sentence. */
int follow_init(struct follow *f, const char *path, struct diag *d);
/* Cancels what runs. */
void follow_release(struct follow *f);
/* Whether there is more in the file than the last reading began with. */
bool follow_grown(const struct follow *f);
/* Nanoseconds since the file was written to. */
uint64_t follow_silence(const struct follow *f);
/* Begins a reading, if none runs. 0 or ERR_IO with a sentence. */
int follow_begin(struct follow *f, bool by_thread, struct diag *d);
/*
 * Waits for the reading that runs and hands it over: *out is to be given to reading_free. An error
 * has a sentence; then *out is NULL.
 */
int follow_take(struct follow *f, struct reading **out, struct diag *d);
void reading_free(struct reading *r);

#endif
