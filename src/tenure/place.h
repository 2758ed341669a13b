/* Where an object was allocated, as the VM tells it: names belong to the caller. */
#ifndef TENURE_PLACE_H
#define TENURE_PLACE_H

#include <stdbool.h>
#include <stdint.h>

/* A place in a method's bytecode. */
struct place_frame {
	uint64_t vm_method; /* the VM's own name of the method; 0: none */
	int32_t bci;
};

struct place {
	uint64_t vm_method;
	int32_t bci;
	uint32_t class_id; /* of what is allocated there: the recorder's number */
};

enum { PLACE_CALLERS = 4 }; /* of an allocation, the nearest first */

/* A place, told apart by its nearest callers where it needs that. */
struct place_context {
	struct place place;
	uint32_t depth; /* callers that count; 0: whoever calls */
	struct place_frame caller[PLACE_CALLERS];
};

static inline bool place_frame_same(const struct place_frame *a, const struct place_frame *b)
{
	return a->vm_method == b->vm_method && a->bci == b->bci;
}

static inline bool place_same(const struct place *a, const struct place *b)
{
	return a->vm_method == b->vm_method && a->bci == b->bci && a->class_id == b->class_id;
}

bool place_context_same(const struct place_context *a, const struct place_context *b);
uint64_t place_context_hash(const struct place_context *c);
/* c with its callers cut to the nearest `depth`. */
struct place_context place_context_cut(const struct place_context *c, uint32_t depth);

#endif
