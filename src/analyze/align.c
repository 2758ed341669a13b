#include "analyze/align.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"

#define ALONE 1.0
#define MOVED 0.2
#define ALONG 0.05 /* moved by as much as the pair before */

/*
 * cost[i][j]: the least for a's first i lines and b's first j. Pairs are compared with the pair
 * right before them only, so that the table has no third dimension: shift[i][j] is by how much that
 * pair had moved on the best way there.
 */
struct grid {
	double *cost;
	int64_t *shift;
	unsigned char *step;
	size_t width;
};

enum step { STEP_PAIR, STEP_A, STEP_B };

static size_t at(const struct grid *g, size_t i, size_t j)
{
	return i * g->width + j;
}

static double pair_cost(
	const struct grid *g, const struct align_line *a, const struct align_line *b, size_t before)
{
	int64_t shift = (int64_t)b->line - (int64_t)a->line;
	double moved = !shift ? 0 : shift == g->shift[before] ? ALONG : MOVED;
	if (!(a->bytes > 0) || !(b->bytes > 0))
		return moved + 1;
	return moved + fmin(1, fabs(log(a->bytes / b->bytes)) / log(16));
}

static void settle(
	struct grid *g, const struct align_line *a, const struct align_line *b, size_t i, size_t j)
{
	size_t here = at(g, i, j);
	double best = (double)INFINITY;
	if (i && j) {
		best = g->cost[at(g, i - 1, j - 1)] +
		       pair_cost(g, &a[i - 1], &b[j - 1], at(g, i - 1, j - 1));
		g->step[here] = STEP_PAIR;
		g->shift[here] = (int64_t)b[j - 1].line - (int64_t)a[i - 1].line;
	}
	if (i && g->cost[at(g, i - 1, j)] + ALONE < best) {
		best = g->cost[at(g, i - 1, j)] + ALONE;
		g->step[here] = STEP_A;
		g->shift[here] = g->shift[at(g, i - 1, j)];
	}
	if (j && g->cost[at(g, i, j - 1)] + ALONE < best) {
		best = g->cost[at(g, i, j - 1)] + ALONE;
		g->step[here] = STEP_B;
		g->shift[here] = g->shift[at(g, i, j - 1)];
	}
	g->cost[here] = best;
}

static void follow(const struct grid *g, size_t i, size_t j, size_t *match)
{
	while (i || j) {
		unsigned char step = g->step[at(g, i, j)];
		if (step == STEP_PAIR)
			match[i - 1] = j - 1;
		i -= step != STEP_B;
		j -= step != STEP_A;
	}
}

static void match_equal(const struct align_line *a, size_t count_a, const struct align_line *b,
	size_t count_b, size_t *match)
{
	size_t j = 0;
	for (size_t i = 0; i < count_a; i++) {
		while (j < count_b && b[j].line < a[i].line)
			j++;
		if (j < count_b && b[j].line == a[i].line)
			match[i] = j;
	}
}

int align_lines(const struct align_line *a, size_t count_a, const struct align_line *b,
	size_t count_b, size_t *match)
{
	for (size_t i = 0; i < count_a; i++)
		match[i] = ALIGN_NONE;
	if (count_a > ALIGN_MAX || count_b > ALIGN_MAX)
		return match_equal(a, count_a, b, count_b, match), ERR_NONE;
	size_t cells = (count_a + 1) * (count_b + 1);
	struct grid g = {mem_zalloc(cells, sizeof(double)), mem_zalloc(cells, sizeof(int64_t)),
		mem_zalloc(cells, 1), count_b + 1};
	int err = g.cost && g.shift && g.step ? ERR_NONE : ERR_NOMEM;
	for (size_t i = 0; i <= count_a && !err; i++)
		for (size_t j = 0; j <= count_b; j++)
			if (i || j)
				settle(&g, a, b, i, j);
	if (!err)
		follow(&g, count_a, count_b, match);
	mem_free(g.cost);
	mem_free(g.shift);
	mem_free(g.step);
	return err;
}
