/*
 * Whether a constructor keeps its object to itself, so that nobody else can have seen it, locked it
 * or asked for its hash when the constructor returns: then its header may be written with a plain
 * store. All ways through the code count, whether they can be taken or not. What counts as showing
 * it: it is an argument or the receiver of a call, stored in a field (of whatever object) or an
 * array, thrown, locked; another constructor called on it is asked for. A class with a finalizer
 * is out, since the VM keeps a list of its objects.
 */
#ifndef CLASSFILE_LEAK_H
#define CLASSFILE_LEAK_H

#include "classfile/class_file.h"

enum leak {
#define LEAK(name, text) LEAK_##name,
#include "classfile/leak.def"
#undef LEAK
	LEAKS
};

/* Knows of constructors that they keep their object to themselves (java/lang/Object's does). */
struct leak_judge {
	bool (*is_safe)(void *arg, struct slice owner, struct slice descriptor);
	void *arg;
};

/*
 * The first leak that is found in the method, which is <init>; *leak is LEAK_UNKNOWN where its code
 * can't be followed, or it is something else. 0 or ERR_NOMEM. f's pool is not changed.
 */
int constructor_leaks(struct class_file *f, const struct class_method *m,
	const struct leak_judge *judge, enum leak *leak);

/*
 * A constructor as a running VM shows it: without its handlers, and without saying how much stack
 * it takes; more than BARE_STACK_MAX is not followed.
 */
struct bare_constructor {
	struct pool *pool; /* of its class; not changed */
	struct slice code, descriptor;
	uint16_t max_locals;
};
enum { BARE_STACK_MAX = 256 };

/*
 * The same of such a one, for whatever handlers it has: LEAK_UNKNOWN where code is left to which no
 * known way leads, or where its object is put into another local, or something else into its own.
 * Of finalizers it says nothing. 0 or ERR_NOMEM.
 */
int bare_constructor_leaks(
	const struct bare_constructor *c, const struct leak_judge *judge, enum leak *leak);

const char *leak_text(enum leak l);

#endif
