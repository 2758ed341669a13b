#include "analyze/advise_copies.h"

#include <math.h>

/* Where p is not known, lo is 0 and hi the last bound; p is taken to stay. */
static double limit_of(struct curve_point point, enum copies_limit limit, double last)
{
	double p = isnan(point.p) ? last : point.p;
	return limit == COPIES_LO ? point.lo : limit == COPIES_HI ? point.hi : p;
}

struct copies_life copies_life_of(const struct curve *c, enum copies_limit limit)
{
	struct copies_life l = {.p = {1}};
	for (unsigned a = 1; a <= COPIES_AGES; a++) {
		double p = limit == COPIES_LO ? 0 : l.p[a - 1];
		if (c->points.count)
			p = limit_of(curve_at(c, a), limit, p);
		l.p[a] = fmin(l.p[a - 1], fmax(0, p));
	}
	return l;
}

double copies_copied(const struct copies_life *l, unsigned threshold, unsigned times)
{
	double sum = 0;
	for (unsigned a = 1; a <= times * (threshold + 1); a++)
		sum += l->p[a];
	return sum / times;
}

double copies_promoted(const struct copies_life *l, unsigned threshold, unsigned times)
{
	double sum = 0;
	for (unsigned i = 1; i <= times; i++)
		sum += l->p[times * threshold + i];
	return sum / times;
}

double copies_mean(copies_of *of, const struct copies_life *l, const struct copies_held *held,
	unsigned most, unsigned times)
{
	double mean = 0;
	for (unsigned t = 0; t <= TENURING_MOST; t++)
		mean += held->share[t] * of(l, t < most ? t : most, times);
	return mean;
}
