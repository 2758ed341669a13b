/*
 * The tree of stack frames: a node is a place in a method and the node of its caller. A stack
 * is a node; stacks with the same callers share them. Ids count from 1; 0 is above the root.
 * Protected by the recorder's lock.
 */
#ifndef AGENT_FRAMES_H
#define AGENT_FRAMES_H

#include <stdint.h>

#include "base/slots.h"
#include "base/vec.h"

/* Methods of one name may be those of several classes, or of one made anew: their lines differ. */
struct frame_node {
	uint32_t parent, method;
	int32_t bci;
	uint32_t line;
};

struct frames {
	VEC(struct frame_node) nodes; /* node n is at[n - 1] */
	struct slots slots;
};

void frames_release(struct frames *f);
/* The node, or 0 where it is not there. */
uint32_t frames_find(const struct frames *f, struct frame_node node);
/* Makes sure that adding one node will not fail. 0 or ERR_NOMEM. */
int frames_reserve(struct frames *f);
/* Adds a node that is not there, after frames_reserve. Returns its number, nodes.count. */
uint32_t frames_add(struct frames *f, struct frame_node node);

#endif
