/*
 * What the locals and the stack of a method have at each instruction that can be reached, whatever
 * way leads there: a data-flow analysis. It needs no StackMapTable, so that it serves the classes
 * of before Java 6 as well; where a `new` object that is not yet constructed travels through
 * branches, what meets is the same `new` on each way, as the verifier demands, and stays known.
 * It is no verifier: it asks of code only what it needs itself.
 */
#ifndef CLASSFILE_FLOW_H
#define CLASSFILE_FLOW_H

#include "classfile/marks.h"
#include "classfile/step.h"

enum {
	FLOW_SLOTS_MAX = 1 << 21, /* kept at once, of four bytes each */
	FLOW_WORK_MAX = 1 << 26   /* slots looked at where ways meet; bounds the time to seconds */
};

/* Is shown each instruction that can be reached once, in the order of blocks, with what is there
 * before it. */
struct flow_eye {
	int (*see)(void *arg, const struct insn *i, const struct state *before);
	void *arg;
};

/*
 * 0, or what the eye returned; ERR_FORMAT: code that the VM would not take; ERR_UNSUPPORTED: it has
 * subroutines (jsr); ERR_LIMIT: larger than the bounds above; ERR_NOMEM.
 */
int flow_run(const struct stepper *p, const struct class_method *m, const struct code *k,
	const struct marks *marks, const struct flow_eye *eye);

#endif
