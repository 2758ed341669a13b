/*
 * A weighted count: how many samples, how many objects they stand for, and how unevenly.
 * Adds and subtracts, so that masses of groups are sums of masses of parts.
 */
#ifndef STAT_MASS_H
#define STAT_MASS_H

#include <stdint.h>

struct mass {
	uint64_t n; /* samples */
	double w;   /* sum of weights */
	double w2;  /* sum of squared weights */
};

static inline struct mass mass_of(double weight)
{
	return (struct mass){.n = 1, .w = weight, .w2 = weight * weight};
}

static inline void mass_add(struct mass *m, struct mass more)
{
	m->n += more.n;
	m->w += more.w;
	m->w2 += more.w2;
}

/*
 * Takes out a part that was put in before. Rounding may not feign what can't be: an empty rest is
 * zero, weights are at least 1, and sum w^2 is at least (sum w)^2 / n.
 */
static inline void mass_sub(struct mass *m, struct mass part)
{
	m->n -= part.n;
	double n = (double)m->n, w = m->w - part.w, w2 = m->w2 - part.w2;
	m->w = !m->n || w < n ? n : w;
	double least = m->n ? m->w * m->w / n : 0;
	m->w2 = !m->n || w2 < least ? least : w2;
}

/* Kish's effective sample size, (sum w)^2 / sum w^2; 0 of nothing. */
static inline double mass_effective(struct mass m)
{
	return m.w2 > 0 ? m.w * m.w / m.w2 : 0;
}

#endif
