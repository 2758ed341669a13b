#include "stat/conflict.h"

#include <math.h>

#include "base/error.h"
#include "stat/fisher.h"
#include "stat/logrank.h"
#include "stat/special.h"
#include "stat/survival.h"

static_assert((int)CONFLICT_CALLERS == (int)LOGRANK_GROUPS, "one limit");

/* Callers whose curves are compared. */
struct field {
	const struct ages *ages[CONFLICT_CALLERS];
	struct curve curve[CONFLICT_CALLERS];
	size_t index[CONFLICT_CALLERS]; /* in the caller's array */
	size_t count;
};

static void field_add(struct field *f, const struct ages *const *callers, size_t i)
{
	f->ages[f->count] = callers[i];
	f->index[f->count++] = i;
}

static struct field select_callers(const struct ages *const *callers, size_t count)
{
	struct field f = {.count = 0};
	for (size_t i = 0; i < count; i++)
		if (mass_effective(callers[i]->all) >= CONFLICT_SAMPLES)
			field_add(&f, callers, i);
	return f;
}

/* -- Callers with few samples: what their first collection did -- */

struct first {
	struct mass seen, died;
};

static void first_add(struct first *to, const struct ages *a)
{
	struct first f = {.seen = a->all};
	for (size_t i = 0; i < a->rows.count; i++)
		mass_sub(&f.seen, a->rows.at[i].entered);
	if (a->rows.count && !a->rows.at[0].age) {
		mass_sub(&f.seen, a->rows.at[0].lost);
		f.died = a->rows.at[0].died;
	}
	mass_add(&to->seen, f.seen);
	mass_add(&to->died, f.died);
}

static double share(const struct first *f)
{
	return f->seen.w > 0 ? f->died.w / f->seen.w : 0;
}

/* In whole effective samples, and nearer to `toward` than it is. */
static struct share_of whole(const struct first *f, double toward)
{
	double n = floor(mass_effective(f->seen)), k = n * share(f);
	return (struct share_of){
		.k = (uint64_t)(share(f) > toward ? floor(k) : ceil(k)), .n = (uint64_t)n};
}

static double compare_few(const struct ages *const *callers, size_t count, size_t i)
{
	struct first few = {.seen = {0}}, rest = {.seen = {0}};
	for (size_t k = 0; k < count; k++)
		first_add(k == i ? &few : &rest, callers[k]);
	return fisher_exact(whole(&few, share(&rest)), whole(&rest, share(&few)));
}

static bool is_few(const struct ages *a)
{
	double n = mass_effective(a->all);
	return n >= CONFLICT_FEW && n < CONFLICT_SAMPLES;
}

/*
 * Each of them against all others. Takes those that differ into the field, and the least p as one
 * of so many (Bonferroni).
 */
static void test_few(
	struct field *f, const struct ages *const *callers, size_t count, struct conflict *out)
{
	double least = 1, p[CONFLICT_CALLERS];
	uint32_t tests = out->df > 0;
	for (size_t i = 0; i < count; i++) {
		p[i] = is_few(callers[i]) ? compare_few(callers, count, i) : 1;
		least = fmin(least, p[i]);
		tests += is_few(callers[i]);
	}
	if (tests == (out->df > 0))
		return;
	for (size_t i = 0; i < count; i++)
		if (is_few(callers[i]) && p[i] * tests <= CONFLICT_ALPHA)
			field_add(f, callers, i);
	out->p = fmin(fmin(least, out->p) * tests, 1);
	out->df = out->df ? out->df : 1;
}

/* -- Effect -- */

/* Compares every two at t; both curves must be known there and their intervals apart. */
static void compare_at(const struct field *f, uint64_t t, struct conflict *out)
{
	struct curve_point at[CONFLICT_CALLERS];
	for (size_t i = 0; i < f->count; i++)
		at[i] = curve_at(&f->curve[i], t);
	for (size_t i = 0; i < f->count; i++)
		for (size_t j = 0; j < f->count; j++) {
			/* An unknown p is NaN: no comparison with it holds. */
			if (!(at[i].lo > at[j].hi && at[i].p - at[j].p > out->effect))
				continue;
			out->effect = at[i].p - at[j].p;
			out->t = t;
			out->longest = f->index[i];
			out->shortest = f->index[j];
		}
}

static void find_effect(const struct field *f, struct conflict *out)
{
	for (size_t i = 0; i < f->count; i++)
		for (size_t k = 0; k < f->curve[i].points.count; k++)
			compare_at(f, f->curve[i].points.at[k].t, out);
}

static int solve(struct field *f)
{
	int err = ERR_NONE;
	for (size_t i = 0; i < f->count && !err; i++)
		err = survival_sample_curve(f->ages[i], &f->curve[i]);
	return err;
}

int conflict_test(const struct ages *const *callers, size_t count, struct conflict *out)
{
	*out = (struct conflict){.p = 1};
	if (count > CONFLICT_CALLERS)
		return ERR_LIMIT;
	struct field f = select_callers(callers, count);
	if (f.count > 1) {
		struct logrank test = logrank_test(f.ages, f.count);
		out->statistic = test.statistic;
		out->df = test.df;
		out->p = test.df ? chi2_tail(test.statistic, test.df) : 1;
	}
	if (count > 1)
		test_few(&f, callers, count, out);
	int err = f.count > 1 ? solve(&f) : ERR_NONE;
	if (!err && f.count > 1)
		find_effect(&f, out);
	for (size_t i = 0; i < f.count; i++)
		curve_release(&f.curve[i]);
	return err;
}

bool conflict_decide(const struct conflict *c, double p)
{
	return c->df > 0 && p <= CONFLICT_ALPHA && c->effect >= CONFLICT_EFFECT;
}
