#include "model/gcs.h"

#include "base/error.h"

enum {
	WALK_MAX = 1024, /* collections that a lookup goes through: fewer claim less */
	PARTS_MAX = 8,   /* no VM collects more often in a pause */
};

void gcs_release(struct gcs *g)
{
	vec_release(&g->list);
	*g = (struct gcs){0};
}

static uint8_t kind_of(uint32_t role, const struct gc *gc)
{
	switch (role) {
	case ROLE_FULL:
		return GC_KIND_FULL;
	case ROLE_OLD_CONCURRENT:
	case ROLE_WHOLE_CONCURRENT:
		return GC_KIND_CONCURRENT;
	case ROLE_UNKNOWN:
		if (gc->raised_full)
			return gc->raised_young ? GC_KIND_FULL : GC_KIND_CONCURRENT;
		break;
	default:
		break;
	}
	return gc->flags & GC_MIXED ? GC_KIND_MIXED : GC_KIND_YOUNG;
}

/* Never below what it was. */
static uint64_t hold(uint64_t now, uint64_t before, struct odds *odds)
{
	return odd_if(odds, ODD_CLOCK_BACK, now < before) ? before : now;
}

static bool same_pause(const struct gc *gc, const struct gc *last)
{
	return gc->start == last->start && gc->end == last->end && !gc->raised_young &&
	       !gc->raised_full;
}

static struct gc gc_of(const struct gcs *g, const struct record_gc *r, struct odds *odds)
{
	const struct gc none = {.young = g->young, .full = g->full};
	const struct gc *last = g->list.count ? &g->list.at[g->list.count - 1] : &none;
	struct gc gc = {.start = r->start,
		.end = hold(r->end, last->end, odds),
		.alloc = hold(r->alloc, last->alloc, odds),
		.young = hold(r->young, last->young, odds),
		.full = hold(r->full, last->full, odds),
		.pause = r->pause,
		.heap_before = r->heap_before,
		.heap_after = r->heap_after,
		.heap_committed = r->heap_committed,
		.old_after = r->old_after,
		.flags = (uint8_t)r->flags,
		.tenuring = (uint8_t)(r->tenuring > UINT8_MAX ? UINT8_MAX : r->tenuring)};
	gc.raised_young = gc.young > last->young;
	gc.raised_full = gc.full > last->full;
	if (g->list.count && last->part < PARTS_MAX && same_pause(&gc, last))
		gc.part = (uint8_t)(last->part + 1);
	return gc;
}

/* Keeps memory bounded: a lookup that wants a forgotten collection finds an earlier moment, never a
 * wrong one. */
static void forget_half(struct gcs *g, struct odds *odds)
{
	size_t half = g->list.count / 2;
	for (size_t i = half; i < g->list.count; i++)
		g->list.at[i - half] = g->list.at[i];
	g->list.count -= half;
	odds->count[ODD_GC_FORGOTTEN] += half;
}

int gcs_add(struct gcs *g, const struct record_gc *r, uint32_t collector, uint32_t role,
	uint32_t cause, struct odds *odds)
{
	struct gc gc = gc_of(g, r, odds);
	gc.kind = kind_of(role, &gc);
	gc.collector = collector;
	gc.cause = cause;
	if (g->list.count >= GCS_MAX)
		forget_half(g, odds);
	if (vec_push(&g->list, gc))
		return ERR_NOMEM;
	g->count[gc.kind]++;
	g->chooses |= gc.tenuring > 0;
	g->untold += role == ROLE_UNKNOWN && gc.kind == GC_KIND_YOUNG;
	g->forced += (gc.flags & GC_FORCED) != 0;
	g->pause_total += gc.pause;
	if (gc.pause > g->pause_max)
		g->pause_max = gc.pause;
	return ERR_NONE;
}

bool gcs_chose(const struct gcs *g, const struct gc *gc)
{
	bool young = gc->kind == GC_KIND_YOUNG || gc->kind == GC_KIND_MIXED;
	return gc->tenuring || (g->chooses && young && gc->heap_after);
}

static bool up_to(const struct gc *gc, uint64_t young, uint64_t full)
{
	return gc->young <= young && gc->full <= full;
}

ptrdiff_t gcs_last(const struct gcs *g, uint64_t young, uint64_t full)
{
	size_t lo = g->list.count, hi = lo;
	/* Mostly asked about now or not long ago: the steps back double. */
	for (size_t step = 1; lo && !up_to(&g->list.at[lo - 1], young, full); step *= 2) {
		hi = lo - 1;
		lo = hi > step ? hi - step : 0;
	}
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		if (up_to(&g->list.at[middle], young, full))
			lo = middle + 1;
		else
			hi = middle;
	}
	return (ptrdiff_t)lo - 1;
}

ptrdiff_t gcs_pause(const struct gcs *g, ptrdiff_t i)
{
	/* Below 0: its first ones are forgotten. */
	ptrdiff_t first = i - g->list.at[i].part;
	return first < 0 ? 0 : first;
}

ptrdiff_t gcs_last_full(const struct gcs *g, ptrdiff_t to)
{
	if (to < 0)
		return GCS_NONE;
	/* The first with this clock is the one that raised it. */
	uint64_t full = g->list.at[to].full;
	if (full == 0)
		return GCS_NONE;
	ptrdiff_t raiser = gcs_last(g, UINT64_MAX, full - 1) + 1;
	return g->list.at[raiser].raised_full ? raiser : GCS_NONE; /* not: it is forgotten */
}

/* The collection that took it out of the young generation; GCS_NONE: none of these did. */
static ptrdiff_t promoter_of(
	const struct gcs *g, ptrdiff_t from, ptrdiff_t to, uint32_t threshold_max)
{
	uint32_t age = 0, threshold = threshold_max;
	if (from > 0 && gcs_chose(g, &g->list.at[from - 1]))
		threshold = g->list.at[from - 1].tenuring;
	for (ptrdiff_t i = from; i <= to; i++) {
		const struct gc *gc = &g->list.at[i];
		if (g->chooses_first && gcs_chose(g, gc))
			threshold = gc->tenuring;
		if (gc->kind == GC_KIND_FULL || (gc->raised_young && age >= threshold))
			return i; /* it was looked at once more, and left the young generation */
		age += gc->raised_young;
		threshold = gcs_chose(g, gc) ? gc->tenuring : threshold;
	}
	return GCS_NONE;
}

ptrdiff_t gcs_last_as_young(
	const struct gcs *g, ptrdiff_t from, ptrdiff_t to, uint32_t threshold_max)
{
	ptrdiff_t last = to - from > WALK_MAX ? from + WALK_MAX : to;
	ptrdiff_t promoter = promoter_of(g, from, last, threshold_max);
	return promoter == GCS_NONE ? last : promoter;
}

bool gcs_leaves_young(const struct gcs *g, ptrdiff_t from, ptrdiff_t to, uint32_t threshold_max)
{
	return to - from > WALK_MAX || promoter_of(g, from, to, threshold_max) != GCS_NONE;
}
