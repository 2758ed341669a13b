#include "stat/ages.h"

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

int ages_add(struct ages *a, enum fate fate, uint32_t entry, uint32_t age, double weight)
{
	if (age < entry || !weight_valid(weight))
		return ERR_USAGE;
	if (vec_reserve(&a->rows, 2))
		return ERR_NOMEM;
	struct mass one = mass_of(weight);
	struct ages_row *row = row_of(a, ages_round(age));
	mass_add(fate == FATE_DIED ? &row->died : &row->lost, one);
	if (entry)
		mass_add(&row_of(a, ages_round(entry))->entered, one);
	mass_add(&a->all, one);
	return ERR_NONE;
}

int ages_merge(struct ages *a, const struct ages *more)
{
	if (vec_reserve(&a->rows, more->rows.count))
		return ERR_NOMEM;
	for (size_t i = 0; i < more->rows.count; i++) {
		const struct ages_row *from = &more->rows.at[i];
		struct ages_row *row = row_of(a, from->age);
		mass_add(&row->died, from->died);
		mass_add(&row->lost, from->lost);
		mass_add(&row->entered, from->entered);
	}
	mass_add(&a->all, more->all);
	return ERR_NONE;
}

void ages_clear(struct ages *a)
{
	a->rows.count = 0;
	a->all = (struct mass){0};
}

void ages_release(struct ages *a)
{
	vec_release(&a->rows);
	a->all = (struct mass){0};
}
