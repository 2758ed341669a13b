#include "stat/turnbull.h"

#include <string.h>

uint32_t turnbull_end(const struct turnbull *fit, const struct spans_row *row)
{
	return row->by == SPAN_OPEN ? fit->count : fit->index[row->by];
}

/* What an edge is to the spans that have it. */
enum { IS_AFTER = 1, IS_BY = 2, IS_ENTRY = 4, IS_OPEN = 8 };

static void mark_edges(const struct spans *s, uint8_t *marks)
{
	marks[0] = IS_ENTRY;
	for (size_t i = 0; i < s->rows.count; i++) {
		const struct spans_row *row = &s->rows.at[i];
		marks[row->entry] |= IS_ENTRY;
		marks[row->after] |= IS_AFTER;
		if (row->by == SPAN_OPEN)
			marks[row->after] |= IS_OPEN;
		else
			marks[row->by] |= IS_BY;
	}
}

/*
 * Mass can only be where a span begins and the next edge ends one (Turnbull's innermost spans;
 * an entry ends one too, Frydman 1994). All of these start alike.
 */
static void start(const struct spans *s, struct turnbull *fit)
{
	uint8_t marks[TURNBULL_EDGES + 1] = {0};
	mark_edges(s, marks);
	fit->count = 0;
	for (uint32_t e = 0; e < TURNBULL_EDGES; e++) {
		fit->index[e] = (uint16_t)fit->count;
		if (marks[e])
			fit->edge[fit->count++] = (uint16_t)e;
	}
	for (uint32_t j = 0; j < fit->count; j++) {
		bool last = j + 1 == fit->count;
		int end = last ? IS_BY : marks[fit->edge[j + 1]];
		fit->mass[j] = marks[fit->edge[j]] & IS_AFTER && end & (IS_BY | IS_ENTRY);
	}
}

static void sum_up(struct turnbull *fit)
{
	double sum = 0;
	for (uint32_t j = 0; j < fit->count; j++)
		sum += fit->mass[j];
	fit->before[0] = 0;
	for (uint32_t j = 0; j < fit->count; j++) {
		fit->mass[j] /= sum;
		fit->before[j + 1] = fit->before[j] + fit->mass[j];
	}
}

/* Adds `per_mass` to the gradient of the cells from … to - 1, as a difference to be summed later.
 */
static void spread(struct turnbull *fit, uint32_t from, uint32_t to, double per_mass)
{
	fit->gradient[from] += per_mass;
	fit->gradient[to] -= per_mass;
}

/*
 * The gradient of the log-likelihood: every row pulls on the cells of its span by weight / mass;
 * a row that came late at e also stands for those who died unseen before e. Returns the sum of
 * what the rows stand for.
 */
static double collect(const struct spans *s, struct turnbull *fit)
{
	double total = 0;
	memset(fit->gradient, 0, sizeof(fit->gradient));
	for (size_t i = 0; i < s->rows.count; i++) {
		const struct spans_row *row = &s->rows.at[i];
		uint32_t after = fit->index[row->after], end = turnbull_end(fit, row);
		uint32_t entry = fit->index[row->entry];
		double mass = fit->before[end] - fit->before[after];
		double seen = 1 - fit->before[entry];
		if (mass > 0)
			spread(fit, after, end, row->mass.w / mass);
		if (entry && seen > 0)
			spread(fit, 0, entry, row->mass.w / seen);
		total += row->mass.w * (entry && seen > 0 ? 1 / seen : 1);
	}
	return total;
}

/* One round of self-consistency; sets the gap from before it. */
static void improve(const struct spans *s, struct turnbull *fit)
{
	double total = collect(s, fit), gradient = 0;
	fit->gap = 0;
	for (uint32_t j = 0; j < fit->count; j++) {
		gradient += fit->gradient[j];
		double mean = gradient / total;
		if (fit->mass[j] > 0 && mean - 1 > fit->gap)
			fit->gap = mean - 1;
		fit->mass[j] *= mean > 0 ? mean : 0;
	}
	sum_up(fit);
}

void turnbull_fit(const struct spans *s, struct turnbull *fit)
{
	start(s, fit);
	fit->rounds = 0;
	fit->gap = 0;
	if (!s->rows.count)
		return;
	sum_up(fit);
	do
		improve(s, fit);
	while (fit->gap > TURNBULL_GAP && ++fit->rounds < TURNBULL_ROUNDS);
}
