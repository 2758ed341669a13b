#include "stat/spread.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"
#include "base/rng.h"
#include "stat/change.h"
#include "stat/conflict.h"
#include "stat/special.h"
#include "support/tap.h"

enum { ROWS = 400 };

static double normal(struct rng *r)
{
	return sqrt(-2 * log(1 - rng_unit(r))) * cos(2 * M_PI * rng_unit(r));
}

static struct spread_side side_of(struct rng *r, double known, double excess, int df)
{
	double sum = 0;
	for (int i = 0; i < df; i++) {
		double z = normal(r);
		sum += z * z * (known + excess);
	}
	return (struct spread_side){sum / df, known, df};
}

static struct spread_row row_of(struct rng *r, double known, double excess)
{
	return (struct spread_row){{side_of(r, known, excess, 2), side_of(r, known, excess, 2)}};
}

static double chance_within(const struct spread *s, double least, double most)
{
	double sum = 0;
	for (size_t i = 0; i < s->count; i++)
		sum += s->excess[i] >= least && s->excess[i] <= most ? s->chance[i] : 0;
	return sum;
}

static void expect_valid(const struct spread *s)
{
	EXPECT(s->count >= 2 && s->count <= SPREAD_MOST);
	for (size_t i = 0; i < s->count; i++)
		EXPECT(s->excess[i] >= 0 && s->chance[i] >= 0 && isfinite(s->excess[i]));
	EXPECT_NEAR(1, chance_within(s, 0, 1e9), 1e-9);
}

/* Three runs a side that differ by 20 %, of which sampling explains 10, 3 or 1 %. */
TEST(a_common_excess_is_found)
{
	struct rng r = rng_init(tap_seed());
	static const double known[] = {0.01, 0.001, 0.0001};
	for (size_t k = 0; k < 3; k++) {
		struct spread_row rows[ROWS];
		struct spread s;
		for (size_t i = 0; i < ROWS; i++)
			rows[i] = row_of(&r, known[k], 0.04);
		EXPECT_INT(0, spread_estimate(&s, rows, ROWS));
		expect_valid(&s);
		EXPECT(chance_within(&s, 0.015, 0.13) > 0.9);
	}
}

TEST(none_is_found_where_there_is_none)
{
	struct rng r = rng_init(tap_seed());
	struct spread_row rows[ROWS];
	struct spread s;
	for (size_t i = 0; i < ROWS; i++)
		rows[i] = row_of(&r, i % 2 ? 0.04 : 0.01, 0);
	EXPECT_INT(0, spread_estimate(&s, rows, ROWS));
	expect_valid(&s);
	EXPECT(chance_within(&s, 0, 0.005) > 0.95);
	/* So a row is judged by what is known, nearly: by the normal distribution. */
	struct spread_row row = {{{0.01, 0.01, 2}, {0.01, 0.01, 2}}};
	struct spread own = spread_of_row(&s, &row);
	struct spread_error e = {&own, 0.01, 2 / 3.0};
	EXPECT(spread_tails(0.196, &e) < 0.08);
	EXPECT(spread_limit(&e) < 0.23);
}

/* Most rows always make the same, a few of them anything: neither hides the other. */
TEST(wild_rows_are_told_from_steady_ones)
{
	struct rng r = rng_init(tap_seed());
	struct spread_row rows[ROWS];
	struct spread s;
	for (size_t i = 0; i < ROWS; i++)
		rows[i] = row_of(&r, 1e-4, i % 20 ? 0 : 1);
	EXPECT_INT(0, spread_estimate(&s, rows, ROWS));
	expect_valid(&s);
	EXPECT_NEAR(0.95, chance_within(&s, 0, 2e-4), 0.03);
	EXPECT_NEAR(0.05, chance_within(&s, 0.2, 5), 0.03);
	struct spread_row steady = {{{1e-4, 1e-4, 2}, {1e-4, 1e-4, 2}}},
			  wild = {{{1, 1e-4, 2}, {1, 1e-4, 2}}};
	struct spread a = spread_of_row(&s, &steady), b = spread_of_row(&s, &wild);
	struct spread_error calm = {&a, 7e-5, 2 / 3.0}, rough = {&b, 7e-5, 2 / 3.0};
	EXPECT(spread_tails(0.1, &calm) < 1e-3);
	EXPECT(spread_tails(0.7, &rough) > 0.2);
}

/* One row alone: not surer than the normal distribution with the variance seen, nor much less sure
 * than Student's. t = 2.776 is 5 % of 4 degrees of freedom, and 0.55 % of infinitely many. */
TEST(a_row_alone_is_between_student_and_normal)
{
	struct spread_row row = {{{0.04, 1e-6, 2}, {0.04, 1e-6, 2}}};
	struct spread s;
	EXPECT_INT(0, spread_estimate(&s, &row, 1));
	expect_valid(&s);
	struct spread own = spread_of_row(&s, &row);
	struct spread_error e = {&own, 1e-6, 2 / 3.0};
	double p = spread_tails(2.776 * sqrt(0.04 * 2 / 3), &e);
	EXPECT(p > 0.0055 && p < 0.06);
}

TEST(the_limit_is_where_the_tails_are_5_per_cent)
{
	struct rng r = rng_init(tap_seed());
	struct spread_row rows[50];
	struct spread s;
	for (size_t i = 0; i < 50; i++)
		rows[i] = row_of(&r, 1e-3, (double)(i % 3) * 0.02);
	EXPECT_INT(0, spread_estimate(&s, rows, 50));
	for (size_t i = 0; i < 50; i++) {
		struct spread own = spread_of_row(&s, &rows[i]);
		struct spread_error e = {&own, 2e-3, 2 / 3.0};
		expect_valid(&own);
		EXPECT_NEAR(0.05, spread_tails(spread_limit(&e), &e), 1e-5);
		EXPECT_NEAR(1, spread_tails(0, &e), 1e-9);
		EXPECT(spread_limit(&e) >= 1.9599 * sqrt(e.known));
	}
}

/* Runs that are all the same, as those of a program that does nothing by chance. */
TEST(runs_that_do_not_differ_leave_what_is_known)
{
	struct spread_row rows[ROWS];
	struct spread s;
	for (size_t i = 0; i < ROWS; i++)
		rows[i] = (struct spread_row){{{0, 1e-6, 2}, {0, 1e-6, 2}}};
	EXPECT_INT(0, spread_estimate(&s, rows, ROWS));
	expect_valid(&s);
	struct spread own = spread_of_row(&s, &rows[0]);
	struct spread_error e = {&own, 1e-6, 2 / 3.0};
	EXPECT_NEAR(2 * normal_cdf(-3), spread_tails(3e-3, &e), 2e-3);
}

TEST(what_tells_nothing_is_left_out)
{
	static const double odd[] = {-1, 0, 1e-320, 1e-12, 1, 1e12, 1e300, 1e308};
	enum { ODD = 10 };
	double values[ODD] = {(double)NAN, (double)INFINITY};
	struct spread s;
	memcpy(values + 2, odd, sizeof(odd));
	EXPECT_INT(0, spread_estimate(&s, NULL, 0));
	EXPECT_INT(0, s.count);
	for (size_t i = 0; i < ODD * ODD * ODD; i++) {
		struct spread_side side = {
			values[i % ODD], values[i / ODD % ODD], values[i / ODD / ODD]};
		struct spread_row rows[] = {
			{{side, {0.01, 0.01, 2}}}, {{{0, 0, 0}, side}}, {{side, side}}};
		EXPECT_INT(0, spread_estimate(&s, rows, 3));
		if (s.count)
			expect_valid(&s);
		for (size_t k = 0; k < 3 && s.count; k++) {
			struct spread own;
			if (!spread_tells(&rows[k]))
				continue;
			own = spread_of_row(&s, &rows[k]);
			expect_valid(&own);
		}
	}
	/* Of a few samples; of one run a side. */
	struct spread_row few = {{{0.5, 0.5, 2}, {0.5, 0.5, 2}}}, lone = {{{0, 1, 0}, {0, 1, 0}}};
	EXPECT(spread_tells(&few) && !spread_tells(&lone));
	EXPECT_INT(0, spread_estimate(&s, &few, 1));
	EXPECT_INT(0, s.count);
}

TEST(out_of_memory_is_told)
{
	struct spread_row row = {{{0.04, 0.01, 2}, {0.04, 0.01, 2}}};
	struct spread s;
	mem_fail_at(1);
	EXPECT_INT(ERR_NOMEM, spread_estimate(&s, &row, 1));
	mem_fail_at(0);
}

/* -- Whole diffs -- */

enum { DIFFS = 120, ROWS_MOST = 100, RUNS_MOST = 5 };

struct plan {
	size_t rows, a, b;
	double cv;      /* of what a row makes, from run to run: the median row */
	double vary;    /* its standard deviation from row to row, of the logarithm */
	double samples; /* of a row in a run; 0: 3 to 3000 */
};

static double poisson(struct rng *r, double mean)
{
	double left = exp(-mean), n = 0;
	if (mean > 100)
		return fmax(0, round(mean + sqrt(mean) * normal(r)));
	for (double product = rng_unit(r); product > left; product *= rng_unit(r))
		n++;
	return n;
}

/* One row's runs, those of B times `factor`. */
static void set_runs(struct rng *r, const struct plan *p, double factor, struct change_run *a,
	struct change_run *b)
{
	double mean = p->samples > 0 ? p->samples : 3 * exp(rng_unit(r) * log(1000));
	double cv = p->cv * exp(p->vary * normal(r)), sd = sqrt(log1p(cv * cv));
	for (size_t i = 0; i < p->a + p->b; i++) {
		double x = mean * exp(sd * normal(r)) * (i < p->a ? 1 : factor);
		double n = poisson(r, x);
		*(i < p->a ? &a[i] : &b[i - p->a]) =
			(struct change_run){n, n, n, 1, 1e6 * n, false, 0, NULL};
	}
}

/* p after Holm, of rows of which the first is made `factor` times as much of in B. */
static void diff_of(struct rng *r, const struct plan *p, double factor, double *adjusted)
{
	struct change_run a[ROWS_MOST][RUNS_MOST], b[ROWS_MOST][RUNS_MOST];
	struct spread_row rows[ROWS_MOST];
	struct spread s;
	for (size_t i = 0; i < p->rows; i++) {
		set_runs(r, p, i ? 1 : factor, a[i], b[i]);
		rows[i] = change_spread(a[i], p->a, b[i], p->b);
	}
	EXPECT_INT(0, spread_estimate(&s, rows, p->rows));
	for (size_t i = 0; i < p->rows; i++) {
		adjusted[i] = change_of(a[i], p->a, b[i], p->b, &s).p;
		adjusted[i] = isnan(adjusted[i]) ? 1 : adjusted[i];
	}
	EXPECT_INT(0, holm_adjust(adjusted, p->rows));
}

/* Of DIFFS, those with a row that changed though none did. */
static int count_false(struct rng *r, const struct plan *p)
{
	int found = 0;
	for (int i = 0; i < DIFFS; i++) {
		double adjusted[ROWS_MOST];
		bool any = false;
		diff_of(r, p, 1, adjusted);
		for (size_t k = 0; k < p->rows; k++)
			any |= adjusted[k] <= 0.05;
		found += any;
	}
	return found;
}

/* At 6 % a diff, more than 18 of 120 come by chance once in 10^4. */
TEST(no_change_is_seldom_found_in_any_row)
{
	static const struct plan plans[] = {{100, 3, 3, 0.2, 0, 100}, {100, 3, 3, 0.05, 0, 1000},
		{100, 2, 2, 0.2, 0, 1000}, {100, 5, 5, 0.2, 0, 0}, {100, 1, 3, 0.1, 0, 0},
		{5, 3, 3, 0.2, 0, 100}, {100, 3, 3, 0, 0, 30}, {100, 3, 3, 1e-3, 0, 1e6}};
	struct rng r = rng_init(tap_seed());
	for (size_t i = 0; i < sizeof(plans) / sizeof(*plans); i++)
		EXPECT(count_false(&r, &plans[i]) <= 18);
}

/* Rows that differ in how they vary, the widest sixth by more than twice the median: nearly so. At
 * 8 % a diff, more than 22 of 120 come by chance once in 10^4. */
TEST(rows_that_vary_unlike_are_seldom_found)
{
	static const struct plan plans[] = {{100, 3, 3, 0.1, 0.8, 0}, {100, 2, 2, 0.1, 0.8, 1000},
		{100, 5, 5, 0.1, 0.8, 300}, {20, 3, 3, 0.1, 0.8, 300}};
	struct rng r = rng_init(tap_seed());
	for (size_t i = 0; i < sizeof(plans) / sizeof(*plans); i++)
		EXPECT(count_false(&r, &plans[i]) <= 22);
}

static int count_doubled(struct rng *r, const struct plan *p)
{
	int found = 0;
	for (int i = 0; i < DIFFS; i++) {
		double adjusted[ROWS_MOST];
		diff_of(r, p, 2, adjusted);
		found += adjusted[0] <= 0.05;
	}
	return found;
}

/* Where runs differ by a fifth, two a side seldom tell a row that is doubled, three every other
 * time; where by a twentieth, both do. */
TEST(a_doubled_row_is_found)
{
	static const struct {
		struct plan plan;
		int least;
	} powers[] = {{{100, 3, 3, 0.05, 0, 1000}, 116}, {{100, 2, 2, 0.05, 0, 1000}, 110},
		{{100, 3, 3, 0.2, 0, 100}, 36}, {{100, 5, 5, 0.2, 0, 100}, 90},
		{{100, 3, 3, 0.05, 0.8, 1000}, 95}, {{1, 3, 3, 0.1, 0, 300}, 115}};
	struct rng r = rng_init(tap_seed());
	for (size_t i = 0; i < sizeof(powers) / sizeof(*powers); i++)
		EXPECT(count_doubled(&r, &powers[i].plan) >= powers[i].least);
}
