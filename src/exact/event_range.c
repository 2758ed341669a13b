#include "exact/event_range.h"

void event_range_put(const struct event_range *r, struct gc_chunks *out)
{
	if (r->from < r->to)
		gc_chunks_put(out, r->kind, 0, r->from, r->to);
}

void event_range_grow(struct event_range *r, struct gc_chunks *out, uintptr_t from, uintptr_t to)
{
	if (from >= to)
		return;
	if (from != r->to) {
		event_range_put(r, out);
		r->from = from;
	}
	r->to = to;
}
