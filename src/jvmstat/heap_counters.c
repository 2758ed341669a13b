#include "jvmstat/heap_counters.h"

#include <string.h>

static struct counter space(const struct perfdata *p, int generation, int number, const char *what)
{
	return perfdata_counterf(p, "sun.gc.generation.%d.space.%d.%s", generation, number, what);
}

void heap_counters_find(struct heap_counters *h, const struct perfdata *p)
{
	*h = (struct heap_counters){
		.eden_used = space(p, 0, 0, "used"),
		.eden_capacity = space(p, 0, 0, "capacity"),
		.old_used = space(p, 1, 0, "used"),
		.old_capacity = space(p, 1, 0, "capacity"),
		.metaspace_used = perfdata_counter(p, "sun.gc.metaspace.used"),
	};
	for (int i = 0; i < 2; i++) {
		h->survivor_used[i] = space(p, 0, i + 1, "used");
		h->survivor_capacity[i] = space(p, 0, i + 1, "capacity");
	}
}

static struct bytes bytes_of(struct counter c)
{
	return (struct bytes){counter_read_u64(c)};
}

/* G1 adds 8 or 24 bytes to each capacity, so that none is 0; all real ones are whole pages. */
static struct bytes pages_of(struct counter c)
{
	return (struct bytes){counter_read_u64(c) & ~(uint64_t)4095};
}

void heap_counters_read(const struct heap_counters *h, struct heap_usage *out)
{
	out->eden_used = bytes_of(h->eden_used);
	out->eden_committed = pages_of(h->eden_capacity);
	out->survivor_used =
		(struct bytes){bytes_of(h->survivor_used[0]).v + bytes_of(h->survivor_used[1]).v};
	out->survivor_committed = (struct bytes){
		pages_of(h->survivor_capacity[0]).v + pages_of(h->survivor_capacity[1]).v};
	out->old_used = bytes_of(h->old_used);
	out->old_committed = pages_of(h->old_capacity);
	out->used.v = out->eden_used.v + out->survivor_used.v + out->old_used.v;
	out->committed.v = out->eden_committed.v + out->survivor_committed.v + out->old_committed.v;
	out->metaspace_used = bytes_of(h->metaspace_used);
}
