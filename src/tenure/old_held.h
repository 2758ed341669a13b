/*
 * What of the old generation is no garbage, as far as collections tell: what the last full one
 * left, if that was in the later half of the run; else all that is in it, which is at least as
 * much.
 */
#ifndef TENURE_OLD_HELD_H
#define TENURE_OLD_HELD_H

#include <stdbool.h>
#include <stdint.h>

/* All zeros at first. Bytes, and the young clock. */
struct old_held {
	uint64_t left, left_at; /* by the last full collection */
	uint64_t now, now_at;
};

/* A collection has left so much in the old generation; 0: it is not known. */
void old_held_add(struct old_held *h, uint64_t old_after, uint64_t young, bool full);
/* Whether it is what a full collection left. */
bool old_held_told(const struct old_held *h);
/* 0: not known. */
uint64_t old_held_most(const struct old_held *h);

#endif
