#include "stat/special.h"

#include <math.h>
#include <stdbool.h>

enum { STEPS_MAX = 2000 };
#define TINY 1e-300
#define EPS  1e-12

double normal_cdf(double z)
{
	return 0.5 * erfc(-z / sqrt(2));
}

/* Abramowitz and Stegun 26.2.23 (4.5e-4) as a start, then Newton on the exact tail. */
static double lower_quantile(double p)
{
	double t = sqrt(-2 * log(p));
	double z = -(t - (2.515517 + t * (0.802853 + t * 0.010328)) /
				 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))));
	for (int i = 0; i < 4; i++)
		z -= (normal_cdf(z) - p) / (exp(-z * z / 2) / sqrt(2 * M_PI));
	return z;
}

double normal_quantile(double p)
{
	if (!(p > 0 && p < 1))
		return (double)NAN;
	return p <= 0.5 ? lower_quantile(p) : -lower_quantile(1 - p);
}

double log_gamma(double x)
{
	int sign; /* lgamma keeps it in a global: not for threads */
	return lgamma_r(x, &sign);
}

/* Power series, for x < a + 1. */
static double gamma_series(double a, double x)
{
	double term = 1 / a, sum = term;
	for (int i = 1; i < STEPS_MAX && term > sum * EPS; i++) {
		term *= x / (a + i);
		sum += term;
	}
	return sum * exp(a * log(x) - x - log_gamma(a));
}

static double not_zero(double x)
{
	return fabs(x) < TINY ? TINY : x;
}

/* Continued fraction of the upper tail by Lentz's method, for x >= a + 1. */
static double gamma_fraction(double a, double x)
{
	double b = x + 1 - a, c = 1 / TINY, d = 1 / not_zero(b), h = d;
	for (int i = 1; i < STEPS_MAX; i++) {
		double an = -i * (i - a);
		b += 2;
		d = 1 / not_zero(an * d + b);
		c = not_zero(b + an / c);
		h *= d * c;
		if (fabs(d * c - 1) < EPS)
			break;
	}
	return h * exp(a * log(x) - x - log_gamma(a));
}

/* Wilson–Hilferty: the cube root of a gamma variate is nearly normal (Abramowitz and
 * Stegun 26.4.14). */
static double gamma_z(double a, double x)
{
	return (cbrt(x / a) - 1 + 1 / (9 * a)) * 3 * sqrt(a);
}

double gamma_cdf(double a, double x)
{
	if (!(a > 0 && x >= 0))
		return (double)NAN;
	if (x == 0)
		return 0;
	if (a > SPECIAL_LARGE)
		return normal_cdf(gamma_z(a, x));
	return x < a + 1 ? gamma_series(a, x) : 1 - gamma_fraction(a, x);
}

double gamma_tail(double a, double x)
{
	if (!(a > 0 && x >= 0))
		return (double)NAN;
	if (x == 0)
		return 1;
	if (a > SPECIAL_LARGE)
		return normal_cdf(-gamma_z(a, x));
	return x < a + 1 ? 1 - gamma_series(a, x) : gamma_fraction(a, x);
}

double chi2_tail(double x, double df)
{
	return gamma_tail(df / 2, x / 2);
}

/* Numerators and denominators by their recurrence, scaled so that the last denominator is 1: half
 * the divisions of Lentz's method. For x below the mean none comes near 0. */
static double beta_fraction(double a, double b, double x)
{
	double scale = 1 / (1 - (a + b) * x / (a + 1));
	double value = scale, top = scale, bottom = scale; /* the last two convergents */
	for (int m = 1; m < STEPS_MAX; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		top = value + even * top;
		bottom = 1 + even * bottom;
		scale = 1 / (bottom + odd);
		double next = (top + odd * value) * scale;
		top *= scale;
		bottom *= scale;
		if (fabs(next - value) < EPS * fabs(next))
			return next;
		value = next;
	}
	return value;
}

/* From here on the cube root is within 6e-5 of the fraction (measured), and many times as fast. */
#define BETA_LARGE 100.0

/* Abramowitz and Stegun 26.5.22: Wilson–Hilferty on both of the gammas of a beta. */
static double beta_large(double a, double b, double x)
{
	double u = cbrt(b * x), v = cbrt(a * (1 - x));
	double z =
		3 * (u * (1 - 1 / (9 * b)) - v * (1 - 1 / (9 * a))) / sqrt(u * u / b + v * v / a);
	return normal_cdf(z);
}

struct beta beta_init(double a, double b)
{
	return (struct beta){a, b, log_gamma(a + b) - log_gamma(a) - log_gamma(b)};
}

static bool is_large(double a, double b)
{
	return fmin(a, b) > BETA_LARGE || fmax(a, b) > SPECIAL_LARGE;
}

/* `front` is x^a (1 - x)^b / B(a, b). */
static double beta_small(double a, double b, double x, double front)
{
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

struct tangent beta_tangent(const struct beta *d, double x)
{
	double a = d->a, b = d->b, front = exp(d->log_scale + a * log(x) + b * log1p(-x));
	double density = front / (x * (1 - x));
	return (struct tangent){
		.y = is_large(a, b) ? beta_large(a, b, x) : beta_small(a, b, x, front),
		.dy = density,
		.ddy = density * ((a - 1) / x - (b - 1) / (1 - x)),
	};
}

double beta_cdf(double a, double b, double x)
{
	if (!(a > 0 && b > 0 && x >= 0 && x <= 1))
		return (double)NAN;
	if (x == 0 || x == 1)
		return x;
	if (is_large(a, b))
		return beta_large(a, b, x);
	struct beta d = beta_init(a, b);
	return beta_tangent(&d, x).y;
}

/* Halley's step, which is Newton's bent by the curvature; in a tail, where that says nothing, not
 * by much. */
static double bend(double newton, const struct tangent *s)
{
	return newton / fmin(fmax(1 - newton * s->ddy / (2 * s->dy), 0.5), 2);
}

double root_near(struct tangent (*f)(double x, const void *at), const void *at, double target,
	double start, double lo, double hi)
{
	double x = start, from = lo, to = hi;
	for (int i = 0; i < 100 && hi - lo > ROOT_EXACT; i++) {
		double least = fmin(ROOT_NEAR, 1e-3 * fmin(x - from, to - x));
		struct tangent s = f(x, at);
		double y = s.y - target, newton = y / s.dy, next = x - bend(newton, &s);
		*(y > 0 ? &hi : &lo) = x;
		bool inside = next >= lo && next <= hi;
		if (inside && fabs(newton) <= least)
			return next;
		x = inside ? next : lo + (hi - lo) / 2;
	}
	return x;
}

struct bracket {
	double x[3], y[3]; /* the newest point, the one across the root, the one before */
};

static void narrow(struct bracket *b, double x, double y)
{
	bool across = (y > 0) != (b->y[0] > 0);
	b->x[2] = b->x[across];
	b->y[2] = b->y[across];
	if (across) {
		b->x[1] = b->x[0];
		b->y[1] = b->y[0];
	}
	b->x[0] = x;
	b->y[0] = y;
}

/* How far from x[0] to x[1] to look next: inverse quadratic where it can be trusted, else the
 * middle. */
static double next_part(const struct bracket *b)
{
	const double *x = b->x, *y = b->y;
	double xi = (x[0] - x[1]) / (x[2] - x[1]), phi = (y[0] - y[1]) / (y[2] - y[1]);
	if (!(phi * phi < xi && (1 - phi) * (1 - phi) < 1 - xi))
		return 0.5;
	return y[0] / (y[1] - y[0]) * y[2] / (y[1] - y[2]) +
	       (x[2] - x[0]) / (x[1] - x[0]) * y[0] / (y[2] - y[0]) * y[1] / (y[2] - y[1]);
}

/* Chandrupatla's method (1997): a bracket that at worst halves. */
double root_find(double (*f)(double x, const void *at), const void *at, double target, double lo,
	double hi, double tolerance)
{
	struct bracket b = {{lo, hi, hi}, {f(lo, at) - target, f(hi, at) - target, 0}};
	double part = 0.5;
	if (!(b.y[0] < 0))
		return lo;
	if (!(b.y[1] > 0))
		return hi;
	for (int i = 0; i < 98; i++) {
		double x = b.x[0] + part * (b.x[1] - b.x[0]);
		double y = f(x, at) - target;
		narrow(&b, x, y);
		double least = tolerance / fabs(b.x[1] - b.x[0]);
		if (least > 0.5 || fabs(y) <= 0)
			return fabs(y) <= 0 ? x : b.x[0] + 0.5 * (b.x[1] - b.x[0]);
		part = fmin(fmax(next_part(&b), least), 1 - least);
	}
	return b.x[0];
}

struct gamma {
	double a, log_gamma;
};

static struct tangent gamma_tangent(double x, const void *at)
{
	const struct gamma *g = at;
	double density = exp((g->a - 1) * log(x) - x - g->log_gamma);
	return (struct tangent){
		.y = gamma_cdf(g->a, x),
		.dy = density,
		.ddy = density * ((g->a - 1) / x - 1),
	};
}

/* About the quantile: Wilson–Hilferty, or where that fails the first term of the series. */
static double gamma_guess(double a, double p)
{
	double root = 1 - 1 / (9 * a) + normal_quantile(p) / (3 * sqrt(a));
	return root > 0.1 ? a * root * root * root : exp((log(p) + log_gamma(a + 1)) / a);
}

double gamma_quantile(double a, double p)
{
	if (!(a > 0 && p >= 0 && p < 1))
		return (double)NAN;
	if (p == 0)
		return 0;
	struct gamma g = {a, log_gamma(a)};
	double start = gamma_guess(a, p), hi = 2 * start + 1;
	while (gamma_cdf(a, hi) < p)
		hi *= 2;
	return root_near(gamma_tangent, &g, p, fmax(start, 1e-300), 0, hi);
}

static double beta_at(double x, const void *at)
{
	const struct beta *beta = at;
	return beta_cdf(beta->a, beta->b, x);
}

double beta_quantile(double a, double b, double p)
{
	if (!(a > 0 && b > 0 && p >= 0 && p <= 1))
		return (double)NAN;
	return root_find(beta_at, &(struct beta){.a = a, .b = b}, p, 0, 1, 1e-9);
}
