/* What one instruction does to the locals and the stack. */
#ifndef CLASSFILE_STEP_H
#define CLASSFILE_STEP_H

#include "classfile/class_file.h"
#include "classfile/insn.h"
#include "classfile/state.h"

/* Where steps are made. */
struct stepper {
	struct pool *pool; /* of the class */
	struct slice code;
	uint16_t this_class;
	bool named; /* references have classes, which are added to the pool; else they are VALUE_REF
		     */
};

/* The state at the start of a method. 0, ERR_FORMAT, or as pool_add_*. */
int step_enter(const struct stepper *p, const struct class_method *m, struct state *s);

/*
 * The state after the instruction, where the next one follows or it branches to. 0; ERR_FORMAT: it
 * can't be made there; ERR_UNSUPPORTED: jsr, ret, or (named) a class that has no name here;
 * or as pool_add_*.
 */
int step(const struct stepper *p, const struct insn *i, struct state *s);

/* Of an invoke: the slots that its arguments take. False where its constant is of no such form. */
bool step_argument_slots(const struct pool *p, const struct insn *i, uint32_t *slots);
/* Whether it is invokespecial of a constructor. */
bool step_constructs(const struct pool *p, const struct insn *i);

#endif
