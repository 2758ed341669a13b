/* Random numbers: xoshiro256** (Blackman and Vigna), seeded through splitmix64. Not for secrets. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stdint.h>

struct rng {
	uint64_t s[4];
};

struct rng rng_init(uint64_t seed);
uint64_t rng_u64(struct rng *r);
/* Uniform in [0, n), n > 0, without bias. */
uint64_t rng_below(struct rng *r, uint64_t n);
/* Uniform in [0, 1). */
double rng_unit(struct rng *r);

#endif
