/*
 * How far it is from one object that is picked to the next, so that each object is picked with
 * chance 1 in `every`, whatever was picked before: a geometric number, from 1 on. A fixed distance
 * could go in step with a loop of the program's, and see one of its callers only.
 *
 * The binary digits of such a number are independent of each other: digit i is set with chance
 * q^(2^i) / (1 + q^(2^i)), where q = 1 - 1/every.
 */
#ifndef EXACT_STRIDE_H
#define EXACT_STRIDE_H

#include <stdint.h>

enum { GAP_DIGITS = 40 };

struct stride {
	uint64_t chance[GAP_DIGITS]; /* of each digit, of 2^64 */
	int digits;
};

/* every: 1 or more. */
void stride_init(struct stride *g, uint64_t every);
/* state: of the thread that asks, not 0. */
uint64_t stride_next(const struct stride *g, uint64_t *state);

#endif
