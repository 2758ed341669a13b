#include "stat/special.h"

#include <math.h>

#include "base/compiler.h"
#include "base/rng.h"
#include "support/tap.h"

/* From the tables of Abramowitz and Stegun (26.1, 26.8) and closed forms. */
TEST(normal_as_in_tables)
{
	static const double rows[][2] = {{0.5, 0}, {0.975, 1.959963984540054},
		{0.995, 2.575829303548901}, {0.841344746068543, 1}, {1e-9, -5.997807014976},
		{0.001, -3.090232306167814}};
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		EXPECT_NEAR(rows[i][1], normal_quantile(rows[i][0]), 1e-9);
		EXPECT_NEAR(rows[i][0], normal_cdf(rows[i][1]), 1e-12);
	}
	EXPECT(isnan(normal_quantile(0)) && isnan(normal_quantile(1)) &&
		isnan(normal_quantile(-1)));
}

TEST(chi2_as_in_tables)
{
	EXPECT_NEAR(0.05, chi2_tail(3.841458820694124, 1), 1e-10);
	EXPECT_NEAR(0.01, chi2_tail(9.210340371976182, 2), 1e-10);
	EXPECT_NEAR(0.05, chi2_tail(18.307038053275146, 10), 1e-10);
	EXPECT_NEAR(0.95, chi2_tail(3.940299136, 10), 1e-8);
	EXPECT_NEAR(exp(-50), chi2_tail(100, 2), 1e-24);
}

/* The gamma of whole a is a Poisson sum; that of 1/2 an error function. */
TEST(gamma_is_a_poisson_sum)
{
	for (int a = 1; a <= 40; a += 3)
		for (double x = 0.1; x < 90; x *= 1.7) {
			double term = exp(-x), sum = term;
			for (int k = 1; k < a; k++)
				sum += term *= x / k;
			EXPECT_NEAR(sum, gamma_tail(a, x), 1e-12);
			EXPECT_NEAR(1 - sum, gamma_cdf(a, x), 1e-12);
		}
	EXPECT_NEAR(erf(1.3), gamma_cdf(0.5, 1.69), 1e-12);
	EXPECT(gamma_cdf(2, 0) <= 0 && gamma_tail(2, 0) >= 1);
	EXPECT(isnan(gamma_cdf(0, 1)) && isnan(gamma_tail(1, -1)));
}

/* The beta of whole a and b is a binomial sum. */
TEST(beta_is_a_binomial_sum)
{
	enum { N = 24 };
	for (int a = 1; a <= N; a++)
		for (double x = 0.02; x < 1; x += 0.07) {
			double term = pow(1 - x, N), sum = 0;
			for (int k = 0; k <= N; k++) {
				sum += k >= a ? term : 0;
				term *= (N - k) * x / ((k + 1) * (1 - x));
			}
			EXPECT_NEAR(sum, beta_cdf(a, N - a + 1, x), 1e-11);
		}
	EXPECT_NEAR(2 / M_PI * asin(sqrt(0.3)), beta_cdf(0.5, 0.5, 0.3), 1e-12);
	EXPECT(isnan(beta_cdf(0, 1, 0.5)) && isnan(beta_cdf(1, 1, 1.5)));
}

TEST(quantiles_invert)
{
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < 3000; i++) {
		double a = exp(rng_unit(&r) * 12 - 1), b = exp(rng_unit(&r) * 12 - 1);
		double p = 0.001 + 0.998 * rng_unit(&r);
		EXPECT_NEAR(p, gamma_cdf(a, gamma_quantile(a, p)), 1e-5);
		double x = beta_quantile(a, b, p);
		/* The quantile is within 1e-9 of x: the probability between the two sides must
		 * contain p. */
		EXPECT(beta_cdf(a, b, fmax(x - 2e-9, 0)) <= p + 1e-4);
		EXPECT(beta_cdf(a, b, fmin(x + 2e-9, 1)) >= p - 1e-4);
	}
	/* Clopper–Pearson of 0 and of 3 in 10 (tables of 1934). */
	EXPECT_NEAR(0.3085, beta_quantile(1, 10, 0.975), 5e-5);
	EXPECT_NEAR(0.0667, beta_quantile(3, 8, 0.025), 5e-5);
	EXPECT_NEAR(0.6525, beta_quantile(4, 7, 0.975), 5e-5);
	/* Garwood's of a count of 3. */
	EXPECT_NEAR(0.6187, gamma_quantile(3, 0.025), 5e-5);
	EXPECT_NEAR(8.7673, gamma_quantile(4, 0.975), 5e-5);
}

/* Where the approximation takes over, the two must meet. */
TEST(large_counts_join_on)
{
	double under = SPECIAL_LARGE, over = SPECIAL_LARGE * (1 + 1e-9);
	for (double z = -3; z <= 3; z += 0.5) {
		double x = under + z * sqrt(under);
		EXPECT_NEAR(gamma_cdf(under, x), gamma_cdf(over, x), 1e-4);
		double sd = sqrt(0.25 / (2 * under));
		EXPECT_NEAR(normal_cdf(z), beta_cdf(under, under, 0.5 + z * sd), 1e-4);
		sd = sqrt(0.25 / 201);
		EXPECT_NEAR(beta_cdf(100, 100, 0.5 + z * sd),
			beta_cdf(100 + 1e-9, 100 + 1e-9, 0.5 + z * sd), 6e-5);
		double few = 2 + exp(z / 3);
		EXPECT_NEAR(beta_cdf(under, few, 1 - 3 / under), beta_cdf(over, few, 1 - 3 / under),
			2e-3);
	}
}

static double step_at(double x, const void *at)
{
	return x >= *(const double *)at;
}

TEST(root_of_a_step_and_of_none)
{
	double at = 0.625;
	EXPECT_NEAR(at, root_find(step_at, &at, 0.5, 0, 1, 1e-9), 2e-9);
	EXPECT_NEAR(0, root_find(step_at, &at, -1, 0, 1, 1e-9), 0);
	EXPECT_NEAR(1, root_find(step_at, &at, 2, 0, 1, 1e-9), 0);
}

/* Derivatives of the beta's integral by small differences. */
TEST(beta_tangent_is_its_derivative)
{
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < 3000; i++) {
		double a = exp(rng_unit(&r) * 5 - 1), b = exp(rng_unit(&r) * 5 - 1);
		double x = 0.05 + 0.9 * rng_unit(&r), step = 1e-5;
		struct beta d = beta_init(a, b);
		struct tangent at = beta_tangent(&d, x), left = beta_tangent(&d, x - step),
			       right = beta_tangent(&d, x + step);
		EXPECT_NEAR(beta_cdf(a, b, x), at.y, 1e-15);
		EXPECT_NEAR((right.y - left.y) / (2 * step), at.dy, 1e-5 * (1 + at.dy));
		EXPECT_NEAR((right.dy - left.dy) / (2 * step), at.ddy, 1e-3 * (1 + fabs(at.ddy)));
	}
}

static double beta_at_x(double x, const void *at)
{
	const struct beta *d = at;
	return beta_cdf(d->a, d->b, x);
}

static struct tangent tangent_at(double x, const void *at)
{
	return beta_tangent(at, x);
}

/* From any start in range, the root that a bracket finds. */
TEST(near_roots_are_the_roots)
{
	struct rng r = rng_init(tap_seed());
	for (int i = 0; i < 3000; i++) {
		double p = 0.01 + 0.98 * rng_unit(&r), start = 0.001 + 0.998 * rng_unit(&r);
		struct beta d = beta_init(exp(rng_unit(&r) * 5 - 1), exp(rng_unit(&r) * 5 - 1));
		double want = root_find(beta_at_x, &d, p, 0, 1, 1e-13);
		EXPECT_NEAR(want, root_near(tangent_at, &d, p, start, 0, 1), 1e-9);
	}
}
