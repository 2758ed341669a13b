/*
 * How much was allocated between collections, by what the heap has in use: at the begin of a pause
 * less at the end of the one before. Samples tell it too, and beyond chance only in the long run:
 * a round of 16 small collections has some thousand, which is 3 %.
 */
#ifndef AGENT_HEAP_FILL_H
#define AGENT_HEAP_FILL_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/record.h"

/* All zeros at first. */
struct heap_fill {
	uint64_t used, start; /* after the last pause, 0: not known; when that began */
	uint64_t bytes;       /* allocated since they were taken */
	bool gap;             /* and more that nobody knows of */
};

/* Each collection, in order. apart: it is surely not in the same pause as the one before. */
void heap_fill_pause(struct heap_fill *f, const struct record_gc *gc, bool apart);
/* Bytes since the last call; by_samples where it is not known. */
uint64_t heap_fill_take(struct heap_fill *f, uint64_t by_samples);

#endif
