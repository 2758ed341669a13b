/*
 * A count of the heap where marks have no room for sites (heap_count.h): by the objects that are
 * followed. Each gets a bit of the witness's; so the walk of the heap tells them from all others,
 * and what it does not come to, since the collector has written over it, is not counted.
 */
#ifndef EXACT_HEAP_FOLLOWED_H
#define EXACT_HEAP_FOLLOWED_H

#include "exact/heap_count.h"
#include "exact/tracing.h"

/* Asked in a pause, behind the step of what the collection has moved. Borrows. */
struct heap_known heap_followed(struct tracing *t);

#endif
