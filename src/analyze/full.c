#include "analyze/full.h"

#include <string.h>

#define HEAP_FULL 0.5 /* in use after a collection of all of it */

/* For classes: "Metadata GC Threshold" and alike. */
bool full_for_room(const struct model *m, const struct gc *gc)
{
	struct slice cause = texts_get(&m->defs.texts, gc->cause), classes = slice_str("Metadata");
	bool other = cause.len >= classes.len && !memcmp(cause.at, classes.at, classes.len);
	return gc->kind == GC_KIND_FULL && !(gc->flags & GC_FORCED) && !other;
}

bool full_of_what_lives(uint64_t count, double left, double heap_max)
{
	return count && heap_max > 0 && left >= HEAP_FULL * heap_max * (double)count;
}
