#include "page/sieve.h"

#include <math.h>

#include "base/map.h"

bool sieve_keeps(const struct sieve *s, enum stratum stratum, uint64_t number)
{
	uint64_t mask = ((uint64_t)1 << s->level[stratum]) - 1;
	return (hash64_pair(s->seed, number) & mask) == 0;
}

double sieve_weight(const struct sieve *s, enum stratum stratum)
{
	return ldexp(1, (int)s->level[stratum]);
}
