#include "stat/total.h"

#include <math.h>

#include "base/error.h"
#include "stat/special.h"
#include "stat/weight.h"

#define TAIL 0.025

static void add(struct total_sum *s, double x, double weight, double term)
{
	s->seen += x;
	s->sum += x * weight;
	s->variance += term;
	if (term > s->largest)
		s->largest = term;
}

static void merge(struct total_sum *s, const struct total_sum *more)
{
	s->seen += more->seen;
	s->sum += more->sum;
	s->variance += more->variance;
	s->split += more->split;
	s->largest = fmax(s->largest, more->largest);
}

int total_add(struct total *t, uint64_t size, double weight)
{
	if (!weight_valid(weight))
		return ERR_USAGE;
	double bytes = (double)size, term = weight * (weight - 1);
	t->n++;
	add(&t->objects, 1, weight, term);
	add(&t->bytes, bytes, weight, bytes * bytes * term);
	t->squares += bytes * bytes * weight;
	return ERR_NONE;
}

void total_coarsen(struct total *t, struct total_coarse coarse)
{
	if (coarse.odds * coarse.interval > t->coarse.odds * t->coarse.interval)
		t->coarse = coarse;
}

void total_merge(struct total *t, const struct total *more)
{
	total_coarsen(t, more->coarse);
	t->n += more->n;
	merge(&t->objects, &more->objects);
	merge(&t->bytes, &more->bytes);
	t->squares += more->squares;
}

static void take(struct total_sum *s, const struct total_sum *part)
{
	s->seen = fmax(s->seen - part->seen, 0);
	s->sum = fmax(s->sum - part->sum, 0);
	s->variance = fmax(s->variance - part->variance, 0);
	s->split = fmax(s->split - part->split, 0);
}

void total_take(struct total *t, const struct total *part)
{
	t->n -= part->n < t->n ? part->n : t->n;
	take(&t->objects, &part->objects);
	take(&t->bytes, &part->bytes);
	t->squares = fmax(t->squares - part->squares, 0);
	if (!t->n)
		*t = (struct total){0};
}

static void scale(struct total_sum *s, double factor)
{
	s->sum *= factor;
	s->variance *= factor * factor;
	s->split *= factor * factor;
	s->largest *= factor * factor;
	s->seen = fmin(s->seen, s->sum);
}

void total_scale(struct total *t, double objects, double bytes)
{
	scale(&t->objects, objects);
	scale(&t->bytes, bytes);
	t->squares *= objects > 0 ? bytes * bytes / objects : 0;
}

void total_count(struct total *t, double objects, double bytes)
{
	add(&t->objects, objects, 1, 0);
	add(&t->bytes, bytes, 1, 0);
	t->squares += objects > 0 ? bytes * bytes / objects : 0;
}

void total_vague(struct total *t)
{
	t->bytes.variance = (double)NAN;
}

static void be_certain(struct total_sum *s)
{
	s->variance = s->split = s->largest = 0;
}

void total_certain(struct total *t)
{
	be_certain(&t->objects);
	be_certain(&t->bytes);
	t->coarse = (struct total_coarse){0};
}

void total_split(struct total_sum *s, double variance)
{
	s->variance += variance;
	s->split += variance;
}

/* `unit` times a gamma variate of mean `count`. */
struct scaled {
	double unit, count;
};

static struct scaled scaled_of(double mean, double variance)
{
	return (struct scaled){.unit = variance / mean, .count = mean * mean / variance};
}

static double scaled_quantile(struct scaled s, double p)
{
	return s.unit * gamma_quantile(s.count, p);
}

/* The even mixture of two. */
static double mixture(double x, const void *at)
{
	const struct scaled *two = at;
	return (gamma_cdf(two[0].count, x / two[0].unit) +
		       gamma_cdf(two[1].count, x / two[1].unit)) /
	       2;
}

static double mixture_quantile(const struct scaled two[2], double p)
{
	double a = scaled_quantile(two[0], p), b = scaled_quantile(two[1], p);
	return root_find(mixture, two, p, fmin(a, b), fmax(a, b), 1e-9 * fmax(a, b));
}

/*
 * What the sum may stand for: a gamma variate of its mean and variance, the second time with one
 * more sample, as heavy as the heaviest seen (Fay and Feuer 1997); that is no lighter than the one
 * of which so many would have that variance. Even chances for both make the mid-p interval.
 */
static double limit(const struct total_sum *s, double more, double p)
{
	struct scaled with = scaled_of(s->sum + more, s->variance + more * more);
	if (!(s->variance > 0)) /* below it nothing, in half of the cases */
		return more > 0 && p > 0.5 ? fmax(s->sum, scaled_quantile(with, 2 * p - 1))
					   : s->sum;
	struct scaled two[] = {scaled_of(s->sum, s->variance), with};
	return mixture_quantile(two, p);
}

/* `coarse`: the deviation of the coarsest sample of the run, which may have met none of it. */
static struct estimate interval(const struct total_sum *s, uint64_t n, double coarse)
{
	if (isnan(s->variance))
		return (struct estimate){s->sum, (double)NAN, (double)NAN};
	if (n == 0 && !(s->sum > 0))
		return (struct estimate){0, 0, HUGE_VAL};
	if (!(s->sum > 0 && (s->variance > 0 || coarse > 0)))
		return (struct estimate){s->sum, s->sum, s->sum};
	double more = fmax(sqrt(s->largest), s->variance / s->sum);
	return (struct estimate){
		.value = s->sum,
		.lo = fmax(limit(s, more, TAIL), s->seen),
		.hi = limit(s, fmax(more, coarse), 1 - TAIL),
	};
}

/* Of objects of the mean size. */
static double coarse_error(const struct total *t, double x)
{
	double size = t->objects.sum > 0 ? t->bytes.sum / t->objects.sum : 0;
	if (!(t->coarse.odds > 0) || !(size >= 1))
		return 0;
	double w = weight_poisson((uint64_t)size, (uint64_t)t->coarse.interval);
	return weight_error(x > 0 ? x : size, w * (double)t->coarse.odds);
}

struct estimate total_objects(const struct total *t)
{
	return interval(&t->objects, t->n, coarse_error(t, 1));
}

struct estimate total_bytes(const struct total *t)
{
	return interval(&t->bytes, t->n, coarse_error(t, 0));
}

struct estimate estimate_ratio(struct estimate e)
{
	if (!(e.value > 0) && !isnan(e.lo))
		return (struct estimate){1, e.lo == e.hi, e.lo == e.hi ? 1 : HUGE_VAL};
	return (struct estimate){1, e.lo / e.value, e.hi / e.value}; /* NaN stays so */
}
