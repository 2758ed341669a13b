#include "agent/heap_fill.h"

static void fill(struct heap_fill *f, uint64_t used)
{
	if (f->used && used >= f->used)
		f->bytes += used - f->used;
	else
		f->gap = true;
}

/* Both parts of a pause begin and end with what all of it did. */
void heap_fill_pause(struct heap_fill *f, const struct record_gc *gc, bool apart)
{
	if (apart || gc->start != f->start)
		fill(f, gc->heap_before);
	f->used = gc->heap_after;
	f->start = gc->start;
}

uint64_t heap_fill_take(struct heap_fill *f, uint64_t by_samples)
{
	uint64_t bytes = f->gap ? by_samples : f->bytes;
	f->bytes = 0;
	f->gap = false;
	return bytes;
}
