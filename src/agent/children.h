/*
 * What an object refers to, by plain JNI: the reference fields of its class and those above it, or
 * a few elements of an array. No Java code runs, no class is initialised, and the program does not
 * stand still. What a class's fields are is asked for once, and remembered for a bounded number of
 * classes. In a thread that the VM knows, one at a time.
 */
#ifndef AGENT_CHILDREN_H
#define AGENT_CHILDREN_H

#include <stdbool.h>
#include <stdint.h>

#include "agent/vm.h"
#include "base/rng.h"

enum {
	CHILDREN_FIELDS = 16,  /* that are looked at, of one class */
	CHILDREN_ELEMENTS = 8, /* of one array, chosen at random */
	CHILDREN_CLASSES = 512
};

struct children_class {
	uint32_t id;
	jweak klass; /* classes of several loaders may have the same name, and so the same id */
	bool array;  /* of objects */
	uint32_t count;
	jfieldID field[CHILDREN_FIELDS];
};

struct children {
	const struct vm *vm; /* borrowed */
	uint32_t recording;  /* whose ids classes have */
	struct rng rng;
	struct children_class at[CHILDREN_CLASSES]; /* by id: one takes another's place */
	uint64_t asked;                             /* classes */
	uint64_t cut;                               /* fields beyond CHILDREN_FIELDS */
};

struct child {
	int64_t tag;       /* of one that is followed; 0: it is not */
	uint32_t class_id; /* 0: none of its class was ever sampled */
	bool barren;       /* as in struct family */
};

struct family {
	int64_t tag; /* the parent's; 0: it is followed no more */
	uint32_t class_id;
	bool barren; /* its class has nothing to refer to others with */
	uint32_t count;
	struct child child[CHILDREN_FIELDS];
};

void children_init(struct children *c, const struct vm *vm, uint32_t recording, uint64_t seed);
/* The object's, which is not kept. */
void children_of(struct children *c, JNIEnv *jni, jobject object, struct family *out);
/* Gives its references back. */
void children_end(struct children *c, JNIEnv *jni);

#endif
