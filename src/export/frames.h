/*
 * Stacks as numbers, for formats that list frames once: a frame is a line of code, or, at the end
 * of a stack, the class that is allocated there. Numbers are given in the order of their coming,
 * from 0.
 */
#ifndef EXPORT_FRAMES_H
#define EXPORT_FRAMES_H

#include <stdbool.h>

#include "base/map.h"
#include "model/model.h"

struct frame_ref {
	bool is_class;
	uint32_t index; /* of a class or of a frame (any of that line) */
};

struct frames {
	struct map numbers;         /* location, or class with bit 32 set → number */
	VEC(struct frame_ref) list; /* by number */
};

void frames_release(struct frames *f);
/* A frame's number, of its line; of a class. Negative: ERR_NOMEM. */
int64_t frames_of_line(struct frames *f, const struct model *m, uint32_t frame);
int64_t frames_of_class(struct frames *f, uint32_t class);

enum { FRAMES_PATH_MAX = STACK_MAX + 1 };
/* The stack of a site from the entry point on, the class last. How many, or ERR_NOMEM. */
int64_t frames_path(
	struct frames *f, const struct model *m, uint32_t site, uint32_t path[FRAMES_PATH_MAX]);

/* A frame as it is to be shown. */
struct frame_text {
	struct slice name, file; /* file: empty where it is not known */
	uint32_t line;           /* 0: not known */
};
/* name is made in `scratch`. */
struct frame_text frames_text(
	const struct frames *f, const struct model *m, size_t number, struct buf *scratch);

#endif
