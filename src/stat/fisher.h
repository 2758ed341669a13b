/*
 * Fisher's exact test (1935) of two samples, for counts too small for a chi-square.
 */
#ifndef STAT_FISHER_H
#define STAT_FISHER_H

#include <stdint.h>

/* Of n objects k did it. */
struct share_of {
	uint64_t k, n;
};

/*
 * P(shares that differ as unlikely as these | both are drawn alike), two-sided: the sum over all
 * that is no more likely than what was seen, given how many did it in all. Takes time in the
 * smaller n. 1 where there is nothing to compare. k <= n < 2^53.
 */
double fisher_exact(struct share_of a, struct share_of b);

#endif
