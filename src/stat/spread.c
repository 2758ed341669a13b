#include "stat/spread.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "stat/special.h"

#define EXCESS_MOST 16.0 /* runs that differ by four times their mean */
#define FINEST      8    /* an excess of a part of the least known: next to none */
#define KNOWN_MOST  0.1  /* of the mean of a side's runs: as of ten samples */
#define DF_MOST     1e6
#define PRIOR       2 /* rows' worth of not knowing */
enum { ROUNDS = 50 };

static bool side_valid(const struct spread_side *s)
{
	return s->known > 0 && isfinite(s->known) && s->df < DF_MOST && s->seen >= 0 &&
	       s->seen < s->df + 2;
}

static bool sides_valid(const struct spread_row *row)
{
	bool valid = true;
	for (size_t i = 0; i < 2; i++)
		valid &= !(row->sides[i].df > 0) || side_valid(&row->sides[i]);
	return valid;
}

bool spread_tells(const struct spread_row *row)
{
	return (row->sides[0].df > 0 || row->sides[1].df > 0) && sides_valid(row);
}

/* Few samples differ as no chi-square does. */
static bool is_sampled_enough(const struct spread_row *row)
{
	bool enough = true;
	for (size_t i = 0; i < 2; i++) {
		const struct spread_side *s = &row->sides[i];
		enough &= !(s->df > 0) || s->known <= KNOWN_MOST * (s->df + 1);
	}
	return enough;
}

static double least_known(const struct spread_row *row)
{
	double least = (double)INFINITY;
	for (size_t i = 0; i < 2; i++)
		if (row->sides[i].df > 0)
			least = fmin(least, row->sides[i].known);
	return least;
}

/* None, and halves of the most down to what makes no difference to any row. */
static void set_steps(struct spread *s, double least)
{
	double excess = EXCESS_MOST;
	s->excess[s->count++] = 0;
	do {
		s->excess[s->count++] = excess;
		excess /= 2;
	} while (excess >= least / FINEST && s->count < SPREAD_MOST);
}

/* The logarithm, but for what is the same of each excess: variances of normal runs are chi-squares.
 */
static double log_likelihood(const struct spread_row *row, double excess)
{
	double sum = 0;
	for (size_t i = 0; i < 2; i++) {
		const struct spread_side *s = &row->sides[i];
		double variance = s->known + excess;
		if (s->df > 0)
			sum -= s->df / 2 * (log(variance) + s->seen / variance);
	}
	return sum;
}

/* At `to`, one for each excess; that of the likeliest is 1. */
static void set_likelihoods(const struct spread *s, const struct spread_row *row, double *to)
{
	double most = -(double)INFINITY;
	for (size_t i = 0; i < s->count; i++) {
		to[i] = log_likelihood(row, s->excess[i]);
		most = fmax(most, to[i]);
	}
	for (size_t i = 0; i < s->count; i++)
		to[i] = exp(to[i] - most);
}

/* Bayes' rule; adds to `to`. */
static void add_posterior(const struct spread *s, const double *likelihoods, double *to)
{
	double sum = 0;
	for (size_t i = 0; i < s->count; i++)
		sum += s->chance[i] * likelihoods[i];
	for (size_t i = 0; i < s->count; i++)
		to[i] += s->chance[i] * likelihoods[i] / sum;
}

/* One round of expectation and maximization. */
static void learn(struct spread *s, const double *likelihoods, size_t rows)
{
	double sums[SPREAD_MOST];
	for (size_t i = 0; i < s->count; i++)
		sums[i] = PRIOR / (double)s->count;
	for (size_t i = 0; i < rows; i++)
		add_posterior(s, likelihoods + i * s->count, sums);
	for (size_t i = 0; i < s->count; i++)
		s->chance[i] = sums[i] / (PRIOR + (double)rows);
}

static int estimate(struct spread *out, const struct spread_row *rows, size_t count, size_t telling)
{
	double *likelihoods = mem_zalloc(telling * out->count, sizeof(*likelihoods));
	size_t n = 0;
	if (!likelihoods)
		return ERR_NOMEM;
	for (size_t i = 0; i < count; i++)
		if (spread_tells(&rows[i]) && is_sampled_enough(&rows[i]))
			set_likelihoods(out, &rows[i], likelihoods + out->count * n++);
	for (size_t i = 0; i < out->count; i++)
		out->chance[i] = 1 / (double)out->count;
	for (int i = 0; i < ROUNDS; i++)
		learn(out, likelihoods, n);
	mem_free(likelihoods);
	return ERR_NONE;
}

int spread_estimate(struct spread *out, const struct spread_row *rows, size_t count)
{
	double least = (double)INFINITY;
	size_t telling = 0;
	*out = (struct spread){0};
	for (size_t i = 0; i < count; i++)
		if (spread_tells(&rows[i]) && is_sampled_enough(&rows[i])) {
			least = fmin(least, least_known(&rows[i]));
			telling++;
		}
	if (!telling)
		return ERR_NONE;
	set_steps(out, least);
	return estimate(out, rows, count, telling);
}

struct spread spread_of_row(const struct spread *all, const struct spread_row *row)
{
	double likelihoods[SPREAD_MOST];
	struct spread s = *all;
	set_likelihoods(all, row, likelihoods);
	for (size_t i = 0; i < s.count; i++)
		s.chance[i] = 0;
	add_posterior(all, likelihoods, s.chance);
	return s;
}

double spread_tails(double x, const struct spread_error *e)
{
	const struct spread *s = e->spread;
	double p = 0;
	for (size_t i = 0; i < s->count; i++)
		p += s->chance[i] * 2 *
		     normal_cdf(-fabs(x) / sqrt(e->known + e->share * s->excess[i]));
	return fmin(p, 1);
}

static double within(double x, const void *at)
{
	return 1 - spread_tails(x, at);
}

double spread_limit(const struct spread_error *e)
{
	double most = sqrt(e->known + e->share * EXCESS_MOST);
	return root_find(within, e, 0.95, 0, 2 * most, 1e-6 * sqrt(e->known));
}
