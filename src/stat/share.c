#include "stat/share.h"

#include <math.h>

#define Z 1.959963984540054

/* Effective samples that explain the variance of the share; at most those of the whole. */
static double samples(double s, double part, double rest, double whole)
{
	double all = whole * whole / (part + rest);
	double variance = ((1 - s) * (1 - s) * part + s * s * rest) / (whole * whole);
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
	double rest = fmax(0, whole->bytes.variance - v);
	if (!(v + rest > 0))
		return (struct estimate){s, s, s};
	return wilson(s, samples(s, v, rest, w));
}
