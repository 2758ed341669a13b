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

static struct evidence evidence_of(const struct ages *a, const struct model *m)
{
	/* Those whose last sight is at age 0 met no collection. */
	struct mass seen = a->all;
	if (a->rows.count && a->rows.at[0].age == 0)
		mass_sub(&seen, a->rows.at[0].lost);
	double effective = mass_effective(seen);
	return (struct evidence){.followed = a->all.n,
		.seen = seen.n,
		.effective = effective,
		.too_few = m->facts.deaths != DEATHS_NONE && (m->now.young || m->now.full) &&
			   effective < ROW_SAMPLES_MIN};
}

int row_solve(struct row *r, const struct model *m, unsigned clocks)
{
	enum clock gc = row_gc_clock(m);
	unsigned gone = m->now.full ? 0 : 1u << CLOCK_FULL; /* a clock that never moved */
	int err = solve_clocks(r, clocks & ~gone, (clocks | 1u << gc) & ~gone);
	for (int i = 0; i < MEASURES; i++)
		r->evidence[i] = evidence_of(lifespans_ages(&r->tally.lives[i], gc), m);
	r->shape = SHAPE_UNKNOWN;
	if (!err && !r->evidence[MEASURE_BYTES].too_few)
		r->shape = shape_of(&r->by_bytes[gc], m->facts.tenuring_max);
	return err;
}

uint32_t row_frame(const struct row *r, const struct model *m, uint32_t i)
{
	uint32_t frame = m->defs.sites.at[r->context.site].frame;
	if (i >= r->context.frames)
		return 0;
	for (; i && frame; i--)
		frame = m->defs.frames.at[frame].parent;
	return frame;
}
