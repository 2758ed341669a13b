/* What stands where in the code of a method: a set of marks for each byte. */
#ifndef CLASSFILE_MARKS_H
#define CLASSFILE_MARKS_H

#include "classfile/code.h"

enum {
	MARK_INSN = 1,    /* an instruction begins */
	MARK_TARGET = 2,  /* a branch leads here */
	MARK_HANDLER = 4, /* a handler begins */
	MARK_RANGE = 8    /* what some handler covers begins */
};

struct marks {
	uint8_t *at; /* owned; one for each byte of the code, and one behind them */
};

/*
 * Decodes all the code. 0; ERR_FORMAT or ERR_TRUNCATED with a sentence: what is no instruction,
 * a branch or a handler that does not lead to one; ERR_NOMEM. Release it in any case.
 */
int marks_make(struct marks *m, const struct code *k, struct diag *d);
void marks_release(struct marks *m);

#endif
