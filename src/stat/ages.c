#include "stat/ages.h"

#include <math.h>

#include "base/error.h"
#include "base/hist.h"
#include "stat/weight.h"

uint32_t ages_round(uint32_t age)
{
	return age < AGES_EXACT ? age : (uint32_t)hist_low(hist_bin(age));
}

/* Where the row of this age is or would be: never past `age`, and mostly just there. */
static size_t place_of(const struct ages *a, uint32_t age)
{
	size_t lo = 0, hi = a->rows.count;
	if (age < hi) {
		if (a->rows.at[age].age == age)
			return age;
		hi = age;
	}
	while (lo < hi) {
		size_t middle = lo + (hi - lo) / 2;
		if (a->rows.at[middle].age < age)
			lo = middle + 1;
		else
			hi = middle;
	}
	return lo;
}

/* The row of this age, made if it is not there: room for it must have been reserved. */
static struct ages_row *row_of(struct ages *a, uint32_t age)
{
	size_t i = place_of(a, age);
	if (i < a->rows.count && a->rows.at[i].age == age)
		return &a->rows.at[i];
	for (size_t j = a->rows.count++; j > i; j--)
		a->rows.at[j] = a->rows.at[j - 1];
	a->rows.at[i] = (struct ages_row){.age = age};
	return &a->rows.at[i];
}

int ages_add_bytes(
	struct ages *a, enum fate fate, uint32_t entry, uint32_t age, uint64_t size, double weight)
{
	if (age < entry || !weight_valid(weight))
		return ERR_USAGE;
	if (vec_reserve(&a->rows, 2))
		return ERR_NOMEM;
	double units = (double)(size ? size : 1), heavy = weight_error(units, weight);
	struct mass one = mass_of(fmin(units * weight, WEIGHT_MAX));
	struct ages_row *row = row_of(a, ages_round(age));
	mass_add(fate == FATE_DIED ? &row->died : &row->lost, one);
	if (entry)
		mass_add(&row_of(a, ages_round(entry))->entered, one);
	mass_add(&a->all, one);
	a->heaviest = fmax(a->heaviest, heavy);
	return ERR_NONE;
}

int ages_add(struct ages *a, enum fate fate, uint32_t entry, uint32_t age, double weight)
{
	return ages_add_bytes(a, fate, entry, age, 1, weight);
}

/* Most are copies of one other, of a row or two, and there are as many as a program has places. */
static int reserve_merged(struct ages *a, size_t rows)
{
	return a->rows.count ? vec_reserve(&a->rows, rows) : vec_reserve_only(&a->rows, rows);
}

int ages_merge(struct ages *a, const struct ages *more)
{
	if (reserve_merged(a, more->rows.count))
		return ERR_NOMEM;
	for (size_t i = 0; i < more->rows.count; i++) {
		const struct ages_row *from = &more->rows.at[i];
		struct ages_row *row = row_of(a, from->age);
		mass_add(&row->died, from->died);
		mass_add(&row->lost, from->lost);
		mass_add(&row->entered, from->entered);
	}
	mass_add(&a->all, more->all);
	a->heaviest = fmax(a->heaviest, more->heaviest);
	return ERR_NONE;
}

void ages_cut(struct ages *a, uint32_t age)
{
	size_t i = place_of(a, age);
	struct mass lost = {0}, entered = {0};
	if (i == a->rows.count)
		return;
	for (size_t k = i; k < a->rows.count; k++) {
		mass_add(&lost, a->rows.at[k].died);
		mass_add(&lost, a->rows.at[k].lost);
		mass_add(&entered, a->rows.at[k].entered);
	}
	a->rows.at[i] = (struct ages_row){
		.age = age, .lost = lost, .entered = age ? entered : (struct mass){0}};
	a->rows.count = i + 1;
}

struct mass ages_unmet(const struct ages *a)
{
	bool any = a->rows.count && a->rows.at[0].age == 0;
	return any ? a->rows.at[0].lost : (struct mass){0};
}

void ages_clear(struct ages *a)
{
	a->rows.count = 0;
	a->all = (struct mass){0};
	a->heaviest = 0;
}

void ages_release(struct ages *a)
{
	vec_release(&a->rows);
	*a = (struct ages){0};
}
