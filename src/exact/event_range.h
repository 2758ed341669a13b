/*
 * A range of addresses on its way into GC chunks: neighbours become one event.
 */
#ifndef EXACT_EVENT_RANGE_H
#define EXACT_EVENT_RANGE_H

#include <stdint.h>

#include "exact/gc_chunk.h"

struct event_range {
	enum event_kind kind; /* one that has `to` */
	uintptr_t from, to;   /* alike: nothing yet */
};

/* Adds a piece: where it does not begin at the end of what there is, that is told first. Nothing
 * where the piece is empty. */
void event_range_grow(struct event_range *r, struct gc_chunks *out, uintptr_t from, uintptr_t to);
/* Tells what there is. */
void event_range_put(const struct event_range *r, struct gc_chunks *out);

#endif
