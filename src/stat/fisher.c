#include "stat/fisher.h"

#include <math.h>

#include "stat/special.h"

#define EQUAL (1 + 1e-7) /* so far rounding may part two equal probabilities */

static double log_choose(double n, double k)
{
	return log_gamma(n + 1) - log_gamma(k + 1) - log_gamma(n - k + 1);
}

/* The logarithm of the hypergeometric probability of x of a's n, where `all` did it in both. */
static double log_chance(double x, double a, double b, double all)
{
	return log_choose(a, x) + log_choose(b, all - x) - log_choose(a + b, all);
}

double fisher_exact(struct share_of a, struct share_of b)
{
	struct share_of few = a.n < b.n ? a : b, many = a.n < b.n ? b : a;
	uint64_t all = a.k + b.k, least = all > many.n ? all - many.n : 0;
	uint64_t most = all < few.n ? all : few.n;
	double n = (double)few.n, other = (double)many.n, yes = (double)all, p = 0;
	double seen = log_chance((double)few.k, n, other, yes);
	if (!few.n)
		return 1;
	for (uint64_t x = least; x <= most; x++) {
		double chance = log_chance((double)x, n, other, yes);
		p += chance <= seen + log(EQUAL) ? exp(chance) : 0;
	}
	return fmin(p, 1);
}
