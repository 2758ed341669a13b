#include "stat/median.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

void median_sort(double *numbers, size_t count)
{
	if (count)
		qsort(numbers, count, sizeof(*numbers), compare);
}

double median_of(const double *numbers, size_t count)
{
	size_t half = count / 2;
	if (!count)
		return (double)NAN;
	return count % 2 ? numbers[half] : (numbers[half - 1] + numbers[half]) / 2;
}
