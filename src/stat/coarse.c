#include "stat/coarse.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static bool is_alike(const struct coarse_level *a, const struct coarse_level *b)
{
	return ilogb(a->unit) == ilogb(b->unit);
}

static void join(struct coarse_level *to, const struct coarse_level *more)
{
	to->unit = fmax(to->unit, more->unit);
	to->spare = fmax(to->spare, more->spare);
	to->room += more->room;
}

static void insert(struct coarse *c, size_t at, const struct coarse_level *level)
{
	memmove(&c->at[at + 1], &c->at[at], (c->count - at) * sizeof(*c->at));
	c->at[at] = *level;
	c->count++;
}

void coarse_add(struct coarse *c, const struct coarse_level *level)
{
	size_t i = 0;
	if (!(level->unit > 0 && level->room > 0 && isfinite(level->unit + level->room)))
		return;
	while (i < c->count && c->at[i].unit > level->unit && !is_alike(&c->at[i], level))
		i++;
	bool found = i < c->count && is_alike(&c->at[i], level);
	if (!found && c->count < COARSE_MOST)
		insert(c, i, level);
	else
		join(&c->at[i < c->count ? i : i - 1], level);
}

double coarse_variance(const struct coarse *c, double amount, double own)
{
	double sum = 0;
	for (size_t i = 0; i < c->count && amount > 0 && c->at[i].spare > own; i++) {
		double part = fmin(amount, c->at[i].room);
		sum += part * c->at[i].spare;
		amount -= part;
	}
	return sum + amount * own;
}

double coarse_samples(const struct coarse *c, double amount)
{
	double sum = 0;
	for (size_t i = 0; i < c->count && amount > 0; i++) {
		double part = fmin(amount, c->at[i].room);
		sum += part / c->at[i].unit;
		amount -= part;
	}
	if (amount <= 0)
		return sum;
	return c->count ? sum + amount / c->at[c->count - 1].unit : (double)INFINITY;
}
