#include "analyze/filling.h"

#include <math.h>

#include "base/compiler.h"

#define OVER   0.05 /* of what the heap filled by */
#define UNDER  0.15 /* of it: threads' buffers are not used up where a collection comes */
#define ERRORS 3    /* standard errors */

/* Nothing is freed but in the pauses of its collections, and in those of its cycles. */
static bool is_known(const struct model *m)
{
	static const char *const names[] = {"Serial", "Parallel", "G1"};
	struct slice gc = facts_get(&m->facts, &m->defs.texts, "gc");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (slice_equal(gc, slice_str(names[i])))
			return true;
	return false;
}

/* From the end of the pause of which `last` is to the begin of that of which `next` is. */
static void add_span(struct filling *f, const struct gc *last, const struct gc *next)
{
	if (!last->heap_after || next->heap_before < last->heap_after)
		return;
	f->bytes += (double)(next->heap_before - last->heap_after);
	f->sampled += (double)(next->alloc - last->alloc);
	f->spans++;
}

/* From the last one to the first: a cycle is told of as it ends, and may have freed something in
 * each span since it began. */
static void add_spans(struct filling *f, const struct gcs *g)
{
	uint64_t cycle = UINT64_MAX;
	const struct gc *next = NULL;
	for (size_t i = g->list.count; i-- > 0;) {
		const struct gc *gc = &g->list.at[i];
		if (gc->kind == GC_KIND_CONCURRENT) {
			cycle = gc->start < cycle ? gc->start : cycle;
			continue;
		}
		if (next && !next->part && next->start <= cycle)
			add_span(f, gc, next);
		next = gc;
	}
}

static double longest_interval(const struct facts *f)
{
	uint64_t longest = 0;
	for (size_t i = 0; i < f->turns.count; i++) {
		uint64_t interval = f->configs.at[f->turns.at[i].config].interval;
		longest = interval > longest ? interval : longest;
	}
	return (double)longest;
}

/* Follow.max is half a region. What a mutator's region has is told once it is full, and of
 * two one may be. */
static double coarse(const struct model *m, uint64_t spans)
{
	uint64_t half = m->facts.follow_max;
	return half == UINT64_MAX ? 0 : 4 * (double)half * (double)spans;
}

struct filling filling_of(const struct model *m)
{
	struct filling f = {.spans = 0};
	if (!is_known(m))
		return f;
	add_spans(&f, &m->gcs);
	f.coarse = coarse(m, f.spans);
	/* A sample stands for an interval or more; where for more, what it errs by is less. */
	f.chance = ERRORS * sqrt(f.sampled * longest_interval(&m->facts));
	return f;
}

enum filling_verdict filling_verdict(const struct filling *f)
{
	double more = f->sampled - f->chance - f->coarse, less = f->sampled + f->chance;
	return !f->spans                       ? FILLING_FITS
	       : more > (1 + OVER) * f->bytes  ? FILLING_OVER
	       : less < (1 - UNDER) * f->bytes ? FILLING_UNDER
					       : FILLING_FITS;
}
