/*
 * A StackMapTable (JVMS 4.7.4), read frame by frame and written again for moved code. A frame
 * mostly says how it differs from the one before; here it is always whole.
 */
#ifndef CLASSFILE_FRAMES_H
#define CLASSFILE_FRAMES_H

#include "base/buf.h"
#include "base/cursor.h"
#include "base/vec.h"
#include "classfile/state.h"

/* Types of the locals and of the stack, in the form of a frame: a long or double is one. */
struct frame {
	uint32_t bci;
	uint8_t type; /* FRAME_*, of which some have the distance in them */
	VEC(struct value) locals, stack;
};

enum {
	FRAME_SAME = 0,
	FRAME_SAME_1 = 64,
	FRAME_RESERVED = 128,
	FRAME_SAME_1_FAR = 247,
	FRAME_CHOP = 248, /* of three to one locals */
	FRAME_SAME_FAR = 251,
	FRAME_APPEND = 252, /* of one to three locals */
	FRAME_FULL = 255
};

void frame_release(struct frame *f);
/* The frame of a state (type FRAME_FULL). 0; ERR_UNSUPPORTED: it has a VALUE_REF; ERR_NOMEM. */
int frame_of_state(struct frame *f, uint32_t bci, const struct state *s);
/* The state that a frame tells. 0, or ERR_FORMAT: more than the state has room for. */
int frame_to_state(const struct frame *f, struct state *s);

struct frames {
	struct cursor c;
	uint32_t left;
	bool started;
	struct frame now;
};

/* Before the first frame; `entry` is the state at the method's start, whose VALUE_REF are taken as
 * they are. 0, ERR_TRUNCATED or ERR_NOMEM. Release it in any case. */
int stackmap_open(struct frames *f, struct slice content, const struct state *entry);
void stackmap_release(struct frames *f);
/* The next, in f->now. 0; ERR_NOT_FOUND: there is none; ERR_FORMAT, ERR_TRUNCATED, ERR_NOMEM. */
int stackmap_next(struct frames *f);

/*
 * Appends a frame in its own type, or the nearest that has room for the distance. `at` are the new
 * places of the old code; distance is the offset_delta.
 */
void frame_put(const struct frame *f, uint32_t distance, const uint32_t *at, struct buf *out);

#endif
