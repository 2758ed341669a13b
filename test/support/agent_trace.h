/* What the agent recorded, read back: the trace's records one by one, and the rules that every
 * trace keeps. */
#ifndef SUPPORT_AGENT_TRACE_H
#define SUPPORT_AGENT_TRACE_H

#include <stdbool.h>

#include "agent/recorder.h"
#include "base/buf.h"
#include "trace/record.h"

/* A trace in memory, filled as the writer thread does. Begin with {0}. */
struct agent_trace {
	struct buf bytes; /* owned */
	uint32_t sequence;
};
void agent_trace_release(struct agent_trace *t);
/* Takes the recorder's blocks; with push, what is pending too. */
void agent_trace_drain(struct agent_trace *t, struct recorder *r, bool push);
/* Reads the file instead; false where there is none. */
bool agent_trace_load(struct agent_trace *t, const char *path);

/* Calls each() for every record. The number of them, or -1 where the trace is damaged. */
long agent_trace_each(
	const struct agent_trace *t, void (*each)(void *arg, const struct record *r), void *arg);

/* Numbers of the trace. */
struct agent_totals {
	uint64_t allocs, births, deaths, untracks, gcs, pauses, ticks, configs, again, notes,
		segments, lost, lost_deaths, lost_untracks, facts;
	uint64_t strings, classes, methods, frames, sites, threads, collectors;
	bool ended;
	struct record_end end;
	struct record_config config; /* the last */
};
/*
 * Verifies the trace with trace/check, and that the end record's sums hold. Failures are the
 * test's. complete: an end record must stand at its end.
 */
struct agent_totals agent_trace_verify(const struct agent_trace *t, bool complete);

#endif
