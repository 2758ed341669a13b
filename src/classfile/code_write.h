/*
 * A Code attribute written anew with code put between its instructions.
 *
 * What speaks of places in the code follows: handlers, StackMapTable, LineNumberTable,
 * LocalVariableTable, LocalVariableTypeTable, Runtime(In)VisibleTypeAnnotations. Any other
 * attribute of the code is left out: it may name places in a form that nobody here knows, and by
 * JVMS 4.7.1 what it says must not change what the class does. (CLDC's StackMap is one of those;
 * HotSpot does not read it.)
 *
 * Where a condition had to be turned (layout.h), the place behind its goto_w needs a frame. What it
 * says is found by following the types from the frame before; each class in it is added to the
 * pool where it is not there.
 */
#ifndef CLASSFILE_CODE_WRITE_H
#define CLASSFILE_CODE_WRITE_H

#include "classfile/class_file.h"
#include "classfile/layout.h"
#include "classfile/marks.h"

struct rewrite {
	struct class_file *file; /* its pool may grow */
	const struct class_method *method;
	const struct code *code;
	const struct marks *marks;
	const struct insertions *insertions;
	uint16_t max_stack; /* of the new code */
	uint32_t reach;     /* of branches: BRANCH_REACH (layout.h) */
};

/*
 * Appends the content of the new attribute. 0; ERR_LIMIT, ERR_FORMAT, ERR_UNSUPPORTED or ERR_FULL
 * with a sentence: this method can't be written; ERR_NOMEM. out is then of no use.
 */
int code_rewrite(const struct rewrite *w, struct buf *out, struct diag *d);

#endif
