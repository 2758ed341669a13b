#include "tenure/costing.h"

#include <math.h>
#include <stddef.h>

enum { BASE, BYTES, OBJECTS, LEAST = 8 /* rounds */, TIMES = 4 };
#define KEPT 0.98 /* from round to round */
#define NARROW                                                                                     \
	0.25       /* standard error, of the prior's value, from which on it counts as measured    \
		    */
#define FLOOR 1e-3 /* noise that is always there, of the mean */

/* In bytes and objects as they come; the solution is in times the prior. */
void costing_add(struct costing *c, struct amount copied, double cpu)
{
	const double x[COSTING_FIGURES] = {1, copied.bytes, copied.objects};
	if (!isfinite(copied.bytes) || !isfinite(copied.objects) || !isfinite(cpu))
		return;
	c->count = KEPT * c->count + 1;
	c->cpu = KEPT * c->cpu + cpu;
	c->squares = KEPT * c->squares + cpu * cpu;
	for (int i = 0; i < COSTING_FIGURES; i++) {
		c->by[i] = KEPT * c->by[i] + x[i] * cpu;
		for (int j = 0; j < COSTING_FIGURES; j++)
			c->both[i][j] = KEPT * c->both[i][j] + x[i] * x[j];
	}
}

void costing_round(struct costing *c, const struct round *r, double objects_a_byte)
{
	double bytes = round_total(r, ROUND_COPIED) / r->count;
	struct amount copied = {bytes, bytes * objects_a_byte};
	if (r->count)
		costing_add(c, copied, round_total(r, ROUND_CPU) / r->count);
}

/* A matrix that is symmetric and positive. */
struct system {
	double at[COSTING_FIGURES][COSTING_FIGURES], right[COSTING_FIGURES];
	double solution[COSTING_FIGURES], error[COSTING_FIGURES];
};

static double minor_of(const struct system *s, int i, int j)
{
	int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
	return s->at[a][c] * s->at[b][d] - s->at[a][d] * s->at[b][c];
}

/* By its inverse, whose diagonal is the variance. */
static void solve(struct system *s)
{
	double whole = 0;
	for (int j = 0; j < COSTING_FIGURES; j++)
		whole += s->at[0][j] * minor_of(s, 0, j);
	for (int i = 0; i < COSTING_FIGURES; i++) {
		s->solution[i] = 0;
		for (int j = 0; j < COSTING_FIGURES; j++)
			s->solution[i] += minor_of(s, j, i) / whole * s->right[j];
		s->error[i] = sqrt(minor_of(s, i, i) / whole);
	}
}

/* In times the prior, whose own standard deviation is 1; a collection as such may cost anything. */
static struct system posed(const struct costing *c, const double *unit, double noise)
{
	struct system s;
	for (int i = 0; i < COSTING_FIGURES; i++) {
		double prior = i == BASE ? 1e-6 : 1, most_likely = 1;
		for (int j = 0; j < COSTING_FIGURES; j++)
			s.at[i][j] =
				c->both[i][j] * unit[i] * unit[j] / noise + (i == j ? prior : 0);
		s.right[i] = c->by[i] * unit[i] / noise + prior * most_likely;
	}
	return s;
}

/* Variance of what is left unexplained. */
static double left(const struct costing *c, const double *unit, const struct system *s)
{
	double sum = c->squares;
	for (int i = 0; i < COSTING_FIGURES; i++) {
		sum -= 2 * s->solution[i] * unit[i] * c->by[i];
		for (int j = 0; j < COSTING_FIGURES; j++)
			sum += s->solution[i] * s->solution[j] * unit[i] * unit[j] * c->both[i][j];
	}
	return sum / (c->count - COSTING_FIGURES);
}

/* The data alone say how noisy they are; then the prior has its say. */
static struct system fitted(const struct costing *c, const double *unit)
{
	double mean = c->cpu / c->count, least = FLOOR * mean * FLOOR * mean;
	struct system s = posed(c, unit, least);
	solve(&s);
	s = posed(c, unit, fmax(left(c, unit, &s), least));
	solve(&s);
	return s;
}

static double bounded(double times)
{
	return fmin(fmax(times, 1.0 / TIMES), TIMES);
}

struct cost costing_of(const struct costing *c, const struct cost *prior, bool *measured)
{
	struct cost cost = *prior;
	bool good = false;
	if (c->count >= LEAST && c->cpu > 0) {
		const double unit[COSTING_FIGURES] = {
			c->cpu / c->count, prior->byte, prior->object};
		struct system s = fitted(c, unit);
		good = s.error[BYTES] < NARROW && s.error[OBJECTS] < NARROW;
		cost.byte = good ? prior->byte * bounded(s.solution[BYTES]) : prior->byte;
		cost.object = good ? prior->object * bounded(s.solution[OBJECTS]) : prior->object;
	}
	if (measured)
		*measured = good;
	return cost;
}
