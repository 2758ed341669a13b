#include "stat/scan.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"

/* Steps that no window has taken yet. */
struct stretch {
	size_t first, count;
};

/* The series while it is searched; steps were joined to at most SCAN_STEPS. */
struct search {
	const struct scan_rule *rule;
	struct scan_step *steps;
	size_t count;
	VEC(struct stretch) stretches; /* in order */
	size_t left;                   /* steps in them */
	double *excess, *shuffled, *sums;
	size_t *order;
	struct rng rng;
};

struct best {
	size_t first, count;
	double score; /* 0: none */
};

static void search_release(struct search *s)
{
	mem_free(s->steps);
	mem_free(s->excess);
	mem_free(s->shuffled);
	mem_free(s->sums);
	mem_free(s->order);
	vec_release(&s->stretches);
}

static size_t joined(size_t count)
{
	return (count + SCAN_STEPS - 1) / SCAN_STEPS;
}

static int search_init(struct search *s, const struct scan_step *steps, size_t count, size_t join)
{
	s->count = (count + join - 1) / join;
	s->steps = mem_zalloc(s->count + 1, sizeof(*s->steps));
	s->excess = mem_zalloc(s->count + 1, sizeof(double));
	s->shuffled = mem_zalloc(s->count + 1, sizeof(double));
	s->sums = mem_zalloc(s->count + 1, sizeof(double));
	s->order = mem_zalloc(s->count + 1, sizeof(size_t));
	if (!s->steps || !s->excess || !s->shuffled || !s->sums || !s->order)
		return ERR_NOMEM;
	for (size_t i = 0; i < count; i++) {
		s->steps[i / join].length += steps[i].length;
		s->steps[i / join].amount += steps[i].amount;
	}
	s->left = s->count;
	s->rng = rng_init(s->rule->seed);
	return vec_push(&s->stretches, ((struct stretch){0, s->count}));
}

static double rate_of(const struct scan_step *steps, size_t count)
{
	double length = 0, amount = 0;
	for (size_t i = 0; i < count; i++) {
		length += steps[i].length;
		amount += steps[i].amount;
	}
	return length > 0 ? amount / length : 0;
}

/* The rate of what no window has taken. */
static double rate_left(const struct search *s)
{
	double length = 0, amount = 0;
	for (size_t k = 0; k < s->stretches.count; k++) {
		const struct stretch *t = &s->stretches.at[k];
		for (size_t i = t->first; i < t->first + t->count; i++) {
			length += s->steps[i].length;
			amount += s->steps[i].amount;
		}
	}
	return length > 0 ? amount / length : 0;
}

/* The largest sum of m neighbours among `count` values, by their running sums; where it begins. */
static double largest(const double *sums, size_t count, size_t m, size_t *at)
{
	double best = (double)-INFINITY;
	for (size_t i = 0; i + m <= count; i++) {
		double x = sums[i + m] - sums[i];
		best = best < x ? x : best;
	}
	for (size_t i = 0; at && i + m <= count; i++) {
		if (sums[i + m] - sums[i] >= best) {
			*at = i;
			break;
		}
	}
	return best;
}

static void sum_up(const double *values, size_t count, double *sums)
{
	sums[0] = 0;
	for (size_t i = 0; i < count; i++)
		sums[i + 1] = sums[i] + values[i];
}

static size_t widest(const struct search *s)
{
	return s->rule->most < s->left / 2 ? s->rule->most : s->left / 2;
}

static double spread(const struct search *s, size_t m)
{
	double share = (double)m / (double)s->left;
	return sqrt((double)m * (1 - share));
}

/* The window of the highest score within one row of values. */
static void search_row(
	const struct search *s, const double *values, size_t count, size_t first, struct best *best)
{
	sum_up(values, count, s->sums);
	for (size_t m = s->rule->least; m <= widest(s) && m <= count; m++) {
		size_t at = 0;
		double score = largest(s->sums, count, m, NULL) / spread(s, m);
		if (score <= best->score)
			continue;
		largest(s->sums, count, m, &at);
		*best = (struct best){first + at, m, score};
	}
}

static struct best search_all(struct search *s)
{
	struct best best = {0};
	double rate = rate_left(s);
	for (size_t k = 0; k < s->stretches.count; k++) {
		const struct stretch *t = &s->stretches.at[k];
		for (size_t i = t->first; i < t->first + t->count; i++)
			s->excess[i] = s->steps[i].amount - rate * s->steps[i].length;
		search_row(s, s->excess + t->first, t->count, t->first, &best);
	}
	return best;
}

/* What is left, as one row in `to`, beginning at a random place. */
static void rotate(struct search *s, double *to)
{
	size_t turn = (size_t)rng_below(&s->rng, s->left), n = 0;
	for (size_t k = 0; k < s->stretches.count; k++) {
		const struct stretch *t = &s->stretches.at[k];
		for (size_t i = t->first; i < t->first + t->count; i++)
			to[(n++ + turn) % s->left] = s->excess[i];
	}
}

/* As long as leaves SCAN_BLOCKS of them: of fewer, chance alone puts the same side by side too
 * often for anything to stand out. */
static size_t block_of(const struct search *s)
{
	size_t block = s->left / SCAN_BLOCKS;
	return block > SCAN_BLOCK ? SCAN_BLOCK : block ? block : 1;
}

/* Blocks of what is left in a random order (Fisher and Yates), into `shuffled`. */
static void shuffle(struct search *s, double *row)
{
	size_t block = block_of(s), blocks = (s->left + block - 1) / block, n = 0;
	rotate(s, row);
	for (size_t i = 0; i < blocks; i++)
		s->order[i] = i;
	for (size_t i = blocks; i > 1; i--) {
		size_t j = (size_t)rng_below(&s->rng, i), kept = s->order[i - 1];
		s->order[i - 1] = s->order[j];
		s->order[j] = kept;
	}
	for (size_t i = 0; i < blocks; i++)
		for (size_t k = s->order[i] * block; k < s->left && k < (s->order[i] + 1) * block;
			k++)
			s->shuffled[n++] = row[k];
}

/* So far rounding may part two equal scores: sums run through the whole series. */
#define EQUAL 1e-9

/* P(a score this high in any order of the steps); stops where it is sure to be above SCAN_ALPHA. */
static double chance(struct search *s, double score, double *row)
{
	size_t reached = 0, tried = 0;
	while (tried < SCAN_SHUFFLES && (double)(reached + 1) <= SCAN_ALPHA * (SCAN_SHUFFLES + 1)) {
		/* A tie with the window itself is no higher score, but as high. */
		struct best best = {.score = score * (1 - EQUAL)};
		shuffle(s, row);
		search_row(s, s->shuffled, s->left, 0, &best);
		reached += best.count > 0;
		tried++;
	}
	return (double)(reached + 1) / (double)(tried + 1);
}

static size_t stretch_of(const struct search *s, size_t step)
{
	size_t k = 0;
	while (step >= s->stretches.at[k].first + s->stretches.at[k].count)
		k++;
	return k;
}

/* Takes in neighbours that are nearer to the window than to the run. */
static void widen(const struct search *s, struct scan_window *w, double run)
{
	const struct stretch *t = &s->stretches.at[stretch_of(s, w->first)];
	double least = (w->rate + run) / 2;
	size_t step = s->rule->widen, end = t->first + t->count;
	while (w->first >= t->first + step && rate_of(s->steps + w->first - step, step) > least) {
		w->first -= step;
		w->count += step;
	}
	while (w->first + w->count + step <= end &&
		rate_of(s->steps + w->first + w->count, step) > least)
		w->count += step;
	w->rate = rate_of(s->steps + w->first, w->count);
}

/* Takes the window out of what is left. 0 or ERR_NOMEM. */
static int take(struct search *s, const struct scan_window *w)
{
	size_t k = stretch_of(s, w->first);
	struct stretch *t = &s->stretches.at[k];
	struct stretch rest = {w->first + w->count, t->first + t->count - (w->first + w->count)};
	t->count = w->first - t->first;
	s->left -= w->count;
	if (vec_push(&s->stretches, rest))
		return ERR_NOMEM;
	struct stretch *at = s->stretches.at + k + 1;
	memmove(at + 1, at, (s->stretches.count - k - 2) * sizeof(*at));
	*at = rest;
	return ERR_NONE;
}

/* The next window that stands out. 1 found and taken, 0 none, or ERR_NOMEM. */
static int next(struct search *s, struct scan *out, double *row)
{
	struct best best = search_all(s);
	if (!best.count || best.score <= 0)
		return 0;
	struct scan_window w = {.first = best.first, .count = best.count};
	w.rate = rate_of(s->steps + w.first, w.count);
	w.p = out->p = chance(s, best.score, row);
	if (w.rate < SCAN_FACTOR * out->rate || w.p > SCAN_ALPHA)
		return 0;
	widen(s, &w, out->rate);
	if (take(s, &w) || vec_push(&out->windows, w))
		return ERR_NOMEM;
	return 1;
}

static void unjoin(struct scan *out, size_t join, size_t count)
{
	for (size_t i = 0; i < out->windows.count; i++) {
		struct scan_window *w = &out->windows.at[i];
		w->first *= join;
		w->count *= join;
		if (w->first + w->count > count)
			w->count = count - w->first;
	}
}

static int search_windows(struct search *s, struct scan *out)
{
	double *row = mem_zalloc(s->count + 1, sizeof(*row));
	int found = row ? 1 : ERR_NOMEM;
	while (found == 1 && out->windows.count < s->rule->limit && s->left >= 2 * s->rule->least)
		found = next(s, out, row);
	mem_free(row);
	return found < 0 ? found : ERR_NONE;
}

int scan_windows(
	const struct scan_step *steps, size_t count, const struct scan_rule *rule, struct scan *out)
{
	struct search s = {.rule = rule};
	size_t join = joined(count);
	*out = (struct scan){.rate = rate_of(steps, count), .p = 1};
	if (count < 2 * rule->least)
		return ERR_NONE;
	int err = search_init(&s, steps, count, join);
	if (!err)
		err = search_windows(&s, out);
	unjoin(out, join, count);
	search_release(&s);
	if (err)
		scan_release(out);
	return err;
}

void scan_release(struct scan *s)
{
	vec_release(&s->windows);
}
