/*
 * Verifies a trace as `mayfly check` does: every checksum, every record, ids defined before
 * use and dense, clocks that never step back, and the sums of the end record.
 */
#ifndef TRACE_CHECK_H
#define TRACE_CHECK_H

#include "trace/heap_image.h"
#include "trace/reader.h"

struct check_result {
	uint64_t blocks, records, bytes; /* that were read */
	uint64_t problems;               /* violations of the rules beyond damage */
	uint64_t samples; /* that were taken, as ticks and the end tell; no less than walked */
	uint64_t walked;  /* of them: alloc and birth records */
	uint64_t births, deaths, untracked, gcs, lost;
	/* By what, and why; last, what and why that this version does not know. lost is its
	 * samples. */
	uint64_t lost_as[LOST_WHATS + 1][LOST_REASONS + 1];
	struct forgotten forgotten; /* on purpose: no problem */
	uint64_t older;             /* deaths and untracks of objects born in what was forgotten */
	struct image_totals followed; /* by the exact engine's events */
	uint64_t followed_standing;   /* of them: at the end */
	bool complete;                /* ends with an end record */
	bool cut;
};

/* Called for each problem with the offset of its block. */
struct check_listener {
	void (*problem)(void *arg, uint64_t offset, const char *text);
	void *arg;
};

/* 0 where all is well (complete or cleanly cut), ERR_CORRUPT where anything is not; other errors as
 * the reader's. */
int check_run(struct source *source, const struct codec *codec, const struct check_listener *l,
	struct check_result *out, struct diag *d);

#endif
