#include "stat/weight.h"

#include <math.h>

double weight_poisson(uint64_t size, uint64_t interval)
{
	if (interval <= 1)
		return 1;
	double units = (double)(size ? size : 1) / (double)interval;
	return -1 / expm1(-units);
}

double weight_error(double x, double weight)
{
	return fmin(x * sqrt(weight * (weight - 1)), WEIGHT_MAX);
}

double weight_bytes(uint64_t size, uint64_t interval)
{
	return (double)size * weight_poisson(size, interval);
}
