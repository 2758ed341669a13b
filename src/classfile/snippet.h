/*
 * Code to put behind an instruction: it finds a reference on top of the stack, and leaves it there.
 * It has no branches, no locals, and ends by falling through. The numbers of its constants are left
 * out (two bytes of anything), and said beside it, so that one snippet serves all classes.
 */
#ifndef CLASSFILE_SNIPPET_H
#define CLASSFILE_SNIPPET_H

#include "base/diag.h"
#include "classfile/pool.h"

enum {
	SNIPPET_STACK_MAX = 64, /* slots that it may use above the reference */
	SNIPPET_LEN_MAX = 1024  /* bytes */
};

struct snippet_constant {
	uint16_t at;       /* byte of the code that its number stands at */
	enum pool_tag tag; /* FIELD, METHOD, INTERFACE_METHOD; CLASS, STRING; INTEGER to DOUBLE */
	struct pool_member member; /* of the first three */
	struct slice text;         /* of the next two */
	uint64_t bits;             /* of the others: the value's */
};

struct snippet {
	struct slice code; /* the caller's, as all that is named here */
	const struct snippet_constant *constants;
	size_t count;
};

/* dup; invokestatic owner.name(Ljava/lang/Object;)V. */
struct snippet_call {
	struct snippet snippet; /* points into what follows: don't copy it */
	uint8_t code[4];
	struct snippet_constant constant;
};
void snippet_call_init(struct snippet_call *c, const char *owner, const char *name);

/*
 * Appends its bytes for the class that has the pool, to which its constants are added; *stack is
 * how many slots it takes above the reference. 0; ERR_USAGE: it isn't as said above; ERR_FULL,
 * with a sentence; ERR_NOMEM.
 */
int snippet_put(
	const struct snippet *s, struct pool *p, struct buf *out, uint16_t *stack, struct diag *d);

#endif
