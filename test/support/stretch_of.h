/* The last stretch of a whole trace, as a cyclic recording would have left it: made by the tests'
 * own hand, from the document (doc/trace-format.md, 1.4) and not by the agent. */
#ifndef SUPPORT_STRETCH_OF_H
#define SUPPORT_STRETCH_OF_H

#include <stdbool.h>

#include "base/buf.h"
#include "trace/codec.h"
#include "trace/record.h"

struct stretch_of {
	struct record_segment segment; /* what is forgotten, summed up */
	uint64_t objects, bytes;       /* births of sites in it */
	uint64_t gap, blocks;          /* bytes of the gap, header and all; blocks in it */
};

/* Forgets all that stands before the n-th checkpoint, from 0 on; `bytes` of `out` are the new
 * trace. False: there is no such checkpoint. */
bool stretch_of_make(struct stretch_of *s, struct slice whole, const struct codec *codec,
	uint64_t n, struct buf *out);

#endif
