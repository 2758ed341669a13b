#include "stat/lifetime.h"

#include <math.h>
#include <stddef.h>

/* Which of a point's numbers. */
enum which { AT_LO, AT_P, AT_HI };

static double read(const struct curve_point *point, enum which which)
{
	return which == AT_LO ? point->lo : which == AT_P ? point->p : point->hi;
}

/* The first point that is at or under `left`, or the count of points. The slack is for sums of
 * rounded shares. */
static size_t first_under(const struct curve *c, enum which which, double left)
{
	size_t i = 0;
	while (i < c->points.count && read(&c->points.at[i], which) > left + 1e-12)
		i++;
	return i;
}

/* A death at age a makes the curve fall at t = a + 1; on a flowing clock it was dead by t. */
static double death_at(const struct curve *c, size_t i)
{
	if (i >= c->points.count)
		return (double)NAN;
	return (double)(c->points.at[i].t - c->counts);
}

/* Not before: the curve's lower limit falls right after the edge before the point. */
static double death_after(const struct curve *c, size_t i)
{
	if (i >= c->points.count)
		return (double)c->known;
	if (c->counts)
		return death_at(c, i);
	return i ? (double)c->points.at[i - 1].t : 0;
}

struct lifetime lifetime_quantile(const struct curve *c, double q)
{
	return (struct lifetime){
		.value = death_at(c, first_under(c, AT_P, 1 - q)),
		.lo = death_after(c, first_under(c, AT_LO, 1 - q)),
		.hi = death_at(c, first_under(c, AT_HI, 1 - q)),
	};
}
