#include "stat/total.h"

#include <math.h>

#include "base/error.h"
#include "stat/special.h"
#include "stat/weight.h"

#define TAIL 0.025

static void add(struct total_sum *s, double x, double weight, double term)
{
	s->sum += x * weight;
	s->variance += term;
	if (term > s->largest)
		s->largest = term;
}

static void merge(struct total_sum *s, const struct total_sum *more)
{
	s->sum += more->sum;
	s->variance += more->variance;
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
	return ERR_NONE;
}

void total_merge(struct total *t, const struct total *more)
{
	t->n += more->n;
	merge(&t->objects, &more->objects);
	merge(&t->bytes, &more->bytes);
}

/*
 * The sum behaves like `unit` times a Poisson count of sum / unit, unit = variance / sum. Garwood's
 * interval of that count, scaled; above it allows for one more sample, as heavy as the heaviest
 * seen (Fay and Feuer 1997).
 */
static struct estimate interval(const struct total_sum *s, uint64_t n)
{
	if (n == 0)
		return (struct estimate){0, 0, HUGE_VAL};
	if (!(s->sum > 0 && s->variance > 0))
		return (struct estimate){s->sum, s->sum, s->sum};
	double unit = s->variance / s->sum, count = s->sum / unit;
	double extra = sqrt(s->largest);
	double unit_hi = (s->variance + s->largest) / (s->sum + extra);
	double count_hi = (s->sum + extra) / unit_hi;
	return (struct estimate){
		.value = s->sum,
		.lo = unit * gamma_quantile(count, TAIL),
		.hi = unit_hi * gamma_quantile(count_hi, 1 - TAIL),
	};
}

struct estimate total_objects(const struct total *t)
{
	return interval(&t->objects, t->n);
}

struct estimate total_bytes(const struct total *t)
{
	return interval(&t->bytes, t->n);
}

struct estimate estimate_ratio(struct estimate e)
{
	if (!(e.value > 0))
		return (struct estimate){1, e.lo == e.hi, e.lo == e.hi ? 1 : HUGE_VAL};
	return (struct estimate){1, e.lo / e.value, e.hi / e.value};
}
