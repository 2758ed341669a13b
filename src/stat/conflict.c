#include "stat/conflict.h"

#include "base/error.h"
#include "stat/logrank.h"
#include "stat/special.h"
#include "stat/survival.h"

static_assert((int)CONFLICT_CALLERS == (int)LOGRANK_GROUPS, "one limit");

/* The callers with enough samples. */
struct field {
	const struct ages *ages[CONFLICT_CALLERS];
	struct curve curve[CONFLICT_CALLERS];
	size_t index[CONFLICT_CALLERS]; /* in the caller's array */
	size_t count;
};

static struct field select_callers(const struct ages *const *callers, size_t count)
{
	struct field f = {.count = 0};
	for (size_t i = 0; i < count; i++) {
		if (mass_effective(callers[i]->all) < CONFLICT_SAMPLES)
			continue;
		f.ages[f.count] = callers[i];
		f.index[f.count++] = i;
	}
	return f;
}

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

int conflict_test(const struct ages *const *callers, size_t count, struct conflict *out)
{
	*out = (struct conflict){.p = 1};
	if (count > CONFLICT_CALLERS)
		return ERR_LIMIT;
	struct field f = select_callers(callers, count);
	if (f.count < 2)
		return ERR_NONE;
	int err = ERR_NONE;
	for (size_t i = 0; i < f.count && !err; i++)
		err = survival_sample_curve(f.ages[i], &f.curve[i]);
	if (!err) {
		struct logrank test = logrank_test(f.ages, f.count);
		out->statistic = test.statistic;
		out->df = test.df;
		out->p = test.df ? chi2_tail(test.statistic, test.df) : 1;
		find_effect(&f, out);
	}
	for (size_t i = 0; i < f.count; i++)
		curve_release(&f.curve[i]);
	return err;
}

bool conflict_decide(const struct conflict *c, double p)
{
	return c->df > 0 && p <= CONFLICT_ALPHA && c->effect >= CONFLICT_EFFECT;
}
