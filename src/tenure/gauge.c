#include "tenure/gauge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_GROUPS = 3, SWAY_GROUPS = 8 };

void gauge_clear(struct gauge *g)
{
	memset(g, 0, sizeof(*g));
}

void gauge_add(struct gauge *g, double value)
{
	if (!isfinite(value))
		return;
	g->value[g->next] = value;
	g->next = (g->next + 1) % GAUGE_GROUPS;
	if (g->count < GAUGE_GROUPS)
		g->count++;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

/* Sorts the values. */
static double median(double *value, uint32_t count)
{
	if (!count)
		return (double)NAN;
	qsort(value, count, sizeof(*value), by_value);
	return (value[(count - 1) / 2] + value[count / 2]) / 2;
}

double gauge_median(const struct gauge *g)
{
	double value[GAUGE_GROUPS];
	memcpy(value, g->value, sizeof(value));
	return median(value, g->count);
}

/* 1.4826 MAD is the standard deviation of a normal variable, and its median's standard error is
 * sqrt(pi / 2) times that of its mean. */
double gauge_error(const struct gauge *g)
{
	double away[GAUGE_GROUPS], middle = gauge_median(g);
	if (g->count < 2)
		return 0;
	for (uint32_t i = 0; i < g->count; i++)
		away[i] = fabs(g->value[i] - middle);
	return 1.2533 * 1.4826 * median(away, g->count) / sqrt(g->count);
}

double gauge_mean(const struct gauge *g)
{
	double sum = 0;
	for (uint32_t i = 0; i < g->count; i++)
		sum += g->value[i];
	return g->count ? sum / g->count : (double)NAN;
}

double gauge_mean_error(const struct gauge *g)
{
	double squares = 0, mean = gauge_mean(g);
	if (g->count < 2)
		return 0;
	for (uint32_t i = 0; i < g->count; i++)
		squares += (g->value[i] - mean) * (g->value[i] - mean);
	return sqrt(squares / (g->count - 1) / g->count);
}

bool gauge_worse(const struct gauge *before, const struct gauge *now, double least)
{
	if (before->count < LEAST_GROUPS || now->count < LEAST_GROUPS)
		return false;
	double was = gauge_median(before), is = gauge_median(now);
	double noise = 3 * hypot(gauge_error(before), gauge_error(now));
	return is > was * (1 + least) && is > was + noise;
}

/* The least that at most one of ten exceeds. */
static double ninth_tenth(const struct gauge *g)
{
	double value[GAUGE_GROUPS];
	memcpy(value, g->value, sizeof(value));
	qsort(value, g->count, sizeof(*value), by_value);
	return value[g->count - 1 - g->count / 10];
}

bool gauge_departed(const struct gauge *before, const struct gauge *now, double least)
{
	return before->count >= SWAY_GROUPS && now->count >= LEAST_GROUPS &&
	       gauge_median(now) > ninth_tenth(before) * (1 + least);
}
