#include "stat/product.h"

#include <math.h>

#include "stat/special.h"

#define TAIL 0.025
/* A variance below this, relative, is rounding: the value is exact. */
#define EXACT 1e-13

struct product product_init(bool finite, double heaviest)
{
	return (struct product){
		.p = 1, .mean = 1, .share = finite, .heaviest = heaviest, .lo = 1, .hi = 1};
}

/*
 * The variance that is left in a weighted sum over m when m is this share of all there were: none
 * in a census (share = 1). What was lost from sight on the way (share < 1) is guessed from the
 * rest, so it brings its variance back. An endless population (share = 0): sum of w^2.
 */
static double variance_of(struct mass m, double share)
{
	return (1 - share) * m.w2;
}

double product_effective(struct mass risk, struct mass died)
{
	double kish = mass_effective(risk);
	struct mass rest = risk;
	mass_sub(&rest, died);
	if (!died.n || !rest.n)
		return kish;
	double h = died.w / risk.w;
	double vh = (1 - h) * (1 - h) * died.w2 + h * h * rest.w2;
	return fmin(kish, h * (1 - h) * risk.w * risk.w / vh);
}

/* A sum of weights and its variance: with equal weights, unit times a gamma variate. */
struct sum {
	double w, variance;
};

/* Multiplies by the share of `kept` in the sum of both: of gammas a beta, with these moments. */
static void times_share(struct product *p, struct sum kept, struct sum gone)
{
	double total = kept.w + gone.w, mean = kept.w / total, rest = gone.w / total;
	double v = (rest * rest * kept.variance + mean * mean * gone.variance) / (total * total);
	p->mean *= mean;
	if (!(v > 0 && mean > 0))
		return;
	double size = mean * rest / v; /* both parameters of the beta together */
	p->cv += log1p(rest / (mean * (size + 1)));
}

/*
 * Of the death, or the survivor, that chance left out. The mean by weight alone (where all weigh
 * alike: the weight of one) holds too little where the heaviest, few as they are, live otherwise
 * than the rest; the heaviest alone holds nearly always. Half way between is a compromise found by
 * simulation (doc/metrics.md, "survival").
 */
static double next_weight(double heaviest, struct mass risk)
{
	double mean = risk.w2 / risk.w;
	return fmax(mean, (mean + heaviest) / 2);
}

void product_step(struct product *p, struct mass risk, struct mass died, struct mass lost)
{
	p->share *= risk.n ? risk.w / (risk.w + lost.w) : 0;
	if (!risk.n)
		return;
	struct mass rest = risk;
	mass_sub(&rest, died);
	p->next = (1 - p->share) * next_weight(p->heaviest, risk);
	p->kept = rest.w;
	p->kept2 = variance_of(rest, p->share);
	if (!died.n)
		return;
	p->p *= rest.n ? fmax(1 - died.w / risk.w, 0) : 0;
	times_share(p, (struct sum){rest.w + p->next, p->kept2 + p->next * p->next},
		(struct sum){died.w, variance_of(died, p->share)});
}

/* One of a mixture: a beta of this mean and variance, or all of its mass at the mean. */
struct part {
	struct beta beta;
	double mean, variance;
	bool point;
};

static double mixture(double x, const void *at)
{
	const struct part *parts = at;
	double sum = 0;
	for (int i = 0; i < 2; i++)
		sum += parts[i].point   ? x >= parts[i].mean
		       : x > 0 && x < 1 ? beta_tangent(&parts[i].beta, x).y
					: x;
	return sum / 2;
}

static struct tangent mixture_tangent(double x, const void *at)
{
	const struct part *parts = at;
	struct tangent one = beta_tangent(&parts[0].beta, x), two = beta_tangent(&parts[1].beta, x);
	return (struct tangent){
		(one.y + two.y) / 2, (one.dy + two.dy) / 2, (one.ddy + two.ddy) / 2};
}

/* The beta with the moments of p. */
static struct part match(const struct product *p)
{
	double mean = p->mean, variance = mean * mean * expm1(p->cv);
	double size = mean * (1 - mean) / variance - 1;
	struct part part = {.mean = mean, .variance = variance};
	part.point = !(variance > EXACT * mean * mean) || !(mean < 1) || !(size > 0);
	if (!part.point)
		part.beta = beta_init(mean * size, (1 - mean) * size);
	return part;
}

/* About where the mixture has the normal's quantile z: the logit of a beta is nearly normal. */
static double guess(const struct part parts[2], double z)
{
	double mean = (parts[0].mean + parts[1].mean) / 2;
	double sd = sqrt((parts[0].variance + parts[1].variance) / 2);
	double logit = log(mean / (1 - mean)) + z * sd / (mean * (1 - mean));
	return 1 / (1 + exp(-logit));
}

#define Z_TAIL 1.959963984540054 /* of TAIL */

static double limit(const struct part parts[2], bool upper, double from, double to)
{
	double tail = upper ? 1 - TAIL : TAIL;
	if (parts[0].point && parts[1].point && !(parts[0].mean > parts[1].mean) &&
		!(parts[0].mean < parts[1].mean))
		return fmin(fmax(parts[0].mean, from), to);
	if (parts[0].point || parts[1].point)
		return root_find(mixture, parts, tail, from, to, 1e-7);
	double start = guess(parts, upper ? Z_TAIL : -Z_TAIL);
	if (!(start > 0 && start < 1))
		return root_find(mixture, parts, tail, from, to, 1e-7);
	return fmin(fmax(root_near(mixture_tangent, parts, tail, start, 0, 1), from), to);
}

struct curve_point product_point(struct product *p, uint64_t t, enum product_limits limits)
{
	struct product next = *p; /* the same, had one more died now */
	if (p->next > 0)
		times_share(&next, (struct sum){p->kept, p->kept2},
			(struct sum){p->next, p->next * p->next});
	struct part parts[] = {match(p), match(&next)};
	p->lo = limits & LIMIT_LO ? limit(parts, false, 0, fmin(p->lo, p->p)) : 0;
	p->hi = limits & LIMIT_HI ? limit(parts, true, p->p, p->hi) : 1;
	return (struct curve_point){.t = t, .p = p->p, .lo = p->lo, .hi = p->hi};
}
