/* `mayfly heap` on a trace with the exact engine's events: the heap at one moment, exactly. */
#ifndef CLI_HEAP_EVENTS_H
#define CLI_HEAP_EVENTS_H

#include "analyze/heap.h"
#include "cli/show.h"

struct heap_events {
	ptrdiff_t gc; /* in the list: the collection after which; GCS_NONE: before the first */
	bool end;     /* the end of the trace instead */
	bool whole;   /* read all events, though there may be checkpoints */
	bool objects; /* every object in a line of its own, in place of rows */
	/* The moments of a run in place of one: rising, the last is the end. They become empty.
	 * NULL: the one above. */
	struct heap *over;
};

/* Prints it. The model is of a first reading of the trace, and becomes s's. 0 or an error, with a
 * sentence. */
int heap_events_run(
	const struct heap_events *ask, struct showing *s, struct model *m, struct diag *d);

#endif
