#include "stat/change.h"

#include <math.h>

#include "stat/fisher.h"
#include "stat/special.h"

struct group {
	double mean, variance;             /* of the mean: the larger of */
	double sampling, between;          /* what samples leave open and how runs differ */
	double births;                     /* likewise */
	double samples, exposure, objects; /* sums */
	bool counted;                      /* all of them */
	double df;                         /* infinity: sampling explains what the runs differ by */
	size_t count, have;                /* runs; those with anything */
	struct change_run most;            /* the run with the largest value */
	const struct change_run *runs;     /* borrowed */
	bool lent;                         /* its variance is the other's */
};

static struct group group_of(const struct change_run *runs, size_t count)
{
	double n = (double)count;
	struct group g = {.df = (double)INFINITY, .counted = true, .count = count, .runs = runs};
	for (size_t i = 0; i < count; i++) {
		g.mean += runs[i].value / n;
		g.sampling += runs[i].variance / (n * n);
		g.births += runs[i].births / (n * n);
		g.samples += runs[i].samples;
		g.exposure += runs[i].exposure;
		g.objects += runs[i].objects;
		g.counted &= runs[i].counted;
		g.have += runs[i].value > 0;
		if (runs[i].value > g.most.value)
			g.most = runs[i];
	}
	for (size_t i = 0; i < count && count > 1; i++) {
		double d = runs[i].value - g.mean;
		g.between += d * d / (n - 1) / n;
	}
	g.variance = g.sampling;
	if (g.between > g.sampling) {
		g.variance = g.between;
		g.df = n - 1;
	}
	return g;
}

/* One run beside several is taken to differ as they do, in proportion: it can't tell by itself. */
static void lend(struct group *lone, const struct group *several)
{
	double ratio = lone->mean / several->mean;
	double variance = several->variance * (double)several->count * ratio * ratio;
	if (lone->count > 1 || isinf(several->df) || !(variance > lone->variance))
		return;
	lone->variance = variance;
	lone->df = several->df;
	lone->lent = true;
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
	if (a->lent || b->lent)
		return a->df;
	double below = (isinf(a->df) ? 0 : va * va / a->df) + (isinf(b->df) ? 0 : vb * vb / b->df);
	return below > 0 ? (va + vb) * (va + vb) / below : (double)INFINITY;
}

/* What its samples or objects say; where runs differ by more than sampling explains, without the
 * run that has the most: that may be a matter of that run. */
static double seen(const struct group *g, bool counted)
{
	double all = counted ? g->objects : g->samples;
	double most = counted ? g->most.objects : g->most.samples;
	return isinf(g->df) ? all : all - most;
}

/* Where some runs of one side lack it, too, though sampling does not explain that: whether it is by
 * chance that all those that have it are on that side. */
static double of_runs(const struct group *there, const struct group *missing)
{
	if (isinf(there->df) || there->have == there->count)
		return 0;
	return fisher_exact(
		(struct share_of){there->have, there->count}, (struct share_of){0, missing->count});
}

/* Of figures without samples: whether their mean is beyond 0 by how runs differ. NaN: they don't.
 */
static double beyond_runs(const struct group *there, const struct group *missing)
{
	double lent = missing->count > 1 ? 0 : (double)there->count * there->variance;
	return isinf(there->df) ? (double)NAN
				: tails(there->mean / sqrt(there->variance + lent), there->df);
}

/* How many samples would be expected of a mean like that, were all of it where the coarsest are. */
static double expected_least(const struct group *g, double mean)
{
	double sum = 0;
	for (size_t i = 0; i < g->count; i++)
		sum += g->runs[i].coarse ? coarse_samples(g->runs[i].coarse, mean)
					 : (double)INFINITY;
	return sum;
}

/*
 * One side has nothing. Would chance have given the other all that there is? As many of all as its
 * part in what was looked at, each by itself; twice the smaller mid-p tail.
 */
static void miss(struct change *c, const struct group *there, const struct group *missing)
{
	double k = seen(there, there->counted && missing->counted);
	double expected =
		fmin(k * missing->exposure / there->exposure, expected_least(missing, there->mean));
	double part = k > 0 ? k / (k + expected) : 1;
	bool estimate = there->samples > 0 || there->objects > 0;
	c->ratio = c->a > 0 ? 0 : (double)INFINITY;
	c->p = estimate ? fmax(pow(part, k), of_runs(there, missing)) : beyond_runs(there, missing);
}

/* -- One side counted, the other sampled -- */

#define POISSON_MOST 1000.0 /* effective samples: with more the logarithm is as good as normal */
#define HALF_OF_5    0.025

/* What there is on both sides, as Poisson counts: of the samples and of the births behind them; of
 * the births that were counted, in one run. */
struct counts {
	double samples, born;
};

/*
 * That as many samples or more come where x are expected, mid-p: of both counts together each is a
 * sample with the chance x / (x + born). Of very many births it is known how many come.
 */
static double as_many(double x, const void *at)
{
	const struct counts *c = at;
	double k = c->samples, chance = x / (x + c->born);
	if (c->born > SPECIAL_LARGE)
		return (gamma_cdf(k, x) + gamma_cdf(k + 1, x)) / 2;
	return (beta_cdf(k, c->born + 1, chance) + beta_cdf(k + 1, c->born, chance)) / 2;
}

/* As many or fewer. */
static double as_few(double x, const struct counts *c)
{
	double k = c->samples, chance = c->born / (x + c->born);
	if (c->born > SPECIAL_LARGE)
		return (gamma_tail(k, x) + gamma_tail(k + 1, x)) / 2;
	return (beta_cdf(c->born + 1, k, chance) + beta_cdf(c->born, k + 1, chance)) / 2;
}

/* The x where that many are as many as p says. */
static double expected_at(double p, const struct counts *c)
{
	double most = 2 * c->samples + 40;
	while (as_many(most, c) < p)
		most *= 2;
	return root_find(as_many, c, p, 0, most, 1e-9 * most);
}

/*
 * The logarithm of few samples is not normal: one sample of a place that makes next to nothing
 * would seem beyond all chance. Beside a known amount they are what a Poisson count is: `expected`
 * where nothing changed. And how many objects there are is chance on both sides.
 */
static void count_samples(struct change *c, const struct counts *n, bool b_is_counted)
{
	double k = n->samples, expected = b_is_counted ? k * c->ratio : k / c->ratio;
	double lo = expected_at(HALF_OF_5, n) / k, hi = expected_at(1 - HALF_OF_5, n) / k;
	c->p = fmin(1, 2 * fmin(as_many(expected, n), as_few(expected, n)));
	c->lo = b_is_counted ? c->ratio / hi : c->ratio * lo;
	c->hi = b_is_counted ? c->ratio / lo : c->ratio * hi;
}

/* Which objects come is chance, too: at least how many, as a Poisson count of them. Where runs
 * differ it is in that already. */
static double of_births(const struct group *g)
{
	double count = g->objects > 0 ? 1 / g->objects : 0;
	return isinf(g->df) ? fmax(count, g->births / (g->mean * g->mean)) : 0;
}

static double relative(const struct group *g)
{
	return g->variance / (g->mean * g->mean) + of_births(g);
}

/* Whether the one side has few effective samples, and the other was counted. */
static bool is_counting(const struct group *a, const struct group *b, struct counts *out)
{
	const struct group *sampled = a->variance > 0 ? a : b, *other = sampled == a ? b : a;
	bool counted = !(other->variance > 0) && isinf(sampled->df) && sampled->variance > 0;
	*out = (struct counts){
		1 / relative(sampled), 1 / (of_births(other) * (double)other->count)};
	return counted && sampled->mean * sampled->mean < POISSON_MOST * sampled->variance;
}

/* By what its own runs tell. */
static void compare_alone(struct change *c, struct group a, struct group b)
{
	lend(&a, &b);
	lend(&b, &a);
	double va = relative(&a), vb = relative(&b);
	double log_ratio = log(c->ratio), error = sqrt(va + vb);
	if (!(error > 0))
		return;
	struct counts few;
	if (is_counting(&a, &b, &few)) {
		count_samples(c, &few, a.variance > 0);
		return;
	}
	double df = freedom(&a, &b, va, vb), t = quantile(df);
	c->lo = exp(log_ratio - t * error);
	c->hi = exp(log_ratio + t * error);
	c->p = tails(log_ratio / error, df);
}

/* -- Beside others -- */

/* As if its runs differed by chance alone. */
static struct group by_sampling(struct group g)
{
	g.variance = g.sampling;
	g.df = (double)INFINITY;
	return g;
}

static struct spread_side side_of(const struct group *g)
{
	struct group alone = by_sampling(*g);
	double n = (double)g->count;
	if (!(g->mean > 0) || g->count < 2)
		return (struct spread_side){0};
	return (struct spread_side){.seen = n * g->between / (g->mean * g->mean),
		.known = n * relative(&alone),
		.df = n - 1};
}

struct spread_row change_spread(
	const struct change_run *a, size_t count_a, const struct change_run *b, size_t count_b)
{
	struct group ga = group_of(a, count_a), gb = group_of(b, count_b);
	return (struct spread_row){{side_of(&ga), side_of(&gb)}};
}

/* By what runs of all rows tell: whether they do. Few samples beside a count are no surer than
 * that. */
static bool compare_among(
	struct change *c, const struct group *ga, const struct group *gb, const struct spread *all)
{
	struct group a = by_sampling(*ga), b = by_sampling(*gb);
	struct spread_row row = {{side_of(ga), side_of(gb)}};
	double known = relative(&a) + relative(&b), log_ratio = log(c->ratio);
	if (!all->count || !spread_tells(&row) || !(known > 0 && isfinite(known)))
		return false;
	struct spread own = spread_of_row(all, &row);
	struct spread_error e = {&own, known, 1 / (double)a.count + 1 / (double)b.count};
	double limit = spread_limit(&e);
	struct counts few;
	if (is_counting(&a, &b, &few))
		count_samples(c, &few, a.variance > 0);
	c->p = fmax(spread_tails(log_ratio, &e), c->p);
	c->lo = fmin(exp(log_ratio - limit), c->lo);
	c->hi = fmax(exp(log_ratio + limit), c->hi);
	return true;
}

/* -- What coarser samples may have missed -- */

#define COARSER 1.5 /* less is as good as alike */

/* Of one side, that a mean may be: how many samples are expected of it, and how many there are. */
struct doubt {
	const struct group *seen;
	double born; /* of the other side, as a count */
};

/* Variance of each unit, by the samples that there are. */
static double own_spare(const struct group *g)
{
	return g->sampling * (double)g->count / g->mean;
}

static bool is_coarser(const struct coarse *c, double spare)
{
	return c && c->count && c->at[0].spare > COARSER * spare;
}

static bool may_have_missed(const struct group *g)
{
	bool coarser = false;
	for (size_t i = 0; i < g->count && g->mean > 0; i++)
		coarser |= is_coarser(g->runs[i].coarse, own_spare(g));
	return coarser;
}

/* Of the mean, were it `mean`, and what was not seen of it allocated where samples are coarsest. */
static double variance_at(const struct group *g, double mean)
{
	static const struct coarse alike = {.count = 0};
	double n = (double)g->count, more = mean - g->mean, own = own_spare(g);
	double sum = g->sampling * n * n;
	for (size_t i = 0; i < g->count; i++) {
		const struct coarse *c = g->runs[i].coarse;
		sum += coarse_variance(c ? c : &alike, more, own);
	}
	return sum / n / n + of_births(g) * mean * g->mean;
}

/* How unlikely so few are, both ways. */
static double doubt_p(double mean, const struct doubt *d)
{
	double unit = variance_at(d->seen, mean) / mean;
	struct counts n = {d->seen->mean / unit, d->born};
	return fmin(1, 2 * as_few(mean / unit, &n));
}

static double doubt_cleared(double mean, const void *at)
{
	return -doubt_p(mean, at);
}

/* The largest mean that such samples don't speak against, at 5 %. */
static double doubt_limit(const struct doubt *d)
{
	double most = 2 * d->seen->mean;
	while (isfinite(most) && doubt_p(most, d) > 2 * HALF_OF_5)
		most *= 2;
	return root_find(doubt_cleared, d, -2 * HALF_OF_5, d->seen->mean, most, 1e-6 * most);
}

/* The most that the mean of one may be over that of the other; *p is raised to what that says of no
 * change. */
static double limit(const struct group *g, const struct group *other, double found, double *p)
{
	struct doubt d = {g, 1 / relative(other)};
	if (!may_have_missed(g))
		return found;
	if (g->mean < other->mean)
		*p = fmax(*p, doubt_p(other->mean, &d));
	return fmax(found, doubt_limit(&d) / other->mean);
}

/*
 * The samples of a place tell its variance only where they tell of all times: what was allocated
 * while stacks were walked more rarely, and by chance not met, is not in it. No surer than by the
 * largest variance that may be behind what there is.
 */
static void allow_for_missed(struct change *c, const struct group *a, const struct group *b)
{
	if (isnan(c->p))
		return;
	c->lo = 1 / limit(a, b, 1 / c->lo, &c->p);
	c->hi = limit(b, a, c->hi, &c->p);
}

struct change change_of(const struct change_run *a, size_t count_a, const struct change_run *b,
	size_t count_b, const struct spread *spread)
{
	struct group ga = group_of(a, count_a), gb = group_of(b, count_b);
	const double unknown = (double)NAN;
	struct change c = {ga.mean, gb.mean, unknown, unknown, unknown, unknown};
	if (isnan(ga.mean + gb.mean) || (!(ga.mean > 0) && !(gb.mean > 0)))
		return c;
	if (!(ga.mean > 0) || !(gb.mean > 0)) {
		miss(&c, ga.mean > 0 ? &ga : &gb, ga.mean > 0 ? &gb : &ga);
		return c;
	}
	c.ratio = gb.mean / ga.mean;
	if (!spread || !compare_among(&c, &ga, &gb, spread))
		compare_alone(&c, ga, gb);
	allow_for_missed(&c, &ga, &gb);
	return c;
}
