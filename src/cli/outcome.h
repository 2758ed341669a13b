/* What a recording left behind: enough for the one line that is said about it at its end. */
#ifndef CLI_OUTCOME_H
#define CLI_OUTCOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"

struct outcome {
	uint64_t bytes;   /* of the file; of a cyclic one what it takes on the disk */
	uint64_t counted; /* objects, by the exact engine */
	uint64_t samples; /* allocations sampled, recorded one by one or not */
	uint64_t walked;  /* of them: those with a record of their own */
	uint64_t lost;    /* samples that the agent says it lost */
	uint64_t gcs;
	uint64_t ns;         /* from the first to the last moment recorded */
	bool cyclic;         /* it keeps its last stretch */
	bool complete;       /* the agent wrote its last record */
	uint64_t reason;     /* enum end_reason, where it is complete */
	char note[DIAG_MAX]; /* the worst that it had to say, or "" */
	pid_t pid;           /* as the program sees itself; 0: not told */
	char program[64];    /* its main class or jar, without folders; "" if not told */
	bool runs;           /* the program is known to run on; the caller's to set */
	bool ended;          /* what was to be recorded has ended; the caller's to set */
	bool among;          /* one of several, so that its program is named; the caller's to set */
};

/* Reads a trace as far as it goes. 0, or the reader's error where not even its head can be read. */
int outcome_read(struct outcome *o, const char *path, struct diag *d);

/*
 * "41 932 samples, 187 collections, 92.4 s, 1.2 MB": fits room of 200. Of an exact trace "12 345
 * objects counted, 41 932 samples, …", among others "Main: 41 932 samples, …".
 */
void outcome_text(const struct outcome *o, char *out, size_t room);

#endif
