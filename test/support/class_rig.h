/* A class of one method, read, with what the parts of src/classfile ask for. */
#ifndef SUPPORT_CLASS_RIG_H
#define SUPPORT_CLASS_RIG_H

#include "classfile/code.h"
#include "classfile/class_file.h"
#include "classfile/marks.h"
#include "classfile/step.h"
#include "support/class_maker.h"

struct class_rig {
	struct buf bytes;
	struct class_file file;
	const struct class_method *method; /* its last */
	struct code code;
	struct marks marks;
	struct stepper step; /* without names */
};

/* What the maker has so far, and releases the maker. Any trouble ends the test program. */
void class_rig_init(struct class_rig *r, struct class_maker *m);
void class_rig_release(struct class_rig *r);

#endif
