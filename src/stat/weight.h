/*
 * What a sampled object stands for. SampledObjectAlloc (JEP 331) samples bytes as a Poisson
 * process, so an object of size s is seen with probability 1 - exp(-s / I). Thinnings with known
 * probability multiply: weight_poisson(s, I) * walk * track.
 */
#ifndef STAT_WEIGHT_H
#define STAT_WEIGHT_H

#include <stdbool.h>
#include <stdint.h>

/* Objects that one sample of `size` bytes stands for: >= 1. A size of 0 counts as 1; an interval of
 * 0 or 1 samples everything. */
double weight_poisson(uint64_t size, uint64_t interval);
/* Bytes that it stands for. */
double weight_bytes(uint64_t size, uint64_t interval);
/* Whether a weight may enter an accumulator: a finite number of 1 or more, at most 2^52. */
#define WEIGHT_MAX 0x1p52
static inline bool weight_valid(double weight)
{
	return weight >= 1 && weight <= WEIGHT_MAX;
}
/* The standard deviation that one sample of x with this weight adds to a Horvitz–Thompson sum of x.
 */
double weight_error(double x, double weight);

#endif
