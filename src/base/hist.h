/*
 * Log-linear bins for 64-bit values: exact up to 2^HIST_BITS, then 2^HIST_BITS bins an octave,
 * so that a bin is at most 1/2^HIST_BITS of its value wide (12.5 %).
 */
#ifndef BASE_HIST_H
#define BASE_HIST_H

#include <stdint.h>

enum { HIST_BITS = 3, HIST_BINS = ((64 - HIST_BITS) << HIST_BITS) + (1 << HIST_BITS) };

/* The bin of a value: 0 … HIST_BINS - 1, rising with the value. */
uint32_t hist_bin(uint64_t value);
/* The smallest value of a bin; of HIST_BINS, UINT64_MAX. The bin is [low(b), low(b + 1)). */
uint64_t hist_low(uint32_t bin);

#endif
