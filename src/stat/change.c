#include "stat/change.h"

#include <math.h>

#include "stat/special.h"

struct group {
	double mean, variance;    /* of the mean */
	double samples, exposure; /* sums */
	double df;                /* infinity: sampling explains what the runs differ by */
};

static struct group group_of(const struct change_run *runs, size_t count)
{
	struct group g = {.df = (double)INFINITY};
	double n = (double)count, between = 0;
	for (size_t i = 0; i < count; i++) {
		g.mean += runs[i].value / n;
		g.variance += runs[i].variance / (n * n);
		g.samples += runs[i].samples;
		g.exposure += runs[i].exposure;
	}
	for (size_t i = 0; i < count && count > 1; i++) {
		double d = runs[i].value - g.mean;
		between += d * d / (n - 1) / n;
	}
	if (between > g.variance) {
		g.variance = between;
		g.df = n - 1;
	}
	return g;
}

/* P(|T| > t), Student's; the normal distribution with infinite df. */
static double tails(double t, double df)
{
	if (isinf(df))
		return 2 * normal_cdf(-fabs(t));
	return beta_cdf(df / 2, 0.5, df / (df + t * t));
}

struct student {
	double df;
};

static double middle(double t, const void *at)
{
	return 1 - tails(t, ((const struct student *)at)->df);
}

static double quantile(double df)
{
	struct student s = {df};
	return root_find(middle, &s, 0.95, 0, 1000, 1e-9);
}

/* Welch and Satterthwaite, of the parts that each group has in the variance of the logarithm. */
static double freedom(const struct group *a, const struct group *b, double va, double vb)
{
	double below = (isinf(a->df) ? 0 : va * va / a->df) + (isinf(b->df) ? 0 : vb * vb / b->df);
	return below > 0 ? (va + vb) * (va + vb) / below : (double)INFINITY;
}

/* One side has nothing: would chance have missed what the other has? */
static void miss(struct change *c, const struct group *there, const struct group *missing)
{
	c->ratio = c->a > 0 ? 0 : (double)INFINITY;
	c->p = exp(-there->samples * missing->exposure / there->exposure);
}

struct change change_of(
	const struct change_run *a, size_t count_a, const struct change_run *b, size_t count_b)
{
	struct group ga = group_of(a, count_a), gb = group_of(b, count_b);
	const double unknown = (double)NAN;
	struct change c = {ga.mean, gb.mean, unknown, unknown, unknown, unknown};
	if (!(ga.mean > 0) && !(gb.mean > 0))
		return c;
	if (!(ga.mean > 0) || !(gb.mean > 0)) {
		miss(&c, ga.mean > 0 ? &ga : &gb, ga.mean > 0 ? &gb : &ga);
		return c;
	}
	double va = ga.variance / (ga.mean * ga.mean), vb = gb.variance / (gb.mean * gb.mean);
	double log_ratio = log(gb.mean / ga.mean), error = sqrt(va + vb);
	c.ratio = gb.mean / ga.mean;
	if (!(error > 0))
		return c;
	double df = freedom(&ga, &gb, va, vb), t = quantile(df);
	c.lo = exp(log_ratio - t * error);
	c.hi = exp(log_ratio + t * error);
	c.p = tails(log_ratio / error, df);
	return c;
}
