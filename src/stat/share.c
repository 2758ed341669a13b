#include "stat/share.h"

#include <math.h>

#define Z 1.959963984540054

/* What is uncertain of the bytes of a part and of the rest, each by itself; and how what was
 * counted divides among them. */
struct errors {
	double part, rest, split;
};

/* Effective samples that explain the variance of the share; at most those of the whole. */
static double samples(double s, const struct errors *e, double whole)
{
	double all = whole * whole / (e->part + e->rest + e->split);
	double variance =
		((1 - s) * (1 - s) * e->part + s * s * e->rest + e->split) / (whole * whole);
	return variance > 0 ? fmin(all, s * (1 - s) / variance) : all;
}

/* Wilson's interval (1927) of n trials. */
static struct estimate wilson(double s, double n)
{
	double middle = (s + Z * Z / (2 * n)) / (1 + Z * Z / n);
	double half = Z / (1 + Z * Z / n) * sqrt(s * (1 - s) / n + Z * Z / (4 * n * n));
	return (struct estimate){
		s, fmin(s, fmax(0, middle - half)), fmax(s, fmin(1, middle + half))};
}

struct estimate share_bytes(const struct total *part, const struct total *whole)
{
	double p = part->bytes.sum, w = whole->bytes.sum;
	if (!(w > 0))
		return (struct estimate){(double)NAN, 0, 1};
	double s = fmin(1, p / w), v = part->bytes.variance;
	if (isnan(v) || isnan(whole->bytes.variance))
		return (struct estimate){s, (double)NAN, (double)NAN};
	double split = part->bytes.split, own = fmax(0, v - split);
	struct errors e = {own, fmax(0, whole->bytes.variance - own), split};
	if (!(e.part + e.rest + e.split > 0))
		return (struct estimate){s, s, s};
	return wilson(s, samples(s, &e, w));
}
