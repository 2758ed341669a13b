/*
 * The exact engine's events, as `mayfly check` verifies them: the heap is rebuilt from them, and
 * what can't be is told; births agree with what the collections say.
 */
#ifndef TRACE_EVENT_CHECK_H
#define TRACE_EVENT_CHECK_H

#include "base/diag.h"
#include "trace/heap_image.h"
#include "trace/ids.h"
#include "trace/record.h"

/* Births told in intervals that began at a clock. */
struct told_births {
	uint64_t young, births;
};

struct event_check {
	struct heap_image image;
	uint64_t at; /* offset of the block at hand. Set by the owner */
	uint64_t first_odd[IMAGE_ODDS], first_lacking; /* blocks that showed it first */
	VEC(struct told_births) told;                  /* by rising clock; owned */
	size_t taken;                                  /* of them, the first: compared */
	uint64_t lacking; /* collections with more births than the events tell */
	uint64_t lost;    /* intervals whose loss was announced */
	bool closed;      /* all chunks of the interval that is open came */
	bool survivors;   /* only births that outlived a collection are told, and those outside */
};

void event_check_release(struct event_check *e);
/* The trace's begin was forgotten: events count from its first checkpoint on. */
void event_check_forgotten(struct event_check *e);
/* Takes a block of kind 2 or 4, with the ids that are defined by then. 0 or ERR_NOMEM: what is
 * wrong is told at the end. */
int event_check_block(
	struct event_check *e, bool checkpoint, struct slice payload, const struct ids *ids);
/* Takes a record; most are none of its business. 0, or ERR_FORMAT with a sentence. */
int event_check_take(struct event_check *e, const struct record *r, struct diag *d);
/* Ends the last interval; `complete`: the trace has an end. 0 or ERR_NOMEM. */
int event_check_end(struct event_check *e, bool complete);
/* The n-th thing that is wrong in all, from 0 on: true, with a sentence, and the offset of the
 * block that showed it first (what becomes of objects shows when their interval ends). To be called
 * after the end. */
bool event_check_problem(const struct event_check *e, int n, uint64_t *offset, struct diag *d);

#endif
