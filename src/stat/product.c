#include "stat/product.h"

#include <math.h>

#include "stat/special.h"

#define TAIL 0.025
/* A variance below this, relative, is rounding: the value is exact. */
#define EXACT 1e-13

struct product product_init(bool finite)
{
	return (struct product){.p = 1, .mean = 1, .share = finite, .lo = 1, .hi = 1};
}

/*
 * The variance that sampling leaves in a weighted sum over m: sum of w (w - share). With share = 1
 * this is Horvitz and Thompson's, nothing where every object is followed; what was lost from
 * sight on the way (share < 1) is guessed from the rest, so it brings its variance back.
 */
static double variance_of(struct mass m, double share)
{
	double v = m.w2 - share * m.w;
	return v > EXACT * m.w2 ? v : 0;
}

double product_effective(struct mass risk, struct mass died, double share)
{
	double v = variance_of(risk, share);
	double kish = v > 0 ? risk.w * risk.w / v : HUGE_VAL;
	struct mass rest = risk;
	mass_sub(&rest, died);
	if (!died.n || !rest.n)
		return kish;
	double h = died.w / risk.w;
	double vh = (1 - h) * (1 - h) * variance_of(died, share) + h * h * variance_of(rest, share);
	double known = vh > 0 ? h * (1 - h) * risk.w * risk.w / vh : HUGE_VAL;
	return fmin(kish, known);
}

/* Multiplies by a beta variate of a + b = `sum` and mean a / sum. */
static void times_beta(struct product *p, double a, double sum)
{
	p->mean *= a / sum;
	p->cv += log1p((sum - a) / (a * (sum + 1)));
}

void product_step(struct product *p, struct mass risk, struct mass died, struct mass lost)
{
	p->share *= risk.n ? risk.w / (risk.w + lost.w) : 0;
	if (!risk.n)
		return;
	double y = product_effective(risk, died, p->share);
	double h = died.n == risk.n ? 1 : fmin(died.w / risk.w, 1);
	p->effective = isinf(y) ? y : y * (1 - h);
	p->p *= 1 - h;
	if (!died.n)
		return;
	if (isinf(y))
		p->mean *= 1 - h;
	else if (p->mean > 0)
		times_beta(p, y * (1 - h) + 1, y + 1);
}

struct pair {
	double a[2], b[2]; /* of two betas; a = HUGE_VAL: all mass at b */
};

static bool is_point(const struct pair *m)
{
	return isinf(m->a[0]) && isinf(m->a[1]) && !(m->b[0] > m->b[1] || m->b[0] < m->b[1]);
}

static double mixture(double x, const void *at)
{
	const struct pair *m = at;
	double sum = 0;
	for (int i = 0; i < 2; i++)
		sum += isinf(m->a[i]) ? x >= m->b[i] : beta_cdf(m->a[i], m->b[i], x);
	return sum / 2;
}

/* The beta with the moments of p. */
static void match(const struct product *p, struct pair *m, int i)
{
	double mean = p->mean, variance = mean * mean * expm1(p->cv);
	double size = mean * (1 - mean) / variance - 1;
	bool point = !(variance > EXACT * mean * mean) || !(mean < 1) || !(size > 0);
	m->a[i] = point ? HUGE_VAL : mean * size;
	m->b[i] = point ? mean : (1 - mean) * size;
}

static double limit(const struct pair *m, double tail, double from, double to)
{
	if (is_point(m))
		return fmin(fmax(m->b[0], from), to);
	return root_find(mixture, m, tail, from, to, 1e-7);
}

struct curve_point product_point(struct product *p, uint64_t t, enum product_limits limits)
{
	struct pair both;
	struct product next = *p; /* the same, had one more died now */
	if (p->effective > 0 && !isinf(p->effective))
		times_beta(&next, p->effective, p->effective + 1);
	else if (!(p->effective > 0))
		next.mean = 0;
	match(p, &both, 0);
	match(&next, &both, 1);
	p->lo = limits & LIMIT_LO ? limit(&both, TAIL, 0, fmin(p->lo, p->p)) : 0;
	p->hi = limits & LIMIT_HI ? limit(&both, 1 - TAIL, p->p, p->hi) : 1;
	return (struct curve_point){.t = t, .p = p->p, .lo = p->lo, .hi = p->hi};
}
