/*
 * The functions of statistics that libm lacks. Pure, thread-safe, bounded in time; arguments
 * outside the stated domain give NaN. About 1e-10 absolute; of a beta with both parameters over
 * 100 better than 1e-4. Of any with a parameter over SPECIAL_LARGE the Wilson–Hilferty cube root
 * takes over, so that cost stays bounded: about 1e-3, but near the end of a beta whose other
 * parameter is small 0.003 (2), 0.012 (1) and 0.035 (0.5).
 */
#ifndef STAT_SPECIAL_H
#define STAT_SPECIAL_H

#define SPECIAL_LARGE 1e5

/* The logarithm of the gamma function of x > 0; libm's own is not for threads. */
double log_gamma(double x);

/* P(Z <= z) of the standard normal, and its inverse for 0 < p < 1. */
double normal_cdf(double z);
double normal_quantile(double p);

/* Regularised incomplete gamma P(a, x) and Q = 1 - P; a > 0, x >= 0. (Abramowitz and
 * Stegun 6.5.29, 6.5.31.) */
double gamma_cdf(double a, double x);
double gamma_tail(double a, double x);
/* x with P(a, x) = p; 0 <= p < 1. */
double gamma_quantile(double a, double p);

/* Regularised incomplete beta I_x(a, b); a, b > 0, 0 <= x <= 1. (Abramowitz and Stegun 26.5.8.) */
double beta_cdf(double a, double b, double x);
double beta_quantile(double a, double b, double p);

/* A beta distribution, made ready to be asked often. */
struct beta {
	double a, b;
	double log_scale; /* -log B(a, b) */
};
struct beta beta_init(double a, double b);

/* A function at a point: its value and its first two derivatives. */
struct tangent {
	double y, dy, ddy;
};
/* I_x(a, b) at 0 < x < 1. */
struct tangent beta_tangent(const struct beta *d, double x);

/* P(X > x) of the chi-square distribution with df degrees of freedom. */
double chi2_tail(double x, double df);

/*
 * x in [lo, hi] with f(x, at) = target, for an f that never falls; an end of the range where f
 * does not reach the target. Within the tolerance, in at most 100 calls.
 */
double root_find(double (*f)(double x, const void *at), const void *at, double target, double lo,
	double hi, double tolerance);

#define ROOT_EXACT 1e-10
#define ROOT_NEAR  1e-6
/*
 * The same of a smooth f that is told with its tangent, from any start between lo and hi, which are
 * around the root; two to four calls from a start not far off, at most 100. Within ROOT_EXACT, or
 * after a step of Halley's method, whose error is of its third power, of ROOT_NEAR and a thousandth
 * of what is left to either end.
 */
double root_near(struct tangent (*f)(double x, const void *at), const void *at, double target,
	double start, double lo, double hi);

#endif
