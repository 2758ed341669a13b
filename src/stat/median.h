/* The middle of some numbers. */
#ifndef STAT_MEDIAN_H
#define STAT_MEDIAN_H

#include <stddef.h>

/* Sorts them, ascending; none is NaN. */
void median_sort(double *numbers, size_t count);
/* Of sorted numbers: of an even count the mean of the two in the middle; NaN of none. */
double median_of(const double *numbers, size_t count);

#endif
