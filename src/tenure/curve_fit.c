#include "tenure/curve_fit.h"

#include <math.h>

struct curve_fit curve_fit_of(const struct age_tables *a)
{
	struct curve_fit f = {.known = age_tables_known(a)};
	for (uint32_t age = 1; age < f.known; age++)
		f.passed[age] = age_tables_passed(a, age);
	for (uint32_t age = 0; age <= TENURE_AGES; age++)
		f.level[age] = 1;
	return f;
}

/* As if one sample more had come, of which the share of all stood. */
static double passed(const struct passage_side *s, uint32_t age, double sample, double all)
{
	double stood = (double)s->stood[age] + sample * all;
	double came = (double)s->stood[age] + (double)s->died[age] + sample;
	return came > 0 ? stood / came : 0;
}

static struct amount sample_of(const struct passage *p, const struct passage_curve *c)
{
	double objects = passage_weight(p);
	return (struct amount){objects * c->reach[0].bytes / c->reach[0].objects, objects};
}

static struct amount next(const struct curve_fit *f, const struct passage *p,
	const struct passage_curve *c, uint32_t age)
{
	bool all = age && age < f->known;
	struct amount one = all ? sample_of(p, c) : (struct amount){0, 0};
	double share = all ? f->passed[age] : 0;
	return (struct amount){c->reach[age].bytes * passed(&p->bytes, age, one.bytes, share),
		c->reach[age].objects * passed(&p->objects, age, one.objects, share)};
}

static bool is_seen(const struct passage *p, uint32_t age)
{
	return p->objects.stood[age] > 0 || p->objects.died[age] > 0;
}

static struct passage_curve with_ages(const struct curve_fit *f, const struct passage *p)
{
	struct passage_curve c = passage_curve_of(p);
	if (!c.known)
		return c;
	c = (struct passage_curve){.reach[0] = c.reach[0]};
	for (uint32_t age = 0; age < TENURE_AGES && (age < f->known || is_seen(p, age)); age++) {
		c.reach[age + 1] = next(f, p, &c, age);
		c.known = age + 1;
	}
	return c;
}

struct passage_curve curve_fit_apply(const struct curve_fit *f, const struct passage *p)
{
	if (!f->known)
		return passage_curve_of(p);
	struct passage_curve c = with_ages(f, p);
	for (uint32_t age = 2; age <= c.known; age++)
		c.reach[age] =
			amount_times(c.reach[age], f->level[age < f->known ? age : f->known]);
	return c;
}

void curve_fit_add(struct curve_fit *f, const struct passage *p)
{
	struct passage_curve c = passage_curve_of(p);
	for (uint32_t age = 1; c.known && age < f->known; age++) {
		double came = (double)p->bytes.stood[age] + (double)p->bytes.died[age];
		f->came[age] += came;
		f->stood[age] +=
			came * passed(&p->bytes, age, sample_of(p, &c).bytes, f->passed[age]);
	}
}

void curve_fit_end(struct curve_fit *f)
{
	for (uint32_t age = 1; age < f->known; age++) {
		bool seen = f->stood[age] > 0;
		double times = seen ? f->passed[age] * f->came[age] / f->stood[age] : 1;
		f->level[age + 1] = f->level[age] * times;
	}
}
