#include "tenure/passage.h"

#include <math.h>

static void side_add(struct passage_side *s, uint32_t age, bool stood, double weight)
{
	float *to = stood ? s->stood : s->died;
	to[age] += (float)weight;
}

static void add_sample(struct passage *p, bool stood, double objects)
{
	p->samples += 1;
	p->squares += (float)(objects * objects);
	p->survivors += stood ? 1 : 0;
}

void passage_add(struct passage *p, uint32_t age, bool stood, struct amount weight)
{
	if (age >= TENURE_AGES)
		return;
	side_add(&p->bytes, age, stood, weight.bytes);
	side_add(&p->objects, age, stood, weight.objects);
	if (!age)
		add_sample(p, stood, weight.objects);
}

static double came(const struct passage_side *s, uint32_t age)
{
	return (double)s->died[age] + (double)s->stood[age];
}

double passage_weight(const struct passage *p)
{
	double objects = came(&p->objects, 0);
	return objects > 0 ? (double)p->squares / objects : 0;
}

/* Of an age above 0 what one sample stands for stays. */
static double kept(const struct passage *p, uint32_t age, double factor, double least)
{
	double all = came(&p->objects, age);
	return age && all * factor < least ? fmin(least / all, 1) : factor;
}

static void side_decay(struct passage_side *s, uint32_t age, double factor)
{
	s->died[age] = (float)((double)s->died[age] * factor);
	s->stood[age] = (float)((double)s->stood[age] * factor);
}

void passage_decay(struct passage *p, double factor)
{
	double least = passage_weight(p);
	for (uint32_t age = 0; age < TENURE_AGES; age++) {
		double keep = kept(p, age, factor, least);
		side_decay(&p->bytes, age, keep);
		side_decay(&p->objects, age, keep);
	}
	p->samples = (float)((double)p->samples * factor);
	p->survivors = (float)((double)p->survivors * factor);
	p->squares = (float)((double)p->squares * factor);
}

static double passed(const struct passage_side *s, uint32_t age)
{
	double all = came(s, age);
	return all > 0 ? (double)s->stood[age] / all : 0;
}

struct passage_curve passage_curve_of(const struct passage *p)
{
	struct passage_curve c = {
		.reach[0] = {came(&p->bytes, 0), came(&p->objects, 0)}, .known = 0};
	for (uint32_t age = 0; age < TENURE_AGES && came(&p->objects, age) > 0; age++) {
		c.reach[age + 1].bytes = c.reach[age].bytes * passed(&p->bytes, age);
		c.reach[age + 1].objects = c.reach[age].objects * passed(&p->objects, age);
		c.known = age + 1;
	}
	return c;
}

struct amount passage_copied(const struct passage_curve *c, uint32_t threshold)
{
	struct amount copied = {0, 0};
	for (uint32_t age = 1; age <= threshold + 1 && age <= c->known; age++)
		amount_add(&copied, c->reach[age]);
	return copied;
}

struct amount passage_promoted(const struct passage_curve *c, uint32_t threshold)
{
	return c->reach[threshold + 1 < c->known ? threshold + 1 : c->known];
}
