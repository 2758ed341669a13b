#include "analyze/advise_run.h"

#include <math.h>
#include <string.h>

#include "analyze/full.h"
#include "base/error.h"
#include "base/units.h"

#define SAMPLES_MIN 10.0 /* effective: as for a row, doc/metrics.md, "Evidence" */

#define SELDOM 0.1 /* of the young collections: lower thresholds are passed over */

enum { DIGITS = 24, YOUNG_MIN = 10 };

static double fact_number(const struct model *m, const char *key)
{
	struct slice fact = facts_get(&m->facts, &m->defs.texts, key);
	char text[DIGITS];
	uint64_t number;
	if (!fact.len || fact.len >= sizeof(text))
		return 0;
	memcpy(text, fact.at, fact.len);
	text[fact.len] = '\0';
	return units_parse_count(text, UINT64_MAX, &number) ? 0 : (double)number;
}

static bool is_young(const struct gc *gc)
{
	return gc->raised_young && (gc->kind == GC_KIND_YOUNG || gc->kind == GC_KIND_MIXED);
}

static bool is_explicit(const struct model *m, const struct gc *gc)
{
	return gc->flags & GC_FORCED &&
	       slice_equal(texts_get(&m->defs.texts, gc->cause), slice_str("System.gc()"));
}

/* G1 begins a cycle where large objects fill the heap, and a young collection with it: eden may be
 * empty then. */
static bool is_for_large(const struct model *m, const struct gc *gc)
{
	return slice_equal(
		texts_get(&m->defs.texts, gc->cause), slice_str("G1 Humongous Allocation"));
}

static double survivors_of(const struct gc *gc)
{
	return gc->heap_after > gc->old_after ? (double)(gc->heap_after - gc->old_after) : 0;
}

/* What the old generation grew by. */
static double promoted_of(const struct model *m, size_t i)
{
	uint64_t now = m->gcs.list.at[i].old_after, before = m->gcs.list.at[i - 1].old_after;
	return now > before ? (double)(now - before) : 0;
}

static void find_thresholds(struct advise_run *r, const struct evidence_log *e)
{
	double n = (double)e->thresholds.count, sum = 0;
	for (size_t i = 0; i < e->thresholds.count; i++) {
		unsigned age = evidence_promotion(e, i);
		/* The last births did not get so far. */
		if (i + age >= e->thresholds.count && i)
			n--;
		else
			r->held.share[age] += 1;
	}
	for (unsigned age = 0; age <= TENURING_MOST && n > 0; age++) {
		r->held.share[age] /= n;
		r->held_known = sum <= SELDOM ? age : r->held_known;
		sum += r->held.share[age];
		r->held_mean += age * r->held.share[age];
		r->held_most = r->held.share[age] > 0 ? age : r->held_most;
		r->held_low += age < r->held_max ? r->held.share[age] : 0;
	}
}

static void count_young(struct advise_run *r, const struct model *m, const struct gc *gc)
{
	bool for_large = is_for_large(m, gc);
	r->young++;
	r->young_pause += (double)gc->pause;
	*(for_large ? &r->for_large : &r->filled) += 1;
	*(for_large ? &r->for_large_pause : &r->filled_pause) += (double)gc->pause;
	r->vm_known |= gc->heap_after != 0;
}

static void count_full(struct advise_run *r, const struct model *m, const struct gc *gc)
{
	if (!full_for_room(m, gc))
		return;
	r->full_count++;
	r->full_pause += (double)gc->pause;
	r->full_left += (double)gc->heap_after;
}

static void count(struct advise_run *r, const struct model *m)
{
	for (size_t i = 0; i < m->gcs.list.count; i++) {
		const struct gc *gc = &m->gcs.list.at[i];
		r->pause += (double)gc->pause;
		count_full(r, m, gc);
		/* Parallel's young collection and the full one behind it are one call. */
		r->explicit_count += is_explicit(m, gc) && !gc->part;
		r->explicit_pause += is_explicit(m, gc) ? (double)gc->pause : 0;
		if (!is_young(gc))
			continue;
		count_young(r, m, gc);
		if (gc->raised_full)
			continue; /* the sizes are those that the full one left */
		r->survivors += survivors_of(gc);
		r->promoted += i ? promoted_of(m, i) : 0;
	}
}

static void find_step(struct advise_run *r, const struct model *m)
{
	const struct gc *first = NULL, *last = NULL;
	for (size_t i = 0; i < m->gcs.list.count; i++) {
		const struct gc *gc = &m->gcs.list.at[i];
		first = first ? first : is_young(gc) ? gc : NULL;
		last = is_young(gc) ? gc : last;
	}
	if (r->young > 1)
		r->step = (double)(last->alloc - first->alloc) / (double)(r->young - 1);
}

/* Mixed collections copy from the old generation too, which heap sizes don't tell. */
static int find_cost(struct advise_run *r, const struct model *m)
{
	VEC(struct trend_point) points = {0};
	int err = ERR_NONE;
	for (size_t i = 1; i < m->gcs.list.count && r->vm_known && !err; i++) {
		const struct gc *gc = &m->gcs.list.at[i];
		if (is_young(gc) && gc->kind == GC_KIND_YOUNG && !gc->raised_full)
			err = vec_push(
				&points, ((struct trend_point){survivors_of(gc) + promoted_of(m, i),
						 (double)gc->pause}));
	}
	err = err ? err : trend_find(&r->cost, points.at, points.count);
	vec_release(&points);
	r->cost_known = r->cost.lo > 0;
	r->fixed = r->cost_known ? fmax(0, r->cost.at_zero) : (double)NAN;
	return err;
}

static void find_totals(struct advise_run *r, const struct evidence_log *e)
{
	for (size_t i = 0; i < e->ledger.accounts.count; i++)
		total_merge(&r->alloc, &e->ledger.accounts.at[i].tally.alloc);
	leaves_sum(&e->ledger, &r->alloc);
	r->counted = leaves_whole(&e->ledger);
	for (size_t i = 0; i < e->sites.count; i++)
		evidence_merge(&r->all, &e->sites.at[i]);
	r->large = r->all.large;
	r->young_bytes = fmax(0, r->alloc.bytes.sum - r->large.bytes.sum);
}

static void find_copies(struct advise_run *r, const struct model *m, const struct curve *outlived)
{
	r->life = copies_life_of(outlived, COPIES_VALUE);
	r->life_lo = copies_life_of(outlived, COPIES_LO);
	r->life_hi = copies_life_of(outlived, COPIES_HI);
	r->ages_known = r->collector != COLLECTOR_OTHER && r->young >= YOUNG_MIN &&
			m->facts.deaths == DEATHS_COLLECTION && outlived->n_eff >= SAMPLES_MIN;
	double ages = r->all.copied[TENURING_MOST], vm = r->survivors + r->promoted;
	r->fit = r->vm_known && ages > 0 && !r->counted ? fmin(1, vm / ages) : 1;
}

/* The least of the VM's bound and those that tenure set: what is promoted there found room. */
static unsigned bound_of(const struct model *m)
{
	uint64_t bound = m->facts.tenuring_max;
	for (size_t i = 0; i < m->tenure.rounds.count; i++)
		if (m->tenure.rounds.at[i].threshold < bound)
			bound = m->tenure.rounds.at[i].threshold;
	return bound < TENURING_MOST ? (unsigned)bound : TENURING_MOST;
}

int advise_run_find(struct advise_run *r, const struct model *m, const struct evidence_log *e,
	const struct curve *outlived)
{
	*r = (struct advise_run){.collector = collector_of(m),
		.jdk = model_jdk(m),
		.seconds = (double)m->now.time / 1e9,
		.born_seconds = (double)model_births_time(m) / 1e9,
		.heap_max = fact_number(m, "heap.max"),
		.held_max = bound_of(m)};
	count(r, m);
	find_thresholds(r, e);
	find_step(r, m);
	find_totals(r, e);
	find_copies(r, m, outlived);
	return find_cost(r, m);
}

double advise_run_copied(const struct advise_run *r)
{
	return r->all.copied[TENURING_MOST] * r->fit;
}

double advise_run_larger(const struct advise_run *r, const struct copies_life *l, unsigned times)
{
	double now = copies_mean(copies_copied, l, &r->held, TENURING_MOST, 1);
	double then = copies_mean(copies_copied, l, &r->held, TENURING_MOST, times);
	return now > 0 ? then / now : 1;
}

struct whatif advise_whatif(const struct advise_run *r, unsigned threshold, unsigned times)
{
	unsigned most = threshold < r->held_most ? threshold : r->held_most;
	double copied = r->all.copied[threshold], promoted = r->all.promoted[threshold];
	if (times > 1) {
		double now = copies_mean(copies_promoted, &r->life, &r->held, threshold, 1);
		double then = copies_mean(copies_promoted, &r->life, &r->held, threshold, times);
		copied *= advise_run_larger(r, &r->life, times);
		promoted *= now > 0 ? then / now : 1;
	}
	return (struct whatif){.copied = r->fit * copied,
		.promoted = r->fit * promoted,
		.at_most = times * (most + 1) > r->held_known + 1};
}
