/*
 * Checkpoints of all objects that are followed, from which a reader can begin
 * (doc/trace-format.md, 8.4).
 */
#ifndef EXACT_FOLLOW_CHECKPOINT_H
#define EXACT_FOLLOW_CHECKPOINT_H

#include "exact/follow.h"

enum {
	CHECKPOINT_LEAST = 3,   /* births an object that stands: none is due before */
	CHECKPOINT_BIRTHS = 16, /* an object that stands: a checkpoint is due then */
};

/*
 * After follow_end, in the same pause, where follow_checkpoint_due: hands the writer a checkpoint,
 * all objects that are followed, as chunks of EVENT_SIZED (doc/trace-format.md, 8.4). One thread;
 * 8 bytes read and 12 written an object, and an array's header read; nothing allocated. False:
 * births would find too few chunks left, or there is nothing that stands; then nothing was handed,
 * and the next step may ask again.
 */
bool follow_checkpoint(struct follow *f);
/* Whether so many births are behind the last one that its bytes are few beside theirs. */
bool follow_checkpoint_due(const struct follow *f);

#endif
