#include "stat/fisher.h"

#include <math.h>

#define EQUAL (1 + 1e-7) /* so far rounding may part two equal probabilities */

/* Two samples, the smaller first, of which `all` did it. */
struct table {
	uint64_t few, many, all;
};

/* The logarithm of how much likelier it is that x + 1 of the few did it than x. Of very many that
 * is exact where their factorials are not. */
static double log_step(const struct table *t, uint64_t x)
{
	double more = (double)(t->few - x) * (double)(t->all - x);
	return log(more / ((double)(x + 1) * (double)(t->many + x + 1 - t->all)));
}

double fisher_exact(struct share_of a, struct share_of b)
{
	struct share_of few = a.n < b.n ? a : b, many = a.n < b.n ? b : a;
	struct table t = {few.n, many.n, a.k + b.k};
	uint64_t least = t.all > t.many ? t.all - t.many : 0, most = t.all < t.few ? t.all : t.few;
	double at = 0, seen = 0, top = 0, as_rare = 0, sum = 0;
	for (uint64_t x = least; x < most; x++) {
		at += log_step(&t, x);
		seen = x + 1 == few.k ? at : seen;
		top = fmax(top, at);
	}
	at = 0;
	for (uint64_t x = least; x <= most; x++) {
		sum += exp(at - top);
		as_rare += at <= seen + log(EQUAL) ? exp(at - top) : 0;
		at += x < most ? log_step(&t, x) : 0;
	}
	return fmin(as_rare / sum, 1);
}
