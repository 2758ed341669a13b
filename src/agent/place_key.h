/*
 * A place and the class of what is made there, as one number: the same for whatever code the place
 * is compiled to, and for each loader of the class; and another one, of one loader's class.
 */
#ifndef AGENT_PLACE_KEY_H
#define AGENT_PLACE_KEY_H

#include <stdint.h>

#include "base/slice.h"

/* class_name: java/util/HashMap, of a hidden class as the VM has it or as JVMTI does (doc/jvm.md);
 * allocates: a signature. Never 0. */
uint64_t place_key(struct slice class_name, struct slice method, struct slice descriptor,
	int32_t bci, struct slice allocates);
/* The same in the class of one loader (exact/loaders.h); 0: loaders are not known, and are not told
 * apart. Never 0. */
uint64_t place_key_in(uint64_t key, uintptr_t loader);

#endif
