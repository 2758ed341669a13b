/*
 * Chunks of events that have a `to`, as columns of what was not expected of each: zstd takes half
 * the time for them then, and they a quarter of the room (doc/trace-format.md, 1.2.1).
 */
#ifndef TRACE_EVENT_COLUMNS_H
#define TRACE_EVENT_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/slice.h"

/* What either direction works in, half a megabyte. Not thread-safe. */
struct event_columns;

/* NULL: no memory. */
struct event_columns *event_columns_new(void);
void event_columns_free(struct event_columns *c);

/* A block's payload. Returns how many bytes it wrote, at most raw.len; 0: it isn't a chunk of such
 * events, or has an event that can't be told so, or would not get shorter. */
size_t event_columns_split(struct event_columns *c, uint8_t *out, struct slice raw);
/* The way back, to len bytes exactly. False: these columns are not those of as many. */
bool event_columns_join(struct event_columns *c, uint8_t *out, size_t len, struct slice columns);

#endif
