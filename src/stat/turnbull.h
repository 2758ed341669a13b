/*
 * The non-parametric maximum likelihood estimate of a lifetime distribution from spans: Turnbull's
 * self-consistency (1976), each round in time linear in rows and edges. Private to this room.
 */
#ifndef STAT_TURNBULL_H
#define STAT_TURNBULL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hist.h"
#include "stat/spans.h"

enum { TURNBULL_EDGES = HIST_BINS + 1, TURNBULL_ROUNDS = 1000 };
/* Gentleman and Geyer (1994): at the maximum no cell's mean gradient passes 1; we stop at 1 + this.
 */
#define TURNBULL_GAP 1e-3

/* About 24 KB: not for a small stack. */
struct turnbull {
	uint16_t edge[TURNBULL_EDGES];  /* those that occur, rising; edge[0] is 0 */
	uint16_t index[TURNBULL_EDGES]; /* of an edge among those that occur */
	uint32_t count; /* of edges, and of cells: cell j is (edge[j], edge[j + 1]], the last is
			   open */
	double mass[TURNBULL_EDGES];       /* probability of each cell */
	double before[TURNBULL_EDGES + 1]; /* of all cells below j */
	double gradient[TURNBULL_EDGES + 1];
	uint32_t rounds;
	double gap; /* reached: largest mean gradient - 1 */
};

/* *fit is overwritten. Nothing is allocated. */
void turnbull_fit(const struct spans *s, struct turnbull *fit);
/* The cell where a row's span ends: the index of `by`, or of the end of the open cell. */
uint32_t turnbull_end(const struct turnbull *fit, const struct spans_row *row);

#endif
