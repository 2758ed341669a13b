#include "stat/trend.h"

#include <math.h>
#include <stdint.h>

#include "base/vec.h"
#include "stat/median.h"

#define Z 1.959963984540054

struct numbers {
	VEC(double) list;
};

static void sort(struct numbers *n)
{
	median_sort(n->list.at, n->list.count);
}

static double median(const struct numbers *n)
{
	return median_of(n->list.at, n->list.count);
}

static const struct trend_point *taken(
	const struct trend_point *points, size_t count, size_t n, size_t i)
{
	return &points[i * count / n];
}

static int pair_slopes(
	struct numbers *out, const struct trend_point *points, size_t count, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t k = i + 1; k < n; k++) {
			const struct trend_point *a = taken(points, count, n, i),
						 *b = taken(points, count, n, k);
			double dx = b->x - a->x;
			if ((dx < 0 || dx > 0) && vec_push(&out->list, (b->y - a->y) / dx))
				return ERR_NOMEM;
		}
	}
	sort(out);
	return ERR_NONE;
}

/* The variance of Kendall's S among n points, `x` sorted: ties in x take from it. */
static double variance(const struct numbers *x)
{
	double n = (double)x->list.count, v = n * (n - 1) * (2 * n + 5);
	for (size_t i = 0; i < x->list.count;) {
		size_t k = i;
		while (k < x->list.count && !(x->list.at[k] > x->list.at[i]))
			k++;
		double t = (double)(k - i);
		v -= t * (t - 1) * (2 * t + 5);
		i = k;
	}
	return v / 18;
}

static double ranked(const struct numbers *slopes, double rank)
{
	double last = (double)slopes->list.count - 1;
	return slopes->list.at[(size_t)fmin(last, fmax(0, rank))];
}

static void set_interval(struct trend *out, const struct numbers *slopes, const struct numbers *x)
{
	double n = (double)slopes->list.count, c = Z * sqrt(variance(x));
	out->value = median(slopes);
	out->lo = fmin(out->value, ranked(slopes, floor((n - c) / 2) - 1));
	out->hi = fmax(out->value, ranked(slopes, ceil((n + c) / 2)));
}

/* What y is at x = 0. `rest` is overwritten. */
static double at_zero(struct numbers *rest, const struct trend_point *points, size_t count,
	size_t n, double slope)
{
	for (size_t i = 0; i < n; i++) {
		const struct trend_point *p = taken(points, count, n, i);
		rest->list.at[i] = p->y - slope * p->x;
	}
	sort(rest);
	return median(rest);
}

int trend_find(struct trend *out, const struct trend_point *points, size_t count)
{
	const double unknown = (double)NAN;
	size_t n = count < TREND_MOST ? count : TREND_MOST;
	struct numbers slopes = {0}, x = {0};
	int err = ERR_NONE;
	*out = (struct trend){unknown, unknown, unknown, unknown};
	if (count < TREND_LEAST)
		return ERR_NONE;
	for (size_t i = 0; i < n && !err; i++)
		err = vec_push(&x.list, taken(points, count, n, i)->x);
	sort(&x);
	err = err ? err : pair_slopes(&slopes, points, count, n);
	if (!err && slopes.list.count) {
		set_interval(out, &slopes, &x);
		out->at_zero = at_zero(&x, points, count, n, out->value);
	}
	vec_release(&slopes.list);
	vec_release(&x.list);
	return err;
}
