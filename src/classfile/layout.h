/*
 * Where each instruction of a method comes to lie once code is put between them. What is put in
 * belongs to the instruction before it: only who falls through from there runs it, and a branch to
 * the instruction behind lands behind it; so does all else that names a place (handlers, frames,
 * line numbers). What covers the instruction before covers it too.
 *
 * Branches that no longer reach are made wide: goto and jsr become goto_w and jsr_w; a condition is
 * turned into its opposite, over a goto_w. Behind that goto_w a StackMapTable must have a frame
 * (code_write.h).
 */
#ifndef CLASSFILE_LAYOUT_H
#define CLASSFILE_LAYOUT_H

#include "base/buf.h"
#include "classfile/code.h"

struct insertion {
	uint32_t after;  /* the instruction that it belongs to */
	uint32_t before; /* the place of the next */
	size_t at, len;  /* of its bytes in the buffer that comes with it */
};

/* In the order of the code; those of one place in the order that they are to run in. */
struct insertions {
	VEC(struct insertion) all;
	struct buf bytes;
};

/* Puts it in its place in the order. 0 or ERR_NOMEM. */
int insertions_add(struct insertions *n, uint32_t after, uint32_t before, struct slice bytes);
void insertions_release(struct insertions *n);

struct layout {
	/* Owned; the new place of each byte of code, and of the end. Bytes amid an instruction stay
	 * amid it: tables for debuggers may name them. */
	uint32_t *at;
	bool *wide;   /* owned; of the instruction at a byte: it was made wide */
	uint32_t len; /* of the new code, in bytes */
	bool turned;  /* some condition was */
};

enum { BRANCH_REACH = INT16_MAX }; /* bytes that a branch may lead onwards; back, one more */

/*
 * Branches that lead farther than `reach` are made wide: BRANCH_REACH, or less in tests. 0;
 * ERR_LIMIT: longer than CODE_MAX; ERR_NOMEM. The code was decoded by marks_make. Release it in any
 * case.
 */
int layout_make(struct layout *l, struct slice code, const struct insertions *n, uint32_t reach);
void layout_release(struct layout *l);

/* Appends the new code. */
void layout_put(
	const struct layout *l, struct slice code, const struct insertions *n, struct buf *out);

#endif
