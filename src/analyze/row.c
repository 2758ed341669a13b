#include "analyze/row.h"

#include "base/error.h"
#include "stat/interval.h"
#include "stat/survival.h"

#define SAMPLES_MIN 10.0 /* effective; as for a shape: doc/metrics.md */

void row_release(struct row *r)
{
	mem_free(r->label);
	tally_release(&r->tally);
	for (int c = 0; c < CLOCKS; c++)
		curve_release(&r->curves[c]);
}

enum clock row_gc_clock(const struct model *m)
{
	return m->facts.deaths == DEATHS_OLD ? CLOCK_FULL : CLOCK_YOUNG;
}

static int solve_clock(const struct tally *t, enum clock clock, struct curve *c)
{
	switch (clock) {
	case CLOCK_YOUNG:
		return survival_curve(&t->young, c);
	case CLOCK_FULL:
		return survival_curve(&t->full, c);
	case CLOCK_BYTES:
		return interval_curve(&t->bytes, c);
	case CLOCK_NS:
		return interval_curve(&t->ns, c);
	case CLOCKS:
	default:
		return ERR_USAGE;
	}
}

int row_solve(struct row *r, const struct model *m, unsigned clocks)
{
	enum clock gc = row_gc_clock(m);
	clocks |= 1u << gc;
	/* Where the clock never moved there is nothing to know. */
	if (!m->now.full)
		clocks &= ~(1u << CLOCK_FULL);
	for (int c = 0; c < CLOCKS; c++) {
		if (!(clocks & ~r->solved & 1u << c))
			continue;
		int err = solve_clock(&r->tally, (enum clock)c, &r->curves[c]);
		if (err)
			return err;
		r->solved |= 1u << c;
	}
	r->shape = shape_of(&r->curves[gc], m->facts.tenuring_max);
	r->too_few = m->facts.deaths != DEATHS_NONE && (m->now.young || m->now.full) &&
		     r->curves[gc].n_eff < SAMPLES_MIN;
	return ERR_NONE;
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
