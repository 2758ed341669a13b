#include "analyze/row.h"

#include "base/error.h"
#include "stat/interval.h"
#include "stat/survival.h"

void row_release(struct row *r)
{
	mem_free(r->label);
	tally_release(&r->tally);
	for (int c = 0; c < CLOCKS; c++)
		curve_release(&r->curves[c]);
	for (int c = 0; c < CLOCKS_GC; c++)
		curve_release(&r->by_bytes[c]);
}

enum clock row_gc_clock(const struct model *m)
{
	return m->facts.deaths == DEATHS_OLD ? CLOCK_FULL : CLOCK_YOUNG;
}

static int solve_clock(const struct tally *t, enum clock clock, struct curve *c)
{
	switch (clock) {
	case CLOCK_YOUNG:
	case CLOCK_FULL:
		return survival_curve(lifespans_ages(&t->lives[MEASURE_OBJECTS], clock), c);
	case CLOCK_BYTES:
		return interval_curve(&t->bytes, c);
	case CLOCK_NS:
		return interval_curve(&t->ns, c);
	case CLOCKS:
	default:
		return ERR_USAGE;
	}
}

static int solve_clocks(struct row *r, unsigned by_objects, unsigned by_bytes)
{
	int err = ERR_NONE;
	for (int c = 0; c < CLOCKS && !err; c++)
		if (by_objects & 1u << c)
			err = solve_clock(&r->tally, (enum clock)c, &r->curves[c]);
	for (int c = 0; c < CLOCKS_GC && !err; c++)
		if (by_bytes & 1u << c)
			err = survival_curve(
				lifespans_ages(&r->tally.lives[MEASURE_BYTES], (enum clock)c),
				&r->by_bytes[c]);
	return err;
}

/* Young collections: where all of the row was counted, that holds, and the samples go on from
 * there. */
static int solve_counted(struct row *r, unsigned by_objects, unsigned by_bytes)
{
	struct curve *curves[MEASURES] = {[MEASURE_OBJECTS] = &r->curves[CLOCK_YOUNG],
		[MEASURE_BYTES] = &r->by_bytes[CLOCK_YOUNG]};
	unsigned wanted[MEASURES] = {[MEASURE_OBJECTS] = by_objects, [MEASURE_BYTES] = by_bytes};
	int err = ERR_NONE;
	for (int i = 0; i < MEASURES && !err; i++) {
		const struct ages *lives = &r->tally.counted.lives[i];
		if (!(wanted[i] & 1u << CLOCK_YOUNG) || !lives->all.n)
			continue;
		curve_release(curves[i]);
		err = counted_curve(&r->tally.counted, (enum measure)i,
			lifespans_ages(&r->tally.lives[i], CLOCK_YOUNG), curves[i]);
	}
	return err;
}

static struct evidence evidence_of(const struct ages *a, const struct model *m)
{
	struct mass seen = a->all;
	mass_sub(&seen, ages_unmet(a));
	double effective = mass_effective(seen);
	return (struct evidence){.followed = a->all.n,
		.seen = seen.n,
		.effective = effective,
		.too_few = m->facts.deaths != DEATHS_NONE && (model_young(m) || model_full(m)) &&
			   effective < ROW_SAMPLES_MIN};
}

/* Those that no collection came after, too, of which no life is told. */
static uint64_t all_of(const struct tally *t, uint64_t told)
{
	uint64_t all = (uint64_t)(t->alloc.objects.sum + 0.5);
	return all > told ? all : told;
}

/* Of the counts or of the samples, whichever tells more. */
static struct evidence evidence_best(
	const struct row *r, enum measure measure, enum clock gc, const struct model *m)
{
	struct evidence e = evidence_of(lifespans_ages(&r->tally.lives[measure], gc), m);
	if (gc != CLOCK_YOUNG || !counted_whole(&r->tally.counted))
		return e;
	struct evidence counted = evidence_of(&r->tally.counted.lives[measure], m);
	counted.counted = true;
	counted.followed = all_of(&r->tally, counted.followed);
	return counted.effective >= e.effective ? counted : e;
}

/* By what was not followed, on average: other things can keep an object from being followed, too.
 * Where all was counted, and no lives are missing among the counts, samples have no say. */
struct amount row_too_large(const struct row *r, const struct model *m)
{
	const struct counted *c = &r->tally.counted;
	const struct total *stray = &r->tally.stray;
	bool told = counted_whole(c) && !(c->unfollowed[MEASURE_OBJECTS] > 0);
	bool large = stray->bytes.sum > stray->objects.sum * (double)m->facts.follow_max;
	return told || !large ? (struct amount){0, 0}
			      : (struct amount){stray->objects.sum, stray->bytes.sum};
}

int row_solve(struct row *r, const struct model *m, unsigned clocks)
{
	enum clock gc = row_gc_clock(m);
	unsigned gone = model_full(m) ? 0 : 1u << CLOCK_FULL; /* a clock that never moved */
	unsigned by_objects = clocks & ~gone, by_bytes = (clocks | 1u << gc) & ~gone;
	int err = solve_clocks(r, by_objects, by_bytes);
	if (!err && gc == CLOCK_YOUNG && counted_whole(&r->tally.counted))
		err = solve_counted(r, by_objects, by_bytes);
	for (int i = 0; i < MEASURES; i++)
		r->evidence[i] = evidence_best(r, (enum measure)i, gc, m);
	r->shape = SHAPE_UNKNOWN;
	if (!err && !r->evidence[MEASURE_BYTES].too_few)
		r->shape = shape_of(&r->by_bytes[gc], m->facts.tenuring_max);
	return err;
}

uint32_t row_frame(const struct row *r, const struct model *m, uint32_t i)
{
	return context_frame(&r->context, m, i);
}
