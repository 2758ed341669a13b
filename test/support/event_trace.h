/* A whole trace with the exact engine's events, of the simulated heap: definitions, counts of
 * births by site, collections, blocks of events and checkpoints. */
#ifndef SUPPORT_EVENT_TRACE_H
#define SUPPORT_EVENT_TRACE_H

#include "support/sim_follow.h"
#include "trace/writer.h"

struct event_trace {
	struct sim_follow sim;
	struct writer writer;
	uint64_t gcs, threads, lost; /* told so far; lost: intervals */
	/* Collections are accounted for as young ones are, though who outlived them is not told by
	 * site: by the counts alone all died. */
	bool accounted;
	/* Every other collection, from the first on, can't be accounted for: the births before it
	 * are told with the next. */
	bool skipping;
	/* A collection's gc record stands before the events of its interval, as an agent writes it
	 * that settles accounts later; else right before its account. */
	bool ahead, begun; /* begun: that of the next one stands there */
	/* Called after each step, once its records are written. NULL: nobody. */
	void (*step)(void *arg, enum sim_step step);
	void *arg;
};

/* Steps at the end of recording included. `t` with step and arg set; it may be asked until
 * event_trace_release. */
void event_trace_make(struct event_trace *t, const struct sim_follow_setting *s, uint64_t seed,
	int steps, const struct codec *codec, struct buf *out);
void event_trace_release(struct event_trace *t);

/* The time of the n-th collection's end, ns. */
uint64_t event_trace_time(uint64_t gc);
/* The site's id in the trace is the simulated one less this. */
enum { EVENT_TRACE_SITE = 1 };

#endif
