/*
 * A class file that code is inserted into: begin, look at the sites of its methods, insert behind
 * some of them, write. What is not touched is copied byte for byte; where nothing is inserted, the
 * file comes out as it went in.
 *
 *	struct class_edit e;
 *	int err = class_edit_begin(&e, bytes, &d);
 *	if (!err)
 *		err = class_edit_insert_after(&e, method, 12, OP_new, &snippet, &d);
 *	if (!err)
 *		err = class_edit_write(&e, &out, &d);
 *	class_edit_release(&e);
 *
 * It takes one more slot of stack in the methods that it changes than a frame of the VM would
 * need at the deepest place: the snippet's need is added to max_stack, wherever the place is.
 */
#ifndef CLASSFILE_CLASS_EDIT_H
#define CLASSFILE_CLASS_EDIT_H

#include "classfile/class_file.h"
#include "classfile/layout.h"
#include "classfile/sites.h"
#include "classfile/snippet.h"

/* HotSpot leaves longer methods to its interpreter (HugeMethodLimit). */
enum { CODE_COMPILED_MAX = 8000 };

struct method_edit {
	bool opened; /* code, marks and sites are there */
	struct code code;
	struct marks marks;
	struct sites sites;
	struct insertions insertions;
	uint16_t stack;   /* slots that the hungriest of them takes */
	int err;          /* why it was not written */
	struct diag *why; /* owned; NULL where err is 0 */
};

struct class_edit {
	struct class_file file;
	struct method_edit *methods; /* owned; one for each of file.methods */
	/* A method of at most this many bytes of code may not grow beyond it; 0: no such bound.
	 * The caller sets it after class_edit_begin. */
	uint32_t keep_below;
	uint32_t reach; /* of branches: BRANCH_REACH; tests set less */
};

/* Reads the class; the bytes must stay. Errors are those of class_file_read. Release it in any
 * case. */
int class_edit_begin(struct class_edit *e, struct slice bytes, struct diag *d);
void class_edit_release(struct class_edit *e);

/* Tells files apart, so that what was decided of one is not done to another. */
uint64_t class_edit_hash(const struct class_edit *e);

/*
 * The allocation sites of method number `method` (< file.methods.count); *out stays until release.
 * 0 (empty for a method without code); ERR_FORMAT or ERR_TRUNCATED with a sentence; ERR_NOMEM.
 */
int class_edit_sites(struct class_edit *e, size_t method, const struct sites **out, struct diag *d);

/*
 * Inserts it where the reference that the instruction at bci makes is on top of the stack: for an
 * allocation where its object is finished, for a call that returns a reference, or a checkcast,
 * behind it. Where the finished object is in a local only, it is loaded first and dropped after.
 * `op` is the instruction that the caller expects there.
 *
 * 0; with a sentence ERR_NOT_FOUND: another instruction, or none; ERR_UNSUPPORTED: the site is
 * refused (site.def), or the instruction leaves no reference; ERR_LIMIT; the errors of
 * class_edit_sites and snippet_put.
 */
int class_edit_insert_after(struct class_edit *e, size_t method, uint32_t bci, uint8_t op,
	const struct snippet *s, struct diag *d);

/*
 * Appends the new file. A method that can't be written (too long, say) stays as it was, and
 * class_edit_outcome tells of it; the others are changed. 0 or ERR_NOMEM.
 */
int class_edit_write(struct class_edit *e, struct buf *out);

/* After class_edit_write: 0 where what was inserted into the method is there, else why it is not,
 * with *why a sentence. */
int class_edit_outcome(const struct class_edit *e, size_t method, const char **why);

#endif
