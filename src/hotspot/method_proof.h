/*
 * Whether what a jmethodID points to is a Method. Up to 22 the VM may hand out one that is none,
 * where a class has been redefined: two threads ask at once, and one of them reads the class's list
 * of ids when the other has put a longer one in its place and freed it (JDK-8313332). And before
 * 11.0.23, 17.0.11 and 21.0.3 one may be left that points to where a redefined class's method was
 * (JDK-8313816). Whoever follows such an id, as each of JVMTI's functions does, crashes.
 *
 * A Method begins with the address of its class's table of functions (C++). There are several of
 * those tables, one in the VM's library and one in each archive of classes, with the same functions
 * in them: those of a method that is known to be one are compared.
 */
#ifndef HOTSPOT_METHOD_PROOF_H
#define HOTSPOT_METHOD_PROOF_H

#include <stdbool.h>
#include <stdint.h>

/* The third tells methods from all else (Metadata::is_method; 11 to 25). */
#define METHOD_PROOF_FUNCTIONS 6

struct method_proof {
	uintptr_t functions[METHOD_PROOF_FUNCTIONS];
};

/* id: a jmethodID that is surely one. Whether it could be read (heap_peek). */
bool method_proof_learn(struct method_proof *p, uint64_t id);
/* Any thread; about 1 us. True of one that the VM has cleared, which it knows itself. What is there
 * now may be freed by the next pause. */
bool method_proof_holds(const struct method_proof *p, uint64_t id);

#endif
