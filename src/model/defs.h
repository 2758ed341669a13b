/*
 * The definitions of a trace: classes, methods, frames, sites, threads, collectors. The file's
 * ids become indices of arrays here. Index 0 of each array is "unknown": all zero, always there,
 * so that a lookup never needs a check. A frame's parent always has a smaller index, so stacks
 * end.
 */
#ifndef MODEL_DEFS_H
#define MODEL_DEFS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/vec.h"
#include "model/odd.h"
#include "model/texts.h"
#include "trace/record.h"

enum { STACK_MAX = 2048 }; /* doc/trace-format.md, maxima */

/* Fields without a comment are texts' numbers or the record's own. */
struct class_def {
	uint32_t name, raw, flags;
};
struct method_def {
	uint32_t class_name, name, descriptor, source, flags;
};
struct frame_def {
	uint32_t parent;   /* frame: the caller; 0 at the root */
	uint32_t method;   /* method */
	uint32_t line;     /* 0 unknown */
	uint32_t location; /* the same for all frames of one class, method name and line; 0 of frame
			      0 only */
	uint32_t depth;    /* frames on the stack from here to the root, this one included */
	int32_t bci;       /* -1 native or unknown */
};
struct site_def {
	uint32_t class, frame, flags; /* class, frame: indices */
};
struct thread_def {
	uint32_t name, flags;
};
struct collector_def {
	uint32_t name, role;
};

/* The file's ids → indices. Ids that come 1, 2, 3 …, as a whole trace has them, are their own index
 * and need no map. */
struct ids {
	uint64_t dense; /* 1 … dense are their own index */
	struct map map; /* the others */
};

struct defs {
	struct texts texts;
	struct intern locations; /* (class name, method name, line), numbered from 1 */
	VEC(struct class_def) classes;
	VEC(struct method_def) methods;
	VEC(struct frame_def) frames;
	VEC(struct site_def) sites;
	VEC(struct site_def) sites_defined; /* as their definitions have them, without site_place */
	VEC(struct thread_def) threads;
	VEC(struct collector_def) collectors;
	struct ids class_ids, method_ids, frame_ids, site_ids, thread_ids, collector_ids;
};

/* 0 or ERR_NOMEM. */
int defs_init(struct defs *d);
void defs_release(struct defs *d);

/* Takes a definition. 1: taken; 0: the record is none; ERR_NOMEM. What is wrong with it is counted
 * in `odds`. */
int defs_read(struct defs *d, const struct record *r, struct odds *odds);

/* The index for a file's id, counted as `odd` and 0 where it was never defined. */
uint32_t defs_index(const struct ids *ids, uint64_t id, enum odd odd, struct odds *odds);

static inline struct slice defs_class_name(const struct defs *d, uint32_t class)
{
	return texts_get(&d->texts, d->classes.at[class].name);
}
/* The method that a frame runs. */
static inline const struct method_def *defs_frame_method(const struct defs *d, uint32_t frame)
{
	return &d->methods.at[d->frames.at[frame].method];
}

/* The location of frames of its method whose line is not known; 0: there are none. */
uint32_t defs_method_location(const struct defs *d, uint32_t frame);

#endif
