#include "tenure/chance.h"

#include <math.h>

/* Samples that came to a collection at an age, in effect: one at least, of what is known. What is
 * kept of an age may be a sample of before, when one stood for less. */
static double samples_at(const struct passage *p, const float *of, uint32_t age)
{
	double came = (double)p->objects.stood[age] + (double)p->objects.died[age];
	double sample = fmin(passage_weight(p), came);
	return sample > 0 ? (double)of[age] / sample : 0;
}

static double came_at(const struct passage *p, uint32_t age)
{
	return samples_at(p, p->objects.stood, age) + samples_at(p, p->objects.died, age);
}

/* Where all of a few stood, as if one more had died. */
static double smoothed(double stood, double came)
{
	return (stood + 1) / (came + 2);
}

struct chance chance_of(const struct snapshot *s)
{
	double stood[TENURE_AGES] = {0}, came[TENURE_AGES] = {0};
	struct chance c;
	for (size_t i = 0; i < s->places; i++)
		for (uint32_t age = 0; age < TENURE_AGES; age++) {
			const struct passage *p = &s->rows[i].passage;
			stood[age] += samples_at(p, p->objects.stood, age);
			came[age] += came_at(p, age);
		}
	for (uint32_t age = 0; age < TENURE_AGES; age++)
		c.ratio[age] = smoothed(stood[age], came[age]);
	return c;
}

static double variance(double ratio, double came)
{
	return came > 0 ? (1 - ratio) / (ratio * came) : 0;
}

double chance_of_all(const struct chance *c, const struct passage *p, uint32_t age)
{
	return variance(c->ratio[age], came_at(p, age));
}

double chance_at_age(const struct passage *p, uint32_t age)
{
	double came = came_at(p, age);
	return variance(smoothed(samples_at(p, p->objects.stood, age), came), came);
}

double chance_at_birth(const struct passage *p)
{
	double came = came_at(p, 0);
	return came > 0 ? 1 / came : 0;
}
