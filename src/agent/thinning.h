/*
 * How many of the VM's samples are looked at. Two sieves of known probability: which samples
 * have their stack walked, and which of those have their life followed. Both probabilities are
 * powers of two. They change between windows of a second, by what the past windows brought; and
 * the first halves within a window as often as that has brought as many walks as a second may.
 * Always by what is past, so that a sample's own fate never decides its weight. doc/metrics.md,
 * "Thinning".
 */
#ifndef AGENT_THINNING_H
#define AGENT_THINNING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/types.h"

struct thinning {
	uint64_t walks_per_second;        /* bound, with all the CPU it wants; 0: none */
	uint64_t walks_allowed;           /* in this window; 0: any number */
	double share;                     /* of the cores it wants that the program gets */
	uint64_t tracks_per_minute;       /* bound in steady state; 0: none */
	uint64_t free_tracks;             /* of the free start, still to be given away */
	uint32_t walk_shift, track_shift; /* inverse probabilities are 1 << shift */
	struct ns window_start;
	uint64_t samples_then, walked_then; /* totals when the window began */
	uint64_t walks; /* in this window, since it began or the sieve was last closed in it */
};

void thinning_init(
	struct thinning *t, uint64_t walks_per_second, uint64_t tracks_per_minute, struct ns now);

/*
 * Called about once a second with the totals so far. Returns whether a shift changed; the new
 * ones hold from here on. Nothing happens before a second has passed.
 */
bool thinning_update(struct thinning *t, struct ns now, uint64_t samples, uint64_t walked);

/* The program gets so much of the CPU it wants (cpu_share.h): from the next window on its bound of
 * walks is that part of what a second may have, an eighth at the least.
 */
void thinning_share(struct thinning *t, double share);

/* From now on so many stacks may be walked in a second, 0: any number. Where that is more, the
 * sieve opens at once, as often as the bound was doubled. */
void thinning_bound(struct thinning *t, uint64_t walks_per_second);

/* A stack was walked. Whether thinning_close is to be called before the next sample. */
static inline bool thinning_walk(struct thinning *t)
{
	return ++t->walks == t->walks_allowed;
}
/*
 * The window has brought as many walks as a second may: halves their probability for its rest, or
 * does as thinning_update where it is over.
 */
bool thinning_close(struct thinning *t, struct ns now, uint64_t samples, uint64_t walked);

#endif
