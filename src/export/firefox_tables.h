/* The tables of a Firefox profile that rows refer to by number: strings, sources, functions, frames
 * and stacks, made from the events that pass the filter. */
#ifndef EXPORT_FIREFOX_TABLES_H
#define EXPORT_FIREFOX_TABLES_H

#include "export/firefox.h"
#include "export/frames.h"

/* A node of the tree of stacks. */
struct firefox_node {
	int64_t prefix; /* -1: a root */
	uint32_t frame;
};

/* A function: a method, or a class as the end of a stack. */
struct firefox_function {
	uint32_t name, source; /* strings; source 0: not known */
};

struct firefox_tables {
	const struct firefox_source *s; /* borrowed */
	struct frames frames;
	struct map nodes;     /* a trace's frame, or (frame << 32 | class) + CLASS_BIT → node */
	struct map functions; /* a frame's key in `frames` → function */
	struct intern strings;
	struct map sources;
	VEC(struct firefox_node) node;
	VEC(uint32_t) frame_function;
	VEC(struct firefox_function) function;
	VEC(uint32_t) source; /* strings */
	VEC(uint32_t) picked; /* events that pass the filter */
	VEC(uint32_t) stacks; /* of them */
	struct buf scratch;
};

/* Fills all of them; t->s is set. String i + 1 is the name of collection kind i. 0 or ERR_NOMEM; t
 * is to be released in any case. */
int firefox_tables_fill(struct firefox_tables *t);
void firefox_tables_release(struct firefox_tables *t);

#endif
