/*
 * What the engine makes the program wait, as a share of the time: in a heap that is nearly full the
 * VM collects all of it again and again, and each time all objects that are followed are looked
 * up. Where that takes more than half of the time for a while, the program takes more than twice as
 * long for it, and the engine has to do less (pauses.c).
 *
 * It is weighed by stretches, one behind the other, each of which ends with the first pause at
 * whose end it has lasted long enough: what a program does as it starts, or now and then, is none.
 * Not held against what the collections take themselves: the program gets what both leave of the
 * time, and is as much slower for us, whatever that is.
 */
#ifndef EXACT_BURDEN_H
#define EXACT_BURDEN_H

#include <stdint.h>

enum { BURDEN_MEMORY = 101 }; /* where a share stands: not the time is short, but memory is */

struct burden {
	uint64_t since;  /* ns, clock_now: the stretch's begin; 0: there was no pause yet */
	uint64_t own;    /* ns of ours in it */
	uint32_t pauses; /* in it */
	uint64_t asked;  /* ns of the pause that is on */
};

/* So many ns of the pause that is on were the answer to somebody who asked what is in the heap:
 * whoever asks again and again has what they want, and the engine takes no less for it. */
void burden_asked(struct burden *b, uint64_t ns);

/* A pause has ended, in which so many ns were ours, what was asked for among them. Where a stretch
 * ends that was too much: its share, in percent; else 0. */
uint32_t burden_add(struct burden *b, uint64_t own, uint64_t now);

#endif
