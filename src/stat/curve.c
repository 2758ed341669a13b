#include "stat/curve.h"

#include <math.h>

/* The last point at or before t, or -1. */
static size_t points_upto(const struct curve *c, uint64_t t)
{
	size_t lo = 0, hi = c->points.count;
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		if (c->points.at[middle].t <= t)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

struct curve_point curve_at(const struct curve *c, uint64_t t)
{
	size_t upto = points_upto(c, t);
	struct curve_point at = {.p = 1, .lo = 1, .hi = 1, .risk = c->n_eff};
	if (upto)
		at = c->points.at[upto - 1];
	/* Between edges a flowing clock may already have lost what the next edge has. */
	if (!c->counts && at.t < t && upto < c->points.count)
		at.lo = c->points.at[upto].lo;
	at.t = t;
	if (t > c->known) {
		at.p = (double)NAN;
		at.lo = at.risk = 0;
	}
	return at;
}

void curve_release(struct curve *c)
{
	vec_release(&c->points);
	*c = (struct curve){0};
}
