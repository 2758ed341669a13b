#include "stat/late_ages.h"

#include <stdbool.h>

#include "base/map.h"

static uint16_t *row_of(struct late_ages *a, uint64_t place)
{
	return a->died[hash64(place) % LATE_PLACES];
}

static uint16_t *died_at(uint16_t *row, uint64_t age)
{
	return &row[age < LATE_AGES ? age : LATE_AGES - 1];
}

void late_ages_add(struct late_ages *a, uint64_t place, uint64_t age)
{
	uint16_t *row = row_of(a, place), *at = died_at(row, age);
	bool full = *at == UINT16_MAX;
	for (int i = 0; full && i < LATE_AGES; i++)
		row[i] /= 2;
	++*at;
}

/* From 0 on, less than 1. */
static double roll(struct late_ages *a)
{
	return (double)(hash64(++a->rolls) >> 11) * 0x1p-53;
}

/* One more at the first, so that there is something to choose by: most die young. */
static double weight(uint16_t *row, uint64_t first, uint32_t i)
{
	return *died_at(row, first + i) + (i == 0 ? 1.0 : 0.0);
}

uint32_t late_ages_any(struct late_ages *a, uint64_t place, uint64_t first, uint32_t count)
{
	uint16_t *row = row_of(a, place);
	double all = 0;
	for (uint32_t i = 0; i < count; i++)
		all += weight(row, first, i);
	double left = roll(a) * all;
	uint32_t i = 0;
	while (i < count - 1 && (left -= weight(row, first, i)) >= 0)
		i++;
	return i;
}
