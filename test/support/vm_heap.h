/* A made-up heap of a few classes, in the test's own memory. */
#ifndef SUPPORT_VM_HEAP_H
#define SUPPORT_VM_HEAP_H

#include <string.h>

#include "hotspot/objects.h"

struct vm_name {
	_Alignas(8) uint16_t length;
	char body[62];
};

/* As much of a Klass as is looked at. */
struct vm_klass {
	const void *const *functions;
	int32_t layout;
	uint32_t gap;
	const struct vm_name *name;
};

enum { VM_HEAP_BASE_BITS = 32 };

static inline void vm_name_set(struct vm_name *n, const char *text)
{
	n->length = (uint16_t)strlen(text);
	memcpy(n->body, text, n->length);
}

/* Classes are found from `classes`, an address of theirs below all. */
static inline struct vm_objects vm_objects_made(const void *classes, bool compact)
{
	return (struct vm_objects){
		.align = 8,
		.narrow_base = (uintptr_t)classes - 64,
		.narrow_shift = 0,
		.compact = compact,
		.sites = !compact,
		.klass_shift = 42,
		.hash_shift = compact ? 11 : 8,
		.hash_mask = 0x7fffffff,
		.header = compact ? 8 : 12,
		.array_length = compact ? 8 : 12,
		.layout = offsetof(struct vm_klass, layout),
		.name = offsetof(struct vm_klass, name),
		.symbol_length = offsetof(struct vm_name, length),
		.symbol_body = offsetof(struct vm_name, body),
		.class_size = 16,
		.chunk_size = 20,
		.oops_a_word_log = 1,
		.stack_locks = true,
	};
}

/* The class's number, as its objects have it. */
static inline uint64_t vm_narrow(const struct vm_objects *o, const struct vm_klass *k)
{
	return o->wide ? (uint32_t)(uintptr_t)k : (uintptr_t)k - o->narrow_base;
}

/* Writes an object's header, with an unlocked mark, and an array's length. */
static inline void vm_object_put(
	const struct vm_objects *o, void *at, const struct vm_klass *k, uint32_t length)
{
	uint64_t narrow = vm_narrow(o, k), mark = 1 | (o->compact ? narrow << o->klass_shift : 0);
	uint32_t word = (uint32_t)narrow;
	uintptr_t whole = (uintptr_t)k;
	memcpy(at, &mark, sizeof(mark));
	if (o->wide)
		memcpy((char *)at + 8, &whole, sizeof(whole));
	else if (!o->compact)
		memcpy((char *)at + 8, &word, sizeof(word));
	if (k->layout < 0)
		memcpy((char *)at + o->array_length, &length, sizeof(length));
}

#endif
