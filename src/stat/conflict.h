/*
 * Do the callers of a site give its objects different lives? The test that splits a context
 * (ROLP's "context conflict", Bruno et al. 2019, with a test in place of looking for triangles).
 */
#ifndef STAT_CONFLICT_H
#define STAT_CONFLICT_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/ages.h"

enum { CONFLICT_CALLERS = 16 };
#define CONFLICT_ALPHA  0.01 /* the largest p, after Holm where there are several tests */
#define CONFLICT_EFFECT 0.1  /* the least difference of the curves */
/* Effective samples of a caller: from so many on its ages are compared with others' at once, … */
#define CONFLICT_SAMPLES 20.0
/* … and from so many on what outlived a collection, with that of all others together. */
#define CONFLICT_FEW 10.0

struct conflict {
	double statistic; /* weighted log-rank, chi-square with df degrees of freedom */
	uint32_t df; /* of it; at least 1 where callers with few samples were compared; 0: fewer
			than two had enough */
	double p; /* P(what differs so much | the same curve), of all comparisons; 1 where df is 0
		   */
	double effect; /* largest difference of two callers' curves where their intervals are apart;
			  0 where they never are */
	uint64_t t; /* the age where that is: the share that outlives t collections differs most */
	size_t longest, shortest; /* the two callers of the effect */
};

/* Compares 2 … CONFLICT_CALLERS callers. 0, ERR_NOMEM, or ERR_LIMIT (more). */
int conflict_test(const struct ages *const *callers, size_t count, struct conflict *out);
/* The decision: p (adjusted, or c->p of a single test) and effect both pass. */
bool conflict_decide(const struct conflict *c, double p);

/* Holm's step-down adjustment, in place: reject those with p <= alpha, and at most a share alpha of
 * families rejects falsely. 0 or ERR_NOMEM (then unchanged). */
int holm_adjust(double *p, size_t count);

#endif
