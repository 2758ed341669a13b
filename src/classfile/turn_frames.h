/* The frames that a StackMapTable lacks once conditions have been turned (layout.h). */
#ifndef CLASSFILE_TURN_FRAMES_H
#define CLASSFILE_TURN_FRAMES_H

#include "classfile/code_write.h"
#include "classfile/frames.h"

struct turn_frames {
	VEC(struct frame) all; /* in the order of the code, by its old places */
};

/*
 * 0; ERR_FORMAT or ERR_UNSUPPORTED: they can't be told; as pool_add_*; ERR_NOMEM. Release it in any
 * case.
 */
int turn_frames_find(
	struct turn_frames *t, const struct rewrite *w, const struct layout *l, struct slice table);
void turn_frames_release(struct turn_frames *t);

#endif
