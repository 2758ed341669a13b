/*
 * Draws samples at random, so that no more than so many are kept. Two strata, samples whose life
 * is followed and the others, have each their own probability, a power of 1/2, which sinks as
 * more come. doc/metrics.md, "Thinning of the page".
 */
#ifndef PAGE_SIEVE_H
#define PAGE_SIEVE_H

#include <stdbool.h>
#include <stdint.h>

enum stratum { STRATUM_PLAIN, STRATUM_FOLLOWED, STRATA };
enum { SIEVE_FINEST = 63 };

struct sieve {
	uint64_t seed;
	unsigned level[STRATA]; /* 1 in 2^level is kept; at most SIEVE_FINEST */
};

/* Whether the sample with this number (any that no other sample has) is kept. Once it is not, it
 * is not at any higher level. */
bool sieve_keeps(const struct sieve *s, enum stratum stratum, uint64_t number);
/* What one that is kept stands for: the inverse of the probability. */
double sieve_weight(const struct sieve *s, enum stratum stratum);

#endif
