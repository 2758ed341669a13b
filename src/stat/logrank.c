#include "stat/logrank.h"

#include <math.h>

#include "stat/product.h"

struct group {
	const struct ages *ages;
	size_t next; /* row */
	struct mass risk;
	double y, d; /* effective risk and deaths of the collection at hand */
};

struct state {
	struct group group[LOGRANK_GROUPS];
	size_t count;
	double u[LOGRANK_GROUPS];                 /* deaths seen - expected */
	double v[LOGRANK_GROUPS][LOGRANK_GROUPS]; /* their covariance */
};

static struct group group_start(const struct ages *a)
{
	struct group g = {.ages = a, .risk = a->all};
	for (size_t i = 0; i < a->rows.count; i++)
		mass_sub(&g.risk, a->rows.at[i].entered);
	return g;
}

static uint32_t next_age(const struct state *s)
{
	uint32_t age = UINT32_MAX;
	for (size_t g = 0; g < s->count; g++) {
		const struct group *at = &s->group[g];
		if (at->next < at->ages->rows.count && at->ages->rows.at[at->next].age < age)
			age = at->ages->rows.at[at->next].age;
	}
	return age;
}

static void step(struct group *g, uint32_t age)
{
	struct ages_row none = {.age = age}, *row = &none;
	if (g->next < g->ages->rows.count && g->ages->rows.at[g->next].age == age)
		row = &g->ages->rows.at[g->next++];
	mass_add(&g->risk, row->entered);
	mass_sub(&g->risk, row->lost);
	g->y = g->risk.n ? product_effective(g->risk, row->died) : 0;
	g->d = g->risk.n ? g->y * row->died.w / g->risk.w : 0;
	mass_sub(&g->risk, row->died);
}

/* Adds one collection: under the same hazard everywhere, deaths fall on groups as the
 * hypergeometric says. */
static void add_age(struct state *s)
{
	double y = 0, d = 0;
	for (size_t g = 0; g < s->count; g++) {
		y += s->group[g].y;
		d += s->group[g].d;
	}
	if (!(y > 1 && d > 0))
		return;
	double spread = d * fmax(y - d, 0) / (y - 1);
	for (size_t g = 0; g < s->count; g++) {
		double share = s->group[g].y / y;
		s->u[g] += s->group[g].d - d * share;
		for (size_t h = 0; h < s->count; h++)
			s->v[g][h] += spread * share * ((g == h) - s->group[h].y / y);
	}
}

/* u' V^-1 u over all groups but the last, by elimination; a group that adds no variance is passed
 * over. */
static struct logrank quadratic(struct state *s)
{
	struct logrank result = {0};
	size_t n = s->count - 1;
	for (size_t i = 0; i < n; i++) {
		double pivot = s->v[i][i];
		if (!(pivot > 1e-9))
			continue;
		result.df++;
		result.statistic += s->u[i] * s->u[i] / pivot;
		for (size_t j = i + 1; j < n; j++) {
			double factor = s->v[j][i] / pivot;
			s->u[j] -= factor * s->u[i];
			for (size_t k = i; k < n; k++)
				s->v[j][k] -= factor * s->v[i][k];
		}
	}
	return result;
}

struct logrank logrank_test(const struct ages *const *groups, size_t count)
{
	struct state s = {.count = count};
	for (size_t g = 0; g < count; g++)
		s.group[g] = group_start(groups[g]);
	for (uint32_t age; (age = next_age(&s)) != UINT32_MAX;) {
		for (size_t g = 0; g < count; g++)
			step(&s.group[g], age);
		add_age(&s);
	}
	return quadratic(&s);
}
